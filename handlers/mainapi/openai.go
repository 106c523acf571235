package mainapi

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/provider/llm"
)

// CreateOpenAIChatCompletion answers a question in the protocol of OpenAI's chat
// completions. Each call starts a new conversation: in this protocol, the caller keeps
// the earlier messages and sends them along.
func (c *ChatAPI) CreateOpenAIChatCompletion(ctx context.Context, req *oas.OpenAIChatRequest, w http.ResponseWriter) error {
	project, err := edge.Project(ctx)
	if err != nil {
		return err
	}
	r, err := fromAPICompletion(req)
	if err != nil {
		return err
	}
	head := completionHead{Created: c.Clock.Now().Unix(), Model: project.ChatModelArn}
	if req.Stream.Value {
		sink := &completionSink{out: edge.NewStream(w, completionFailure), head: head}
		return c.streamCompletion(ctx, &project, r, sink, req.StreamOptions.Value.IncludeUsage.Value)
	}
	reply, err := c.answer(ctx, &project, r, nil)
	if err != nil {
		return err
	}
	return writeJSON(w, toAPICompletion(head, &reply))
}

// streamCompletion writes the answer as chunks. With usage, the last chunk holds the usage.
func (c *ChatAPI) streamCompletion(ctx context.Context, project *dbsqlc.Project, r chat.Request, sink *completionSink, usage bool) error {
	return sink.out.Run(ctx, func() error {
		reply, err := c.answer(ctx, project, r, sink)
		if err == nil {
			sink.done(&reply, usage)
		}
		return err
	})
}

// fromAPICompletion reads the question from the last message, and its context from the earlier
// messages of the user and the answers to them. It fails if the last message is not a user's or is empty.
func fromAPICompletion(req *oas.OpenAIChatRequest) (chat.Request, error) {
	r := chat.Request{VisitorID: req.User.Value, MaxTokens: req.MaxCompletionTokens.Or(req.MaxTokens.Value), Plain: true}
	last := len(req.Messages) - 1
	for i := range req.Messages {
		m := &req.Messages[i]
		switch text := completionText(m); {
		case i == last && m.Role == oas.OpenAIMessageRoleUser:
			r.Question = text
		case m.Role == oas.OpenAIMessageRoleUser && text != "":
			r.Earlier = append(r.Earlier, llm.Exchange{Question: text})
		case m.Role == oas.OpenAIMessageRoleAssistant && len(r.Earlier) > 0:
			r.Earlier[len(r.Earlier)-1].Answer = text
		}
	}
	if r.Question == "" {
		return r, apperr.Validation("/messages", "the last one must be the user's question")
	}
	return r, nil
}

func completionText(m *oas.OpenAIMessage) string {
	var text strings.Builder
	text.WriteString(m.Content.String)
	for _, part := range m.Content.OpenAITextPartArray {
		text.WriteString(part.Text)
	}
	return strings.TrimSpace(text.String())
}

// completionHead holds the first members of every object of an answer.
type completionHead struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	Model   string `json:"model"`
}

// completion is an answer, or a chunk of one, in the protocol of OpenAI. Empty members are
// left out.
type completion struct {
	completionHead
	Choices        []completionChoice    `json:"choices"`
	Usage          *completionUsage      `json:"usage,omitempty"`
	ConversationID string                `json:"conversationId,omitempty"`
	Answered       *bool                 `json:"answered,omitempty"`
	Sources        *[]oas.CitationSource `json:"sources,omitempty"`
}

type completionChoice struct {
	Index        int                `json:"index"`
	Message      *completionMessage `json:"message,omitempty"`
	Delta        *completionMessage `json:"delta,omitempty"`
	FinishReason *string            `json:"finish_reason"`
}

type completionMessage struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

type completionUsage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func toAPICompletion(head completionHead, r *chat.Reply) completion {
	head.ID, head.Object = completionID(r.AnswerID), "chat.completion"
	c := completion{completionHead: head, Choices: []completionChoice{{
		Message: &completionMessage{Role: "assistant", Content: &r.Text}, FinishReason: finishReason(r),
	}}, Usage: toAPICompletionUsage(r)}
	c.conclude(r)
	return c
}

// conclude adds the members that the protocol does not have.
func (c *completion) conclude(r *chat.Reply) {
	sources := toAPISources(r.Sources)
	c.ConversationID, c.Answered, c.Sources = r.ConversationID, new(r.Answered()), &sources
}

// completionID returns the id of an answer. The fixed answer of a test key has none: it
// gets a new id.
func completionID(answerID string) string {
	if answerID == "" {
		return ids.New(ids.Message)
	}
	return answerID
}

// finishReason returns why the model ended the answer.
func finishReason(r *chat.Reply) *string {
	return new(string(cmp.Or(r.Stop, llm.Finished)))
}

func toAPICompletionUsage(r *chat.Reply) *completionUsage {
	u := r.Usage
	return &completionUsage{PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens, TotalTokens: u.PromptTokens + u.CompletionTokens}
}

// completionSink writes an answer as chunks while it is made.
type completionSink struct {
	out  *edge.Stream
	head completionHead
}

// Start writes the first chunk, which holds the role and no text.
func (s *completionSink) Start(e chat.ExchangeIDs) {
	s.head.ID, s.head.Object = completionID(e.AnswerID), "chat.completion.chunk"
	s.send(&completionMessage{Role: "assistant", Content: new("")}, nil, nil)
}

// Chunk writes the next part of the answer.
func (s *completionSink) Chunk(text string) {
	if s.head.ID == "" { // the fixed answer of a test key comes without a call of Start
		s.Start(chat.ExchangeIDs{})
	}
	s.send(&completionMessage{Content: &text}, nil, nil)
}

// Sources writes nothing: the last chunk holds the sources.
func (s *completionSink) Sources(column.Sources) {}

func (s *completionSink) done(r *chat.Reply, usage bool) {
	s.send(&completionMessage{}, finishReason(r), r)
	if usage {
		s.out.Send("", completion{completionHead: s.head, Choices: []completionChoice{}, Usage: toAPICompletionUsage(r)})
	}
	s.out.Line("", []byte("[DONE]"))
}

func (s *completionSink) send(delta *completionMessage, finish *string, r *chat.Reply) {
	c := completion{completionHead: s.head, Choices: []completionChoice{{Delta: delta, FinishReason: finish}}}
	if r != nil {
		c.conclude(r)
	}
	s.out.Send("", c)
}

// completionFailure makes the last frame of a stream that failed. It has the form of an
// ordinary error body.
func completionFailure(e *apperr.Error) (id string, frame any) {
	return "", edge.ErrorBody{Error: e.Message, Code: string(e.Code)}
}

func writeJSON(w http.ResponseWriter, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(data) // a reader that has left is no error
	return nil
}
