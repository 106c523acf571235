package chat

import (
	"context"

	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm"
)

// Hosted returns a writer that calls a model of another service.
func Hosted(m llm.Model) Writer { return hosted{m} }

type hosted struct{ model llm.Model }

func (h hosted) Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	if emit == nil {
		return h.model.Complete(ctx, t.Request)
	}
	return h.model.Stream(ctx, t.Request, func(fragment string) error { emit(fragment); return nil })
}

// ByModel returns a writer that passes each task to the writer of its model; the keys of
// writers are the public ids of models. Error: ProviderFailed if there is no such model: a
// project may name one that was removed from the catalog.
func ByModel(writers map[string]Writer) Writer { return byModel(writers) }

type byModel map[string]Writer

func (b byModel) Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	w, ok := b[t.Model]
	if !ok {
		return llm.Answer{}, apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the project's model is not available")
	}
	return w.Write(ctx, t, emit)
}
