package mainapi

import (
	"context"
	"net/http"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
)

// ChatAPI answers questions, as JSON and as streams.
//
// Source: main API section 4.3.
type ChatAPI struct {
	Answers *chat.Service
	Limits  *edge.Limits
	Clock   clock.Clock
}

// Chat answers a question of a key, an embed key or a share token.
func (c *ChatAPI) Chat(ctx context.Context, req *oas.ChatRequest) (oas.ChatResponse, error) {
	reply, err := c.ask(ctx, req, nil)
	if err != nil {
		return oas.ChatResponse{}, err
	}
	if reply.Kind == chat.KindLeadPrompt {
		return oas.NewChatLeadCapturePromptChatResponse(toAPILeadPrompt(&reply)), nil
	}
	return oas.NewChatAnswerChatResponse(toAPIChatAnswer(&reply, authn.Must(ctx))), nil
}

// DashboardChat answers a question of a signed-in member.
func (c *ChatAPI) DashboardChat(ctx context.Context, req *oas.ChatRequest, _ oas.DashboardChatParams) (*oas.DashboardChatAnswer, error) {
	reply, err := c.ask(ctx, req, nil)
	if err != nil {
		return nil, err
	}
	return &oas.DashboardChatAnswer{
		Answer: reply.Text, SessionID: reply.SessionID, ConversationID: reply.ConversationID, AssistantMessageID: reply.AnswerID,
		Sources: toAPISources(reply.Sources), SuggestedFollowUps: reply.FollowUps, Answered: reply.Answered(),
		Confidence: toAPIConfidence(reply.Level, reply.Confidence),
	}, nil
}

// ChatStream answers a question of a key, an embed key or a share token as a stream.
func (c *ChatAPI) ChatStream(ctx context.Context, req *oas.ChatRequest, w http.ResponseWriter) error {
	return c.stream(ctx, req, w)
}

// DashboardChatStream answers a question of a signed-in member as a stream.
func (c *ChatAPI) DashboardChatStream(ctx context.Context, req *oas.ChatRequest, _ oas.DashboardChatStreamParams, w http.ResponseWriter) error {
	return c.stream(ctx, req, w)
}

// RateAnswer stores a visitor's rating of an answer. A second rating replaces the first.
func (c *ChatAPI) RateAnswer(ctx context.Context, req *oas.FeedbackRequest) (*oas.FeedbackResult, error) {
	project, err := edge.Project(ctx)
	if err != nil {
		return nil, err
	}
	rated, err := c.Answers.Rate(ctx, project.CompanyID, &project, authn.Must(ctx), chat.Rating{
		ConversationID: req.ConversationID, MessageID: req.MessageID, VisitorID: req.VisitorID.Or(""), Value: string(req.Rating),
	})
	if err != nil {
		return nil, err
	}
	return &oas.FeedbackResult{
		Ok: true, MessageID: rated.MessageID, Rating: oas.FeedbackResultRating(rated.Value), RatedAt: timestamp(rated.At),
	}, nil
}

// stream answers a question as frames.
func (c *ChatAPI) stream(ctx context.Context, req *oas.ChatRequest, w http.ResponseWriter) error {
	out := edge.NewStream(w, chatFailure)
	return out.Run(ctx, func() error {
		sink := &chatSink{out: out}
		reply, err := c.ask(ctx, req, sink)
		if err == nil {
			sink.done(&reply, authn.Must(ctx))
		}
		return err
	})
}

func (c *ChatAPI) ask(ctx context.Context, req *oas.ChatRequest, sink chat.Sink) (chat.Reply, error) {
	project, err := edge.Project(ctx)
	if err != nil {
		return chat.Reply{}, err
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
