package lab

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

// round is how many texts are embedded before they are kept.
const round = 256

// digest names a text.
type digest [16]byte

func digestOf(text string) digest {
	sum := sha256.Sum256([]byte(text))
	return digest(sum[:16])
}

// store keeps the vectors of texts in a file that only grows, so that several
// processes may write to it. The file is records of a digest and a vector.
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
			return v, nil // the end
		}
		if err := binary.Read(in, binary.LittleEndian, vector); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		v.known[key] = vector
	}
}

// of returns the vectors of the texts, and makes those that are missing.
func (v *store) of(ctx context.Context, texts []string) ([][]float32, error) {
	keys := make([]digest, len(texts))
	missing := map[digest]string{}
	for i, text := range texts {
		keys[i] = digestOf(text)
		if v.known[keys[i]] == nil {
			missing[keys[i]] = text
		}
	}
	if err := v.make(ctx, missing); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for i, key := range keys {
		out[i] = v.known[key]
	}
	return out, nil
}

func (v *store) make(ctx context.Context, missing map[digest]string) error {
	texts := make([]string, 0, len(missing))
	for _, text := range missing {
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	for done := 0; done < len(texts); {
		part := texts[done:min(done+round, len(texts))]
		made, err := v.embedder.Embed(ctx, part)
		if err != nil {
			return err
		}
		if err := v.keep(part, made); err != nil {
			return err
		}
		if done += len(part); len(texts) > round {
			_, _ = fmt.Fprintf(v.progress, "%s: %d of %d vectors\n", filepath.Base(v.path), done, len(texts))
		}
	}
	return nil
}

// keep appends in a single write, which another process does not cut in two.
func (v *store) keep(texts []string, made [][]float32) (err error) {
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
