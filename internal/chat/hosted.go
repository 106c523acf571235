package chat

import (
	"context"
	"fmt"

	"docqa/internal/engine/answer"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm"
)

// Hosted returns a writer that calls a model of another service. If the model gives no follow-up
// questions, they come from the built-in writer's answer from the same passages.
func Hosted(m llm.Model) Writer { return hosted{m} }

type hosted struct{ model llm.Model }

// Write has the model write. The built-in writer works while the model is waited for.
func (h hosted) Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	extracted := make(chan extract, 1)
	go func() { extracted <- extractBeside(&t) }()
	a, err := h.write(ctx, t, emit)
	if err != nil || !a.Answered || len(a.FollowUps) > 0 {
		return a, err
	}
	e := <-extracted
	if e.err != nil {
		return llm.Answer{}, e.err
	}
	a.FollowUps = e.FollowUps
	return a, nil
}

// extract is an answer of the built-in writer.
type extract struct {
	answer.Answer

	err error
}

// extractBeside composes an answer in a goroutine of its own, whose panic would end the process.
func extractBeside(t *Task) (e extract) {
	defer func() {
		if p := recover(); p != nil {
			e.err = fmt.Errorf("compose follow-up questions: %v", p)
		}
	}()
	e.Answer, e.err = composeExtract(t, answer.Options{})
	return e
}

func (h hosted) write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
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
