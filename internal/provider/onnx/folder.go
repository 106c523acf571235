package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"docqa/internal/engine/wordpiece"
)

const (
	defaultTokens = 256
	maxConfig     = 1 << 20 // bytes
)

// Folder is a model's folder, as tools/model writes it.
type Folder struct {
	Name       string // the folder's name and the beginning of the model's digest
	Dimensions int    // length of a token's vector; 0: the folder does not say
	Tokenizer  *wordpiece.Tokenizer

	path string
}

// folderConfig is the part of config.json that is used.
type folderConfig struct {
	HiddenSize  int   `json:"hidden_size"`
	VocabSize   int   `json:"vocab_size"`
	Positions   int   `json:"max_position_embeddings"`
	MaxTokens   int   `json:"max_seq_length"`
	DoLowerCase *bool `json:"do_lower_case"`
}

// OpenFolder reads a model's folder and loads its graph, to compute the first of the named
// outputs that the graph has. library is the path of ONNX Runtime; if it is empty, Library
// searches for it.
func OpenFolder(path, library string, outputs ...string) (*Folder, *Session, error) {
	f, err := ReadFolder(path)
	if err != nil {
		return nil, nil, err
	}
	found, err := f.Library(library)
	if err != nil {
		return nil, nil, err
	}
	session, err := Open(found, f.Model(), outputs...)
	if err != nil {
		return nil, nil, err
	}
	return f, session, nil
}

// Model is the file of the graph.
func (f *Folder) Model() string { return filepath.Join(f.path, "model.onnx") }

// ReadFolder reads everything but the weights.
func ReadFolder(path string) (*Folder, error) {
	f := &Folder{path: path}
	var c folderConfig
	if err := f.readConfig(&c); err != nil {
		return nil, err
	}
	digest, err := f.digest()
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the folder: %w", err)
	}
	f.Name, f.Dimensions = filepath.Base(abs)+"@"+digest, c.HiddenSize
	vocab, err := os.Open(filepath.Join(path, "vocab.txt")) //nolint:gosec // the operator names the folder
	if err != nil {
		return nil, missing(err)
	}
	defer vocab.Close()
	o := wordpiece.Options{Cased: c.DoLowerCase != nil && !*c.DoLowerCase, MaxTokens: c.tokens()}
	if f.Tokenizer, err = wordpiece.New(vocab, o); err != nil {
		return nil, fmt.Errorf("read vocab.txt: %w", err)
	}
	if c.VocabSize != 0 && f.Tokenizer.Size() > c.VocabSize {
		return nil, fmt.Errorf("vocab.txt has %d tokens, the model knows %d", f.Tokenizer.Size(), c.VocabSize)
	}
	return f, nil
}

// tokens is the most tokens that the model reads.
func (c folderConfig) tokens() int {
	n := c.MaxTokens
	if n <= 0 {
		n = defaultTokens
	}
	if c.Positions > 0 {
		n = min(n, c.Positions)
	}
	return n
}

func (f *Folder) readConfig(c *folderConfig) error {
	file, err := os.Open(filepath.Join(f.path, "config.json"))
	if err != nil {
		return missing(err)
	}
	defer file.Close()
	if err := json.NewDecoder(io.LimitReader(file, maxConfig)).Decode(c); err != nil {
		return fmt.Errorf("read config.json: %w", err)
	}
	return nil
}

func (f *Folder) digest() (string, error) {
	file, err := os.Open(f.Model())
	if err != nil {
		return "", missing(err)
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", fmt.Errorf("read model.onnx: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)[:4]), nil
}

func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder needs model.onnx, vocab.txt and config.json; make model installs them: %w", err)
	}
	return fmt.Errorf("read the model's folder: %w", err)
}

// Library finds ONNX Runtime: at the path in the settings, beside the model, or in the system.
func (f *Folder) Library(said string) (string, error) {
	const name = "libonnxruntime.so"
	if said != "" {
		if _, err := os.Stat(said); err != nil {
			return "", fmt.Errorf("find ONNX Runtime: %w", err)
		}
		return said, nil
	}
	for _, path := range []string{filepath.Join(f.path, name), filepath.Join(f.path, "..", "..", "lib", name)} {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return name, nil
}
