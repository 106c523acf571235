package chat

import (
	"context"

	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm"
)

// Hosted returns a writer that leaves the answer to a model outside of the process.
// Confidence and follow-up questions that the model does not give come from the
// built-in judgement of the same passages.
func Hosted(m llm.Model) Writer { return hosted{m} }

type hosted struct{ model llm.Model }

func (h hosted) Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	a, err := h.write(ctx, t, emit)
	if err != nil || !a.Answered || a.Level != "" {
		return a, err
	}
	judged, err := compose(&t)
	if err != nil {
		return llm.Answer{}, err
	}
	a.Level, a.Confidence = judged.Level, judged.Confidence
	if !judged.Answered {
		a.Level = "low"
	}
	if len(a.FollowUps) == 0 {
		a.FollowUps = judged.FollowUps
	}
	return a, nil
}

func (h hosted) write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	if emit == nil {
		return h.model.Complete(ctx, t.Request)
	}
	return h.model.Stream(ctx, t.Request, func(fragment string) error { emit(fragment); return nil })
}

// ByModel returns a writer that has each task's model write it; writers hold them by
// their public ids. A model that is none of them (a project may name one that has left
// the catalog) is ProviderFailed.
func ByModel(writers map[string]Writer) Writer { return byModel(writers) }

type byModel map[string]Writer

func (b byModel) Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	w, ok := b[t.Model]
	if !ok {
		return llm.Answer{}, apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the project's model is not available")
	}
	return w.Write(ctx, t, emit)
}
