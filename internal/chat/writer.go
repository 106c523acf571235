package chat

import (
	"context"

	"docqa/internal/engine/lexical"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// Task is what a writer is given.
type Task struct {
	llm.Request
	Words *lexical.Question // the question as the search weighed it
	Found []search.Passage  // the passages as the search scored them, in the order of the request
}

// Writer writes answers. Implementations are safe for concurrent use.
type Writer interface {
	// Write answers a task. Where emit is set it gets the text in fragments as they
	// come, and nothing where the passages hold no answer; no marker is cut in two.
	Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error)
}
