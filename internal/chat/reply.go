package chat

import (
	"docqa/internal/platform/column"
	"docqa/internal/provider/llm"
)

// Request is a question and the ids by which the caller names its conversation. Each
// id may be empty.
type Request struct {
	Question       string
	SessionID      string
	ConversationID string
	VisitorID      string

	// Earlier are the user's turns before, the oldest first, where the caller keeps the
	// conversation itself; they count in place of those that are stored.
	Earlier   []string
	MaxTokens int  // most tokens of the answer, within what the project allows; 0: that
	Plain     bool // the project's text in place of a prompt for contact details
}

// Exchange names a question and its answer.
type Exchange struct {
	ConversationID string
	SessionID      string
	VisitorID      string // empty on a fixture
	AnswerID       string // message id of the answer; empty on a fixture
}

// Kind says what a reply is.
type Kind string

// The kinds of replies; all but the fixture are stored with the message under this name.
const (
	KindAnswer     Kind = "answer"
	KindNoAnswer   Kind = "no_answer"           // the documents hold none: the project's text instead
	KindLeadPrompt Kind = "lead_capture_prompt" // the same, with a prompt for contact details
	KindFixture    Kind = "fixture"             // the reply to a test key
)

// Reply is what a question gets.
type Reply struct {
	Exchange
	Kind       Kind
	Text       string         // the answer, or the prompt
	Fields     []string       // what a prompt asks for
	Sources    column.Sources // never nil
	FollowUps  []string       // never nil
	Level      string         // of confidence: high, medium, low, none
	Confidence float64        // 0 to 1
	Usage      llm.Usage
	Stop       llm.StopReason
}

// Answered tells whether the documents held an answer.
func (r *Reply) Answered() bool { return r.Kind == KindAnswer }

// Sink takes a reply as it comes: Start, then Chunk any number of times, then Sources.
// A lead capture prompt calls Start alone, a fixture leaves Start out. Methods do not
// fail: a listener that has left does not end the answer.
type Sink interface {
	Start(e Exchange)
	Chunk(text string)
	Sources(s column.Sources)
}
