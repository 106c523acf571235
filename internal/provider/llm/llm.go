package llm

import "context"

// Model writes answers. Implementations are safe for concurrent use.
//
// Errors: ProviderFailed and Timeout (apperr) for a model outside of the process.
type Model interface {
	// Complete returns the whole answer.
	Complete(ctx context.Context, r Request) (Answer, error)
	// Stream passes the text to emit in fragments and returns the whole answer. It emits
	// nothing if the passages hold no answer. An error of emit ends the stream.
	Stream(ctx context.Context, r Request, emit func(fragment string) error) (Answer, error)
}

// Request is a question with the passages that may answer it.
type Request struct {
	Model       string // public id of the catalog
	Question    string
	History     []string // the user's earlier questions, the oldest first
	Passages    []Passage
	System      string  // the project's own instructions
	Tone        string  // empty: the model's default
	Language    string  // auto or a BCP 47 tag
	MaxTokens   int     // 1 to 4096
	Temperature float64 // 0 to 1
	Strict      bool    // say nothing that the passages do not say

	ContextTokens int // bound on the passages together; 0: as much as the model allows
}

// Passage is one numbered passage: the first of a request is [1].
type Passage struct {
	DocumentID  string
	Title       string
	HeadingPath []string
	Ordinal     int // position in the document; neighbours have neighbouring ones
	Text        string
	Score       float64 // relevance, 0 to 1
}

// Answer is what a model wrote.
type Answer struct {
	Text       string // with [n] markers; empty if Answered is false
	Answered   bool   // whether the passages hold an answer
	Confidence float64
	Level      string   // high, medium, low or none; empty if the model does not say
	FollowUps  []string // questions that the passages also answer
	Usage      Usage
	Stop       StopReason
}

// StopReason says why an answer ended, according to the model or its provider. The zero value
// means Finished.
type StopReason string

// The reasons, with the values of OpenAI's protocol.
const (
	Finished  StopReason = "stop"           // the model ended its answer
	MaxLength StopReason = "length"         // MaxTokens was reached, or the end of the model's context
	Filtered  StopReason = "content_filter" // the provider or the model refused to continue
)

// Usage holds the tokens that an answer used.
type Usage struct {
	PromptTokens     int
	CompletionTokens int
}
