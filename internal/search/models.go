package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"docqa/internal/provider/embed"
)

// keptQuestions is how many vectors of questions each model keeps: 4 MB at 384 dimensions
// and 500 bytes of text.
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
	failed    atomic.Bool // the last call did
}

// Embed notes whether it failed.
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

// NewModels holds embedders, the default first.
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

// Dimensions is the length of a model's vectors; 0 where the process has not got it.
func (m *Models) Dimensions(name string) int {
	one, err := m.find(name)
	if err != nil {
		return 0
	}
	return one.Dimensions()
}

// Resolve finds the full name of a model that is named in full or without the digest
// behind its @; ok is false where the process has not got it. An empty name is the default.
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

// For is the model for vectors of a project whose questions are answered by those of
// active: that one, or the default where this process has not got it.
func (m *Models) For(active string) string {
	if m.Has(active) {
		return active
	}
	return m.Default()
}

// ErrUnknownModel says that the process has not got a model.
var ErrUnknownModel = errors.New("this process has not got the model")

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
// vectors of the latest questions. Errors: ErrUnknownModel, and as embed.Embedder.
func (m *Models) QueryAll(ctx context.Context, name string, texts []string) ([][]float32, error) {
	one, err := m.find(name)
	if err != nil {
		return nil, err
	}
	return one.questions.QueryAll(ctx, texts)
}

// Embed answers one vector of the norm 1 for each text. Errors: as QueryAll.
func (m *Models) Embed(ctx context.Context, name string, texts []string) ([][]float32, error) {
	one, err := m.find(name)
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	return one.Embed(ctx, texts)
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
