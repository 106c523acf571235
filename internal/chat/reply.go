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

	// Earlier are the user's earlier turns with their answers, the oldest first, if the caller
	// keeps the conversation itself. They count in addition to the stored ones.
	Earlier   []llm.Exchange
	MaxTokens int  // limit of the answer's tokens; 0 or more than the project's limit: the project's
	Plain     bool // never prompt for contact details: the project's no-answer text instead
}

// ExchangeIDs are the ids of a question and its answer.
type ExchangeIDs struct {
	ConversationID string
	SessionID      string
	VisitorID      string // empty for a test key
	AnswerID       string // message id of the answer; empty for a test key
}

// Kind says what a reply is.
type Kind string

// The kinds of replies; all but KindFixture and KindCourtesy are stored with the message under this name.
const (
	KindAnswer     Kind = "answer"
	KindNoAnswer   Kind = "no_answer"           // the documents hold no answer: the project's text
	KindLeadPrompt Kind = "lead_capture_prompt" // the same, with a prompt for contact details
	KindFixture    Kind = "fixture"             // the reply to a test key
	KindCourtesy   Kind = "courtesy"            // the reply to "hi", "thanks" and the like
)

// Reply is the reply to a question.
type Reply struct {
	ExchangeIDs
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

// Answered tells whether the documents held an answer. A courtesy asks nothing of them, so none
// is missing.
func (r *Reply) Answered() bool { return r.Kind == KindAnswer || r.Kind == KindCourtesy }

// Sink receives a reply as it comes: Start, then Chunk any number of times, then Sources.
// For a lead capture prompt only Start is called; for a test key Start is not. The methods
// do not fail: a reader that has left does not stop the answer.
type Sink interface {
	Start(e ExchangeIDs)
	Chunk(text string)
	Sources(s column.Sources)
}
