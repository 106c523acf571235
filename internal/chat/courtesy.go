package chat

import (
	"context"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/remark"
	"docqa/internal/platform/column"
	"docqa/internal/search"
)

// returnCourtesy answers a message that asks nothing. It keeps the ids of the conversation, and
// neither stores nor counts the message. Error: Forbidden (company_suspended).
//
// Gap: messages without a question; decided in docs/decisions.md#messages-without-a-question.
func (s *Service) returnCourtesy(ctx context.Context, x *exchange, c remark.Courtesy, sink Sink) (Reply, error) {
	o := s.opening(ctx, x)
	if err := s.send(ctx, o, x); err != nil {
		return Reply{}, err
	}
	reply := courtesyReply(x.project, c)
	reply.ExchangeIDs = exchangeIDs(&o.row, x.caller, o.visitor)
	if sink != nil {
		sink.Start(reply.ExchangeIDs)
		sink.Chunk(reply.Text)
		sink.Sources(reply.Sources)
	}
	return reply, nil
}

// courtesyResult is the answer to a stateless message that asks nothing.
func courtesyResult(project *dbsqlc.Project, c remark.Courtesy, l Listener) PreviewResult {
	reply := courtesyReply(project, c)
	if l != nil {
		l.Found([]search.Passage{})
		l.Chunk(reply.Text)
	}
	return PreviewResult{Reply: reply}
}

// courtesyReply returns the reply to a message that asks nothing: to a greeting the project's
// own welcome message if it has one, else a sentence of the service.
func courtesyReply(project *dbsqlc.Project, c remark.Courtesy) Reply {
	text := c.Reply(project.Settings.Prompt.AnswerLanguage)
	welcome := project.Widget.WelcomeMessage
	if c.Kind == remark.Greeting && welcome != "" && welcome != column.DefaultWidget().WelcomeMessage {
		text = welcome
	}
	return Reply{Kind: KindCourtesy, Text: text, Level: "none", Sources: column.Sources{}, FollowUps: []string{}}
}
