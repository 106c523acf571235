package vectors

import (
	"context"
	"errors"
	"fmt"

	"docqa/internal/provider/embed"
)

// keptQuestions is how many vectors of questions each model keeps: 4 MB at 384 dimensions
// and 500 bytes of text.
const keptQuestions = 2000

// Models are the models of this process. The first is the default. A nil *Models has none.
// Safe for concurrent use.
type Models struct {
	list []*model
}

type model struct {
	embed.Embedder
	questions *embed.Cache
}

// New holds embedders, the default first.
func New(embedders ...embed.Embedder) *Models {
	m := &Models{}
	for _, e := range embedders {
		m.list = append(m.list, &model{Embedder: e, questions: embed.NewCache(e, keptQuestions)})
	}
	return m
}

// Default names the model of new projects; empty where the process has none.
func (m *Models) Default() string {
	if names := m.Names(); len(names) > 0 {
		return names[0]
	}
	return ""
}

// Names lists the models, the default first.
func (m *Models) Names() []string {
	if m == nil {
		return nil
	}
	names := make([]string, len(m.list))
	for i, one := range m.list {
		names[i] = one.Model()
	}
	return names
}

// Has tells whether the process has the model.
func (m *Models) Has(name string) bool {
	_, err := m.find(name)
	return err == nil
}

// For is the model for vectors of a project whose questions are answered by those of
// active: that one, or the default where this process has not got it.
func (m *Models) For(active string) string {
	if m.Has(active) {
		return active
	}
	return m.Default()
}

// ErrUnknown says that the process has not got a model.
var ErrUnknown = errors.New("this process has not got the model")

func (m *Models) find(name string) (*model, error) {
	if m != nil {
		for _, one := range m.list {
			if one.Model() == name {
				return one, nil
			}
		}
	}
	return nil, fmt.Errorf("%w %q", ErrUnknown, name)
}

// Query answers the vector of a question, which must not be changed. The last ones asked
// are remembered. Errors: ErrUnknown, and as embed.Embedder.
func (m *Models) Query(ctx context.Context, name, text string) ([]float32, error) {
	vectors, err := m.QueryAll(ctx, name, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// QueryAll is Query for several texts at once.
func (m *Models) QueryAll(ctx context.Context, name string, texts []string) ([][]float32, error) {
	one, err := m.find(name)
	if err != nil {
		return nil, err
	}
	return one.questions.QueryAll(ctx, texts)
}

// Embed answers one vector of the norm 1 for each text. Errors: as Query.
func (m *Models) Embed(ctx context.Context, name string, texts []string) ([][]float32, error) {
	one, err := m.find(name)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	return one.Embedder.Embed(ctx, texts)
}

// Close frees the models. Nothing may be called after it.
func (m *Models) Close() error {
	if m == nil {
		return nil
	}
	errs := make([]error, len(m.list))
	for i, one := range m.list {
		errs[i] = one.Close()
	}
	return errors.Join(errs...)
}
