package embed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
)

// The size of a batch. Padding costs as much as tokens do, so texts of a like length go
// together; larger batches are no faster on a CPU and hold up the questions.
const (
	batchTexts  = 16
	batchTokens = 2048
)

// batch is what a model reads at once: rows of one width, row after row.
type batch struct {
	ids, mask   []int64
	rows, width int
}

// runner computes the vectors of a batch; they need not have the norm 1.
type runner interface {
	run(b batch) ([][]float32, error)
	close() error
}

// local is a model in this process.
type local struct {
	folder     *folder
	runner     runner
	dimensions int
	slots      chan struct{} // one for each batch in work
}

func openLocal(ctx context.Context, path string, o Options) (Embedder, error) {
	f, err := readFolder(path)
	if err != nil {
		return nil, err
	}
	library, err := f.library(o.Library)
	if err != nil {
		return nil, err
	}
	r, err := openRunner(library, f.model())
	if err != nil {
		return nil, err
	}
	l := &local{folder: f, runner: r, slots: make(chan struct{}, max(1, o.Threads))}
	if err := l.probe(ctx); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return l, nil
}

// probe has the model read its first and its last token.
func (l *local) probe(ctx context.Context) error {
	last := int64(l.folder.tokenizer.Size() - 1)
	vectors, err := l.run(ctx, batch{ids: []int64{0, last}, mask: []int64{1, 1}, rows: 1, width: 2})
	if err != nil {
		return fmt.Errorf("try the model: %w", err)
	}
	l.dimensions = len(vectors[0])
	if d := l.folder.dimensions; d != 0 && d != l.dimensions {
		return fmt.Errorf("the model answers %d dimensions, config.json says %d", l.dimensions, d)
	}
	return nil
}

// Model is the folder's name with the digest of the model.
func (l *local) Model() string { return l.folder.name }

// Dimensions is the length of the vectors.
func (l *local) Dimensions() int { return l.dimensions }

// Close frees the model.
func (l *local) Close() error { return l.runner.close() }

// Embed reads the texts in batches of a like length.
func (l *local) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	tokens, order := make([][]int64, len(texts)), make([]int, len(texts))
	for i, text := range texts {
		tokens[i], order[i] = l.folder.tokenizer.Encode(nil, text), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(tokens[b]), len(tokens[a])) })
	vectors := make([][]float32, len(texts))
	for len(order) > 0 {
		width := len(tokens[order[0]])
		n := min(len(order), batchTexts, max(1, batchTokens/width))
		got, err := l.run(ctx, l.pad(tokens, order[:n], width))
		if err != nil {
			return nil, fmt.Errorf("embed %d texts: %w", n, err)
		}
		for i, at := range order[:n] {
			vectors[at] = got[i]
		}
		order = order[n:]
	}
	return vectors, nil
}

func (l *local) pad(tokens [][]int64, which []int, width int) batch {
	b := batch{ids: make([]int64, 0, len(which)*width), mask: make([]int64, 0, len(which)*width), rows: len(which), width: width}
	for _, at := range which {
		b.ids = append(b.ids, tokens[at]...)
		for i := range width {
			if i < len(tokens[at]) {
				b.mask = append(b.mask, 1)
				continue
			}
			b.ids, b.mask = append(b.ids, l.folder.tokenizer.Padding()), append(b.mask, 0)
		}
	}
	return b
}

// run waits for a free slot; a batch that has begun is not interrupted.
func (l *local) run(ctx context.Context, b batch) ([][]float32, error) {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vectors, err := l.runner.run(b)
	if err != nil {
		return nil, err
	}
	for _, v := range vectors {
		if err := normalise(v); err != nil {
			return nil, err
		}
	}
	return vectors, nil
}
