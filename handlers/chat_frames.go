package handlers

import (
	"docqa/gen/mainapi"
	"docqa/internal/authn"
	"docqa/internal/chat"
	"docqa/internal/records"
)

// The frames of a streamed answer, in the order in which they come: start, chunk any
// number of times, sources once, done; or start, lead_capture_prompt, done; and error
// in place of whatever would have come.

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
	Type    string                   `json:"type"`
	Sources []mainapi.CitationSource `json:"sources"`
}

type endFrame struct {
	Type               string              `json:"type"`
	ConversationID     string              `json:"conversationId"`
	SessionID          string              `json:"sessionId"`
	VisitorID          string              `json:"visitorId,omitempty"`
	AssistantMessageID string              `json:"assistantMessageId,omitempty"`
	SuggestedFollowUps []string            `json:"suggestedFollowUps"`
	Answered           *bool               `json:"answered,omitempty"`
	Confidence         *mainapi.Confidence `json:"confidence,omitempty"`
	Usage              *mainapi.Usage      `json:"usage,omitempty"`
}

type errorFrame struct {
	Type  string `json:"type"`
	Error string `json:"error"`
	Code  string `json:"code"`
}

// chatSink writes a reply as frames, as it comes.
type chatSink struct{ out *frames }

// Start writes the ids before the answer.
func (s chatSink) Start(e chat.Exchange) {
	s.out.send(startFrame{
		Type: "start", ConversationID: e.ConversationID, SessionID: e.SessionID, VisitorID: e.VisitorID, AssistantMessageID: e.AnswerID,
	})
}

// Chunk writes the next part of the answer.
func (s chatSink) Chunk(text string) { s.out.send(chunkFrame{Type: "chunk", Text: text}) }

// Sources writes what the answer rests on.
func (s chatSink) Sources(list records.Sources) {
	s.out.send(sourcesFrame{Type: "sources", Sources: toAPISources(list)})
}

func leadFrame(r *chat.Reply) *mainapi.ChatLeadCapturePrompt {
	prompt := toAPILeadPrompt(r)
	return &prompt
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
