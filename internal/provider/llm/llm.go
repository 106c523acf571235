package llm

import (
	"context"
	"strconv"

	"docqa/internal/engine/doc"
)

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
	History     []Exchange // earlier questions of the conversation with their answers, the oldest first
	Passages    []Passage
	System      string  // the project's own instructions
	Tone        string  // empty: the model's default
	Language    string  // auto or a BCP 47 tag
	MaxTokens   int     // 1 to 4096
	Temperature float64 // 0 to 1
	Strict      bool    // say nothing that the passages do not say

	ContextTokens int // bound on the passages together; 0: as much as the model allows

	// Number returns the number that a marker shows for a passage; nil: the passage's own. A writer
	// calls it when the text with the marker is certain, in the order of the text.
	Number func(passage int) int
}

// Marker returns the marker of a passage, which is counted from 1.
func (r *Request) Marker(passage int) string {
	if r.Number != nil {
		passage = r.Number(passage)
	}
	return "[" + strconv.Itoa(passage) + "]"
}

// Exchange is an earlier question of a conversation.
type Exchange struct {
	Question string
	Answer   string // empty if it was not answered or is not known
}

// Passage is one numbered passage: the first of a request is [1].
type Passage struct {
	DocumentID  string
	Title       string
	HeadingPath []string
	Ordinal     int    // position in the document; neighbours have neighbouring ones
	Context     string // what the first block needs and stands before it: the header of a table, a term
	Text        string
	Marks       doc.Marks // the blocks of Text
	Score       float64   // relevance, 0 to 1
}

// Answer is what a model wrote.
type Answer struct {
	Text       string // with [n] markers; empty if Answered is false
	Citations  []Citation
	Answered   bool // whether the passages hold an answer
	Confidence float64
	Level      string // high, medium, low or none; empty if the model does not say
	Usage      Usage
	Stop       StopReason
}

// Citation says that a statement of an answer rests on a passage. An answer lists its citations
// in the order of its text; a statement that rests on two passages has two of them.
type Citation struct {
	Begin   int // first byte of the statement in Answer.Text
	End     int // byte after its last, its markers and its full stop included
	Passage int // from 1, in the order of the request

	// The place in the passage's text, in bytes, of what the statement quotes; -1 and -1 if it
	// quotes nothing.
	QuoteBegin int
	QuoteEnd   int
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
