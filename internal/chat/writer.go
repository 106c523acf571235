package chat

import (
	"context"

	"docqa/internal/engine/lexical"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// Task is a question with the passages to answer it from.
type Task struct {
	llm.Request
	Asked string            // the question as the search understood it: whole and without spelling mistakes; empty: as it was typed
	Words *lexical.Question // Asked as the search weighed it
	Found []search.Passage  // the passages as the search scored them, in the order of the request

	// Threshold is the project's: an answer with a lower confidence is refused. Nil: the writer's own.
	Threshold *float64
}

// Writer writes answers. Implementations are safe for concurrent use.
type Writer interface {
	// Write answers a task. If emit is set, it gets the text in fragments as they come, and
	// nothing if the passages hold no answer. No marker is cut in two.
	Write(ctx context.Context, t Task, emit func(fragment string)) (llm.Answer, error)
}
