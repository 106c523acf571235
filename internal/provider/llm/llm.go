package llm

import "context"

// Model writes answers. Implementations are safe for concurrent use.
//
// Errors: ProviderFailed and Timeout (apperr) for a model outside of the process.
type Model interface {
	// Complete answers at once.
	Complete(ctx context.Context, r Request) (Answer, error)
	// Stream hands over the text in fragments and returns the whole of it. Nothing is
	// emitted where the passages hold no answer; an error of emit ends the stream.
	Stream(ctx context.Context, r Request, emit func(fragment string) error) (Answer, error)
}

// Request is a question with the passages that may answer it.
type Request struct {
	Model       string // public id of the catalog
	Question    string
	History     []string // the user's earlier turns, the oldest first
	Passages    []Passage
	System      string  // the project's own instructions
	Tone        string  // empty: the model's own
	Language    string  // auto or a BCP 47 tag
	MaxTokens   int     // 1 to 4096
	Temperature float64 // 0 to 1
	Strict      bool    // nothing but what the passages say

	ContextTokens int // of the passages together; 0: as the model allows
}

// Passage is one numbered passage: the first of a request is [1].
type Passage struct {
	DocumentID  string
	Title       string
	HeadingPath []string
	Ordinal     int // place in the document; neighbours have neighbouring ones
	Text        string
	Score       float64 // relevance, 0 to 1
}

// Answer is what a model wrote.
type Answer struct {
	Text       string // with [n] markers; empty where Answered is false
	Answered   bool   // whether the passages hold an answer
	Confidence float64
	Level      string   // high, medium, low or none; empty if the model does not tell
	FollowUps  []string // questions that the passages answer too
	Usage      Usage
	Stop       StopReason
}

// StopReason says why an answer ended, as the model or its provider tells; the zero value
// stands for Finished.
type StopReason string

// The reasons, in the words of OpenAI's protocol.
const (
	Finished  StopReason = "stop"           // the model had said it all
	MaxLength StopReason = "length"         // at MaxTokens, or at the end of the model's context
	Filtered  StopReason = "content_filter" // the provider, or the model itself, refused to go on
)

// Usage are the tokens that an answer took.
type Usage struct {
	PromptTokens     int
	CompletionTokens int
}
