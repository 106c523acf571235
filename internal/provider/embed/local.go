package embed

import (
	"context"
	"errors"
	"fmt"

	"docqa/internal/provider/onnx"
)

// runner computes the vectors of a batch. Their norm need not be 1.
type runner interface {
	run(b onnx.Batch) ([][]float32, error)
	close() error
}

// pooled is a graph that returns one vector for each text or for each token.
type pooled struct{ session *onnx.Session }

func (p pooled) run(b onnx.Batch) (vectors [][]float32, err error) {
	err = p.session.Run(b, func(data []float32, shape []int64) error {
		vectors, err = pool(data, shape, b)
		return err
	})
	return vectors, err
}

func (p pooled) close() error { return p.session.Close() }

// local is a model in this process.
type local struct {
	folder     *onnx.Folder
	runner     runner
	dimensions int
	slots      chan struct{} // one for each batch that is computed
	express    chan struct{} // one more, for short questions: they need not wait for an ingestion
}

// expressTokens is the maximum length of a short question.
const expressTokens = 64

func openLocal(ctx context.Context, path string, o Options) (Embedder, error) {
	f, session, err := onnx.OpenFolder(path, o.Library, "sentence_embedding", "last_hidden_state", "token_embeddings")
	if err != nil {
		return nil, err
	}
	r := pooled{session}
	l := &local{folder: f, runner: r, slots: make(chan struct{}, max(1, o.Threads)), express: make(chan struct{}, 1)}
	if err := l.probe(ctx); err != nil {
		return nil, errors.Join(err, r.close())
	}
	return l, nil
}

// probe computes a text of the first and the last token of the vocabulary.
func (l *local) probe(ctx context.Context) error {
	last := int64(l.folder.Tokenizer.Size() - 1)
	vectors, err := l.run(ctx, l.slots, onnx.Batch{IDs: []int64{0, last}, Mask: []int64{1, 1}, Rows: 1, Width: 2})
	if err != nil {
		return fmt.Errorf("try the model: %w", err)
	}
	l.dimensions = len(vectors[0])
	if d := l.folder.Dimensions; d != 0 && d != l.dimensions {
		return fmt.Errorf("the model answers %d dimensions, config.json says %d", l.dimensions, d)
	}
	return nil
}

// Model is the folder's name with the digest of the model.
func (l *local) Model() string { return l.folder.Name }

// Dimensions is the length of the vectors.
func (l *local) Dimensions() int { return l.dimensions }

// Close frees the model.
func (l *local) Close() error { return l.runner.close() }

// Embed computes the texts in batches of similar length.
func (l *local) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return l.read(ctx, l.slots, l.tokens(texts))
}

// EmbedQuestions is Embed for questions. Short ones are computed one at a time, in a slot that
// passages do not use.
func (l *local) EmbedQuestions(ctx context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, 0, len(texts))
	for _, text := range l.tokens(texts) {
		slots := l.slots
		if len(text.IDs) <= expressTokens {
			slots = l.express
		}
		vector, err := l.read(ctx, slots, []onnx.Text{text})
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, vector...)
	}
	return vectors, nil
}

func (l *local) tokens(texts []string) []onnx.Text {
	tokens := make([]onnx.Text, len(texts))
	for i, text := range texts {
		tokens[i].IDs = l.folder.Tokenizer.Encode(nil, text)
	}
	return tokens
}

// read computes the vectors of the texts.
func (l *local) read(ctx context.Context, slots chan struct{}, texts []onnx.Text) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	err := onnx.Each(texts, l.folder.Tokenizer.Padding(), func(b onnx.Batch, places []int) error {
		got, err := l.run(ctx, slots, b)
		if err != nil {
			return fmt.Errorf("embed %d texts: %w", len(places), err)
		}
		for i, place := range places {
			vectors[place] = got[i]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return vectors, nil
}

// run waits for a free slot and computes the batch. It does not interrupt a batch that has
// begun.
func (l *local) run(ctx context.Context, slots chan struct{}, b onnx.Batch) ([][]float32, error) {
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
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
