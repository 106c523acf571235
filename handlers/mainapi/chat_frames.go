package mainapi

import (
	"strconv"
	"unicode/utf8"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
)

// The frames of a streamed answer, in their order: start, chunk any number of times,
// sources once, done; or start, lead_capture_prompt, done. A frame error may replace the
// next frame at any place; it is then the last one.
//
// The id of a frame says how much of the answer the reader has: the number of code points
// sent so far, or the name of a frame after which no text comes. With it an answer can be
// resumed from what is stored, also if the rest comes in other frames than the first time.

// The ids of frames after which no text comes.
const (
	idSources = "sources" // also the id of a lead capture prompt
	idDone    = "done"
	idError   = "error"
)

type startFrame struct {
	Type               string `json:"type"`
	ConversationID     string `json:"conversationId"`
	SessionID          string `json:"sessionId"`
	VisitorID          string `json:"visitorId,omitempty"`
	AssistantMessageID string `json:"assistantMessageId,omitempty"`
}

type chunkFrame struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type sourcesFrame struct {
	Type    string               `json:"type"`
	Sources []oas.CitationSource `json:"sources"`
}

type endFrame struct {
	Type               string          `json:"type"`
	ConversationID     string          `json:"conversationId"`
	SessionID          string          `json:"sessionId"`
	VisitorID          string          `json:"visitorId,omitempty"`
	AssistantMessageID string          `json:"assistantMessageId,omitempty"`
	SuggestedFollowUps []string        `json:"suggestedFollowUps"`
	Answered           *bool           `json:"answered,omitempty"`
	Confidence         *oas.Confidence `json:"confidence,omitempty"`
	Usage              *oas.Usage      `json:"usage,omitempty"`
}

// chatSink writes a reply as frames while it is made.
type chatSink struct {
	out *edge.Stream
	at  int // code points of the answer sent
}

// Start writes the frame with the ids of the exchange.
func (s *chatSink) Start(e chat.ExchangeIDs) {
	s.out.Send("0", startFrame{
		Type: "start", ConversationID: e.ConversationID, SessionID: e.SessionID, VisitorID: e.VisitorID, AssistantMessageID: e.AnswerID,
	})
}

// Chunk writes the next part of the answer.
func (s *chatSink) Chunk(text string) {
	s.at += utf8.RuneCountInString(text)
	s.out.Send(strconv.Itoa(s.at), chunkFrame{Type: "chunk", Text: text})
}

// Sources writes the sources that the answer cites.
func (s *chatSink) Sources(list column.Sources) {
	s.out.Send(idSources, sourcesFrame{Type: "sources", Sources: toAPISources(list)})
}

// done writes the last frames of the stream.
func (s *chatSink) done(r *chat.Reply, caller authn.Principal) {
	if r.Kind == chat.KindLeadPrompt {
		prompt := toAPILeadPrompt(r)
		s.out.Send(idSources, &prompt)
	}
	s.out.Send(idDone, doneFrame(r, caller))
}

// chatFailure is the frame of an error.
func chatFailure(e *apperr.Error) (id string, frame any) {
	return idError, edge.NewErrorFrame(e)
}

func doneFrame(r *chat.Reply, caller authn.Principal) endFrame {
	f := endFrame{
		Type: "done", ConversationID: r.ConversationID, SessionID: r.SessionID, VisitorID: r.VisitorID,
		AssistantMessageID: r.AnswerID, SuggestedFollowUps: r.FollowUps,
	}
	if r.Kind == chat.KindFixture {
		return f
	}
	confidence := toAPIConfidence(r.Level, r.Confidence)
	f.Answered, f.Confidence = new(r.Answered()), &confidence
	if usage, ok := toAPIUsage(r, caller); ok {
		f.Usage = &usage
	}
	return f
}
