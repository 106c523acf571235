package rerank

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"docqa/internal/engine/wordpiece"
	"docqa/internal/provider/onnx"
)

// Options are what Open needs besides the folder.
type Options struct {
	Library string // path of ONNX Runtime; default: below the folder, or lib/ beside models/, or the system's
	Threads int    // batches that are computed at once; default 1
}

// CrossEncoder is a model in this process. Safe for concurrent use.
type CrossEncoder struct {
	name      string
	tokenizer *wordpiece.Tokenizer
	graph     graph
	slots     chan struct{} // one for each batch that is computed
}

// graph scores the rows of a batch.
type graph interface {
	Run(b onnx.Batch, read func(data []float32, shape []int64) error) error
	Close() error
}

// Open reads the folder of a cross-encoder, which a setting `local:<folder>` names. It scores
// one pair, so that a broken model is noticed at once.
func Open(ctx context.Context, setting string, o Options) (*CrossEncoder, error) {
	kind, path, _ := strings.Cut(setting, ":")
	if kind != "local" || strings.TrimSpace(path) == "" {
		return nil, errors.New("open the reranker: must be none or local:<folder>")
	}
	c, err := open(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("open the reranker %s: %w", setting, err)
	}
	return c, nil
}

func open(ctx context.Context, path string, o Options) (*CrossEncoder, error) {
	folder, session, err := onnx.OpenFolder(path, o.Library, "logits")
	if err != nil {
		return nil, err
	}
	c := &CrossEncoder{name: folder.Name, tokenizer: folder.Tokenizer, graph: session, slots: make(chan struct{}, max(1, o.Threads))}
	if _, err := c.Score(ctx, "a", []string{"a"}); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Model is the folder's name with the digest of the model.
func (c *CrossEncoder) Model() string { return c.name }

// Close frees the model. It does nothing if c is nil. Nothing may be called after it.
func (c *CrossEncoder) Close() error {
	if c == nil {
		return nil
	}
	return c.graph.Close()
}

// Score returns how well each text answers the question, 0 to 1, in the order of texts. Texts
// that are longer than the model reads are cut. It stops when ctx ends, but does not interrupt
// a batch that has begun.
func (c *CrossEncoder) Score(ctx context.Context, question string, texts []string) ([]float64, error) {
	pairs := make([]onnx.Text, len(texts))
	for i, text := range texts {
		pairs[i].IDs, pairs[i].Kinds = c.tokenizer.EncodePair(question, text)
	}
	scores := make([]float64, len(texts))
	err := onnx.Each(pairs, c.tokenizer.Padding(), func(b onnx.Batch, places []int) error {
		return c.run(ctx, b, func(row int, score float64) { scores[places[row]] = score })
	})
	if err != nil {
		return nil, fmt.Errorf("score %d texts: %w", len(texts), err)
	}
	return scores, nil
}

// run waits for a free slot and scores a batch. It calls scored for each row.
func (c *CrossEncoder) run(ctx context.Context, b onnx.Batch, scored func(row int, score float64)) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.graph.Run(b, func(logits []float32, shape []int64) error {
		if len(shape) != 2 || shape[0] != int64(b.Rows) || shape[1] != 1 {
			return fmt.Errorf("the model answered the shape %v for %d pairs, one score for each was expected", shape, b.Rows)
		}
		for row, logit := range logits {
			score := 1 / (1 + math.Exp(-float64(logit)))
			if math.IsNaN(score) {
				return errors.New("the model answered no judgement")
			}
			scored(row, score)
		}
		return nil
	})
}
