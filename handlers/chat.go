package handlers

import (
	"context"
	"net/http"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/gen/mainapi"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
)

// ChatAPI answers questions, as JSON and as streams.
//
// Source: main API section 4.3.
type ChatAPI struct {
	Answers *chat.Service
	Limits  *Limits
	Clock   clock.Clock
	After   func(d time.Duration, f func()) Alarm // for the pings of silent streams; nil: time.AfterFunc
}

// Chat answers a question of a key, an embed key or a share token.
func (c *ChatAPI) Chat(ctx context.Context, req *mainapi.ChatRequest) (mainapi.ChatResponse, error) {
	reply, err := c.ask(ctx, req, nil)
	if err != nil {
		return mainapi.ChatResponse{}, err
	}
	if reply.Kind == chat.KindLeadPrompt {
		return mainapi.NewChatLeadCapturePromptChatResponse(toAPILeadPrompt(&reply)), nil
	}
	return mainapi.NewChatAnswerChatResponse(toAPIChatAnswer(&reply, authn.Must(ctx))), nil
}

// DashboardChat answers a question of a signed-in member.
func (c *ChatAPI) DashboardChat(ctx context.Context, req *mainapi.ChatRequest, _ mainapi.DashboardChatParams) (*mainapi.DashboardChatAnswer, error) {
	reply, err := c.ask(ctx, req, nil)
	if err != nil {
		return nil, err
	}
	return &mainapi.DashboardChatAnswer{
		Answer: reply.Text, SessionID: reply.SessionID, ConversationID: reply.ConversationID, AssistantMessageID: reply.AnswerID,
		Sources: toAPISources(reply.Sources), SuggestedFollowUps: reply.FollowUps, Answered: reply.Answered(),
		Confidence: toAPIConfidence(reply.Level, reply.Confidence),
	}, nil
}

// ChatStream answers a question of a key, an embed key or a share token as a stream.
func (c *ChatAPI) ChatStream(ctx context.Context, req *mainapi.ChatRequest, w http.ResponseWriter) error {
	return c.stream(ctx, req, w)
}

// DashboardChatStream answers a question of a signed-in member as a stream.
func (c *ChatAPI) DashboardChatStream(ctx context.Context, req *mainapi.ChatRequest, _ mainapi.DashboardChatStreamParams, w http.ResponseWriter) error {
	return c.stream(ctx, req, w)
}

// RateAnswer keeps what a visitor thinks of an answer.
func (c *ChatAPI) RateAnswer(ctx context.Context, req *mainapi.FeedbackRequest) (*mainapi.FeedbackResult, error) {
	project, ok := projectFrom(ctx)
	if !ok {
		return nil, apperr.NotFound()
	}
	rated, err := c.Answers.Rate(ctx, project.CompanyID, &project, authn.Must(ctx), chat.Rating{
		ConversationID: req.ConversationID, MessageID: req.MessageID, VisitorID: req.VisitorID.Or(""), Value: string(req.Rating),
	})
	if err != nil {
		return nil, err
	}
	return &mainapi.FeedbackResult{
		Ok: true, MessageID: rated.MessageID, Rating: mainapi.FeedbackResultRating(rated.Value), RatedAt: timestamp(rated.At),
	}, nil
}

// stream answers as frames.
func (c *ChatAPI) stream(ctx context.Context, req *mainapi.ChatRequest, w http.ResponseWriter) error {
	out := newFrames(w, c.After, chatFailure)
	return out.run(ctx, func() error {
		sink := &chatSink{out: out}
		reply, err := c.ask(ctx, req, sink)
		if err == nil {
			sink.done(&reply, authn.Must(ctx))
		}
		return err
	})
}

func (c *ChatAPI) ask(ctx context.Context, req *mainapi.ChatRequest, sink chat.Sink) (chat.Reply, error) {
	project, ok := projectFrom(ctx)
	if !ok {
		return chat.Reply{}, apperr.NotFound()
	}
	return c.answer(ctx, &project, chat.Request{
		Question: req.Question, SessionID: req.SessionID.Or(""), ConversationID: req.ConversationID.Or(""), VisitorID: req.VisitorID.Or(""),
	}, sink)
}

func (c *ChatAPI) answer(ctx context.Context, project *dbsqlc.Project, r chat.Request, sink chat.Sink) (chat.Reply, error) {
	caller := authn.Must(ctx)
	if caller.FromBrowser() && r.VisitorID != "" {
		if err := c.Limits.Visitor(ctx, project.ProjectID, r.VisitorID); err != nil {
			return chat.Reply{}, err
		}
	}
	return c.Answers.Ask(ctx, project.CompanyID, project, caller, r, sink)
}
