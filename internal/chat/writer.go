package chat

import (
	"context"

	"docqa/internal/engine/lexical"
	"docqa/internal/provider/llm"
)

// Task is what a writer is given.
type Task struct {
	llm.Request
	Words *lexical.Question // the question as the search weighed it
}

// Writer writes answers. Implementations are safe for concurrent use.
type Writer interface {
	// Write answers a task. Where emit is set it gets the text in fragments as they
	// come, and nothing where the passages hold no answer.
	Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error)
}

// Hosted returns a writer that leaves the answer to a model outside of the process.
func Hosted(m llm.Model) Writer { return hosted{m} }

type hosted struct{ model llm.Model }

func (h hosted) Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	if emit == nil {
		return h.model.Complete(ctx, t.Request)
	}
	return h.model.Stream(ctx, t.Request, func(fragment string) error { emit(fragment); return nil })
}
