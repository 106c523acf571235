package chat

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
)

// previewLength is how many characters of the first question a list shows.
const previewLength = 300

// save stores the exchange and counts it. One round trip, one transaction; more only
// at the end of the quota: other questions may have taken the shard's last message in the
// meantime, or the month's, and then nothing is stored. And where a document of the passages
// was deleted in the meantime: the reply loses what it tells of it, but for its own text.
func (s *Service) save(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, t *thread, question string,
	asked time.Time, reply *Reply,
) error {
	channel, source := origin(caller)
	row := dbsqlc.ExchangeStoreParams{
		CompanyID: companyID, ProjectID: project.ProjectID, Month: t.quota.month,
		ConversationID: t.ConversationID, SessionID: t.SessionID, VisitorID: t.VisitorID, Channel: channel, Source: source,
		Preview: preview(question), AskedAt: asked, AnsweredAt: s.clock.Now(), QuestionID: t.questionID, Question: question,
		AnswerID: t.AnswerID, Answer: reply.Text, Kind: new(string(reply.Kind)), ConfidenceLevel: &reply.Level,
		ConfidenceScore: new(float32(reply.Confidence)), Model: &project.ChatModelArn,
		PromptTokens: new(int32(reply.Usage.PromptTokens)), CompletionTokens: new(int32(reply.Usage.CompletionTokens)),
	}
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
			return fmt.Errorf("store exchange in project %s: %w", project.ProjectID, err)
		case done.Stored:
			return nil
		case len(done.There) < len(t.documents):
			reply.Sources, reply.FollowUps, t.documents = reply.Sources.Redacted(done.There), []string{}, done.There
			continue
		}
		if err := t.quota.read(ctx, s.store, companyID); err != nil {
			return err
		}
	}
}

// origin says through what a question came.
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

func preview(question string) string {
	runes := []rune(question)
	if len(runes) <= previewLength {
		return question
	}
	return string(runes[:previewLength-1]) + "…"
}
