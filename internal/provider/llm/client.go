package llm

import "context"

// Client calls one model by the API of its provider. It knows nothing of passages and makes
// one attempt. Implementations are safe for concurrent use.
type Client interface {
	// Stream sends p and calls emit with each fragment of the text when it arrives. The call
	// ends when ctx ends. Errors: *wire.Error, and what emit returns.
	Stream(ctx context.Context, p Prompt, emit func(fragment string) error) (Ending, error)
}

// Ending is what a provider says about an answer when it has ended.
type Ending struct {
	Usage Usage // zero if the provider does not count
	Stop  StopReason
}

// Prompt is what a client sends.
type Prompt struct {
	System      string
	User        string
	MaxTokens   int
	Temperature *float64 // nil: the model's default
}
