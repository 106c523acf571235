package llm

import (
	"context"
	"fmt"
	"time"
)

// Client speaks one provider's API for one of its models. It knows nothing of passages
// and does not repeat what failed. Implementations are safe for concurrent use.
type Client interface {
	// Stream sends p and hands the text over in fragments as they come. The end of ctx
	// ends the call. Errors: *ProviderError, and what emit returns.
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

// ProviderError is a provider's failure. It may hold the beginning of what the
// provider answered, for the log, and no credential.
type ProviderError struct {
	Status     int           // HTTP; 0: no answer came, or it broke off
	Temporary  bool          // the same call may do better later
	RetryAfter time.Duration // what the provider asks for; 0: nothing
	Err        error
}

// Error describes the failure for the log.
func (e *ProviderError) Error() string {
	if e.Status == 0 {
		return "model provider: " + e.Err.Error()
	}
	return fmt.Sprintf("model provider: status %d: %v", e.Status, e.Err)
}

// Unwrap returns the cause.
func (e *ProviderError) Unwrap() error { return e.Err }
