package chat

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/apperr"
	"docqa/internal/authn"
	"docqa/internal/ids"
	"docqa/internal/limits"
)

// earlierTurns is how many of the user's earlier turns count in a search.
const earlierTurns = 8

// earlierAnswers is how many of the latest answers give their passages back to a search.
const earlierAnswers = 3

// thread is where a question belongs.
type thread struct {
	Exchange
	questionID string
	earlier    []string // the user's turns before, the oldest first
	grounds    []int64  // chunks that the answers before cite
	documents  []string // that the answer names, each once; never null
	most       int      // tokens of the answer; 0: as the project has it
	plain      bool     // no prompt for contact details
	quota      int      // messages that the plan allows in the month
	month      time.Time
}

// thread finds the conversation that the request continues, or begins one, and
// refuses a company that may not ask. One round trip, and nothing is written.
//
// Gap: which ids continue a conversation; decided in gaps section 11.
func (s *Service) thread(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Request) (thread, error) {
	visitor := r.VisitorID
	if caller.FromBrowser() && !ids.Valid(ids.Visitor, visitor) {
		visitor = "" // not one of ours: what a visitor can guess must not open another one's conversation
	}
	now := s.clock.Now()
	month := monthOf(now)
	row, err := dbsqlc.New().ExchangeOpen(ctx, s.store.Pool(), dbsqlc.ExchangeOpenParams{
		CompanyID: companyID, ProjectID: project.ProjectID, Month: month, HistoryLimit: earlierTurns, GroundsLimit: earlierAnswers,
		ConversationID: r.ConversationID, SessionID: r.SessionID, VisitorID: visitor, SameVisitor: caller.FromBrowser(),
	})
	if err != nil {
		return thread{}, fmt.Errorf("open exchange in project %s: %w", project.ProjectID, err)
	}
	if row.CompanyStatus != "active" {
		return thread{}, apperr.Forbidden("company_suspended", "the workspace is suspended")
	}
	quota := limits.PlanOf(row.Plan).MessagesPerMonth
	if int(row.UsedMessages) >= quota {
		return thread{}, quotaExceeded(now)
	}
	// Messages are ordered by their ids: the question's is made before the answer's.
	t := thread{questionID: ids.New(ids.Message), quota: quota, month: month, most: r.MaxTokens, plain: r.Plain, documents: []string{}}
	t.Exchange = exchange(&row, caller, visitor)
	t.earlier, t.grounds = recent(project, append(row.EarlierQuestions, r.Earlier...)), row.EarlierGrounds
	return t, nil
}

// exchange gives the ids of the conversation that was found, or new ones.
func exchange(row *dbsqlc.ExchangeOpenRow, caller authn.Principal, visitor string) Exchange {
	answer := ids.New(ids.Message)
	if row.FoundConversationID != "" {
		return Exchange{
			ConversationID: row.FoundConversationID, SessionID: row.FoundSessionID, VisitorID: row.FoundVisitorID, AnswerID: answer,
		}
	}
	if visitor == "" || (caller.FromBrowser() && !row.VisitorKnown) {
		visitor = ids.New(ids.Visitor)
	}
	return Exchange{
		ConversationID: ids.New(ids.Conversation), SessionID: ids.New(ids.Session), VisitorID: visitor, AnswerID: answer,
	}
}

// monthOf is the first day of the calendar month, in UTC.
func monthOf(t time.Time) time.Time {
	y, m, _ := t.UTC().Date()
	return time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
}

// quotaExceeded is the 429 of a month whose messages are used up.
func quotaExceeded(now time.Time) error {
	e := apperr.New(apperr.RateLimited, "quota_exceeded", "the messages of this month are used up")
	e.RetryAfter = monthOf(now).AddDate(0, 1, 0).Sub(now)
	return e
}
