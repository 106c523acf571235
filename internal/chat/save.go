package chat

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/authn"
)

// previewLength is how many characters of the first question a list shows.
const previewLength = 300

// save stores the exchange and counts it. One round trip, one transaction: another
// question may have taken the month's last message in the meantime, and then nothing
// is stored. Where a document of the passages was deleted in the meantime, the reply
// loses what it tells of it, but for its own text.
func (s *Service) save(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, t *thread, question string,
	asked time.Time, reply *Reply,
) error {
	channel, source := origin(caller)
	now := s.clock.Now()
	for {
		row, err := dbsqlc.New().ExchangeStore(ctx, s.store.Pool(), dbsqlc.ExchangeStoreParams{
			CompanyID: companyID, ProjectID: project.ProjectID, DocumentIds: t.documents, Month: t.month, Quota: int32(t.quota),
			ConversationID: t.ConversationID, SessionID: t.SessionID, VisitorID: t.VisitorID, Channel: channel, Source: source,
			Preview: preview(question), AskedAt: asked, AnsweredAt: now, QuestionID: t.questionID, Question: question,
			AnswerID: t.AnswerID, Answer: reply.Text, Kind: new(string(reply.Kind)), Sources: reply.Sources,
			SuggestedFollowUps: reply.FollowUps, ConfidenceLevel: &reply.Level, ConfidenceScore: new(float32(reply.Confidence)),
			Model: &project.ChatModelArn, PromptTokens: new(int32(reply.Usage.PromptTokens)),
			CompletionTokens: new(int32(reply.Usage.CompletionTokens)),
		})
		switch {
		case err != nil:
			return fmt.Errorf("store exchange in project %s: %w", project.ProjectID, err)
		case row.Stored:
			return nil
		case len(row.There) == len(t.documents):
			return quotaExceeded(now)
		}
		reply.Sources, reply.FollowUps, t.documents = reply.Sources.Redacted(row.There), []string{}, row.There
	}
}

// origin says through what a question came.
//
// Gap: channel and source; decided in gaps section 11.
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
