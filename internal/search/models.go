package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"docqa/internal/provider/embed"
)

// cachedQuestions is how many questions each model caches with their vectors: 4 MB at 384
// dimensions and 500 bytes of text each.
const cachedQuestions = 2000

// Models are the models of this process. The first is the default. A nil *Models has none.
// Safe for concurrent use.
type Models struct {
	list   []*model
	reason string // why the list is empty
}

type model struct {
	embed.Embedder
	questions *embed.Cache
	failed    atomic.Bool // whether the last call failed
}

// Embed calls the embedder and records whether it failed, for State.
func (m *model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	made, err := m.Embedder.Embed(ctx, texts)
	return made, m.note(err)
}

// EmbedQuestions is Embed for questions.
func (m *model) EmbedQuestions(ctx context.Context, texts []string) ([][]float32, error) {
	q, ok := m.Embedder.(embed.Questioner)
	if !ok {
		return m.Embed(ctx, texts)
	}
	made, err := q.EmbedQuestions(ctx, texts)
	return made, m.note(err)
}

func (m *model) note(err error) error {
	if !errors.Is(err, context.Canceled) {
		m.failed.Store(err != nil)
	}
	return err
}

// NewModels returns the models of embedders. The first is the default.
func NewModels(embedders ...embed.Embedder) *Models {
	m := &Models{}
	for _, e := range embedders {
		m.add(e)
	}
	return m
}

func (m *Models) add(e embed.Embedder) {
	one := &model{Embedder: e}
	one.questions = embed.NewCache(one, cachedQuestions)
	m.list = append(m.list, one)
}

// Default returns the name of the model for new projects, or "" if the process has none.
func (m *Models) Default() string {
	if names := m.Names(); len(names) > 0 {
		return names[0]
	}
	return ""
}

// Names returns the names of the models, the default first.
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

// Has reports whether the process has the model.
func (m *Models) Has(name string) bool {
	_, err := m.find(name)
	return err == nil
}

// Dimensions returns the length of a model's vectors, or 0 if the process does not have
// the model.
func (m *Models) Dimensions(name string) int {
	one, err := m.find(name)
	if err != nil {
		return 0
	}
	return one.Dimensions()
}

// Resolve returns the full name of a model. name is the full name, or the name without the
// @ and the digest after it, or empty for the default. ok is false if the process does not
// have the model.
func (m *Models) Resolve(name string) (full string, ok bool) {
	if name == "" {
		return m.Default(), m.Default() != ""
	}
	for _, full := range m.Names() {
		if base, _, _ := strings.Cut(full, "@"); full == name || base == name {
			return full, true
		}
	}
	return "", false
}

// For returns the model by which new chunks of a project are embedded. active is the
// project's model. For returns it, or the default if this process does not have it.
func (m *Models) For(active string) string {
	if m.Has(active) {
		return active
	}
	return m.Default()
}

// ErrUnknownModel means that the process does not have a model of the name.
var ErrUnknownModel = errors.New("this process does not have the model")

func (m *Models) find(name string) (*model, error) {
	if m != nil {
		for _, one := range m.list {
			if one.Model() == name {
				return one, nil
			}
		}
	}
	return nil, fmt.Errorf("%w %q", ErrUnknownModel, name)
}

// QueryAll returns the vectors of questions, which the caller must not change. It caches the
// vectors of the latest questions. Errors: ErrUnknownModel, and those of embed.Embedder.
func (m *Models) QueryAll(ctx context.Context, name string, texts []string) ([][]float32, error) {
	one, err := m.find(name)
	if err != nil {
		return nil, err
	}
	return one.questions.QueryAll(ctx, texts)
}

// Embed returns one vector of length 1 for each text. Errors: those of QueryAll.
func (m *Models) Embed(ctx context.Context, name string, texts []string) ([][]float32, error) {
	one, err := m.find(name)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	return one.Embed(ctx, texts)
}

// Close frees the models. No method may be called after it.
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
