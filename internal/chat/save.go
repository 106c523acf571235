package chat

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
)

// previewLength is how many characters of the first question a list shows.
const previewLength = 300

// save stores the question and its reply and counts the message, in one transaction and
// normally one round trip. It repeats the statement in two cases. If other questions have
// used up the shard of the quota meanwhile, it tries another shard; if all are used up,
// nothing is stored. If a document of the passages was deleted meanwhile, the reply loses
// its sources of that document and its follow-up questions.
func (s *Service) save(ctx context.Context, x *exchange, reply *Reply) error {
	t := &x.thread
	row := s.storeParams(x, reply)
	for {
		shard, ok := t.quota.shard()
		if !ok {
			return t.quota.exceeded()
		}
		row.Shard, row.Share = int16(shard), int32(t.quota.share(shard))
		row.DocumentIds, row.Sources, row.SuggestedFollowUps = t.documents, reply.Sources, reply.FollowUps
		done, err := dbsqlc.New().ExchangeStore(ctx, s.store.Pool(), row)
		switch {
		case err != nil:
			return fmt.Errorf("store exchange in project %s: %w", x.project.ProjectID, err)
		case done.Stored:
			return nil
		case len(done.There) < len(t.documents):
			reply.Sources, reply.FollowUps, t.documents = reply.Sources.Redacted(done.There), []string{}, done.There
			continue
		}
		if err := t.quota.read(ctx, s.store, x.companyID); err != nil {
			return err
		}
	}
}

// storeParams returns the parameters of ExchangeStore that stay the same when it is repeated.
func (s *Service) storeParams(x *exchange, reply *Reply) dbsqlc.ExchangeStoreParams {
	channel, source := origin(x.caller)
	return dbsqlc.ExchangeStoreParams{
		CompanyID: x.companyID, ProjectID: x.project.ProjectID, Month: x.thread.quota.month,
		ConversationID: x.thread.ConversationID, SessionID: x.thread.SessionID, VisitorID: x.thread.VisitorID, Channel: channel, Source: source,
		Preview: preview(x.request.Question), AskedAt: x.askedAt, AnsweredAt: s.clock.Now(), QuestionID: x.thread.questionID,
		Question: x.request.Question, AnswerID: x.thread.AnswerID, Answer: reply.Text, Kind: new(string(reply.Kind)),
		ConfidenceLevel: &reply.Level, ConfidenceScore: new(float32(reply.Confidence)), Model: &x.project.ChatModelArn,
		PromptTokens: new(int32(reply.Usage.PromptTokens)), CompletionTokens: new(int32(reply.Usage.CompletionTokens)),
	}
}

// origin returns the channel and the source that a question is stored with.
//
// Gap: channel and source; decided in docs/decisions.md#conversations.
func origin(caller authn.Principal) (channel, source string) {
	switch caller.Kind {
	case authn.KindUser:
		return "dashboard", "frontend"
	case authn.KindEmbed, authn.KindShare:
		return "public", "frontend"
	case authn.KindKey, authn.KindRagService, authn.KindAnonymous:
		return "public", "api_key"
	}
	return "public", "api_key"
}

// preview returns the beginning of a question as a list shows it.
func preview(question string) string {
	runes := []rune(question)
	if len(runes) <= previewLength {
		return question
	}
	return string(runes[:previewLength-1]) + "…"
}
