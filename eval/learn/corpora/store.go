package corpora

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"docqa/internal/provider/embed"
)

// batch is how many texts are embedded before their vectors are written.
const batch = 256

// digest identifies a text.
type digest [16]byte

func digestOf(text string) digest {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:16])
}

// store holds the vectors of texts in a file of records, each a digest and a vector. Records are only appended, so that several processes
// may write to the same file.
type store struct {
	embedder embed.Embedder
	path     string
	known    map[digest][]float32
	progress io.Writer
}

func openStore(path string, e embed.Embedder, progress io.Writer) (*store, error) {
	v := &store{embedder: e, path: path, known: map[digest][]float32{}, progress: progress}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, err
	}
	file, err := os.Open(filepath.Clean(path))
	if errors.Is(err, os.ErrNotExist) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReaderSize(file, 1<<20)
	for {
		var key digest
		vector := make([]float32, e.Dimensions())
		if _, err := io.ReadFull(in, key[:]); err != nil {
			return v, nil // the end of the file
		}
		if err := binary.Read(in, binary.LittleEndian, vector); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		v.known[key] = vector
	}
}

// get returns the vectors of the texts. It computes those that are missing.
func (v *store) get(ctx context.Context, texts []string) ([][]float32, error) {
	keys := make([]digest, len(texts))
	missing := map[digest]string{}
	for i, text := range texts {
		keys[i] = digestOf(text)
		if v.known[keys[i]] == nil {
			missing[keys[i]] = text
		}
	}
	if err := v.compute(ctx, missing); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, key := range keys {
		out[i] = v.known[key]
	}
	return out, nil
}

// compute computes and stores the vectors of texts.
func (v *store) compute(ctx context.Context, missing map[digest]string) error {
	texts := make([]string, 0, len(missing))
	for _, text := range missing {
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	for done := 0; done < len(texts); {
		part := texts[done:min(done+batch, len(texts))]
		made, err := v.embedder.Embed(ctx, part)
		if err != nil {
			return err
		}
		if err := v.append(part, made); err != nil {
			return err
		}
		if done += len(part); len(texts) > batch {
			_, _ = fmt.Fprintf(v.progress, "%s: %d of %d vectors\n", filepath.Base(v.path), done, len(texts))
		}
	}
	return nil
}

// append writes records by a single call, which other processes cannot split.
func (v *store) append(texts []string, made [][]float32) (err error) {
	var b bytes.Buffer
	for i, text := range texts {
		key := digestOf(text)
		v.known[key] = made[i]
		b.Write(key[:])
		if err := binary.Write(&b, binary.LittleEndian, made[i]); err != nil {
			return err
		}
	}
	file, err := os.OpenFile(v.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(b.Bytes())
	return err
}
