package llm

import "context"

// Client speaks one provider's API for one of its models. It knows nothing of passages
// and makes one attempt. Implementations are safe for concurrent use.
type Client interface {
	// Stream sends p and calls emit with each fragment of the text as it comes. The end of
	// ctx ends the call. Errors: *wire.Error, and what emit returns.
	Stream(ctx context.Context, p Prompt, emit func(fragment string) error) (Ending, error)
}

// Ending is what a provider says of an answer when it has ended.
type Ending struct {
	Usage Usage // zero where the provider does not count
	Stop  StopReason
}

// Prompt is what a client sends.
type Prompt struct {
	System      string
	User        string
	MaxTokens   int
	Temperature *float64 // nil: the model's own
}
