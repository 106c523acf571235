package chat

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
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
	quota      quota
}

// opening reads what a question needs to know of its company and conversation. It
// finds the conversation that the request continues; nothing is written.
//
// Gap: which ids continue a conversation; decided in gaps section 11.
type opening struct {
	store.Rider

	visitor string
	row     dbsqlc.ExchangeOpenRow
	err     error
}

func (s *Service) opening(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Request) *opening {
	o := &opening{visitor: r.VisitorID}
	if caller.FromBrowser() && !ids.Valid(ids.Visitor, o.visitor) {
		o.visitor = "" // not one of ours: what a visitor can guess must not open another one's conversation
	}
	results := dbsqlc.New().ExchangeOpen(ctx, &o.Rider, []dbsqlc.ExchangeOpenParams{{
		CompanyID: companyID, ProjectID: project.ProjectID, Now: clock.Pinned(s.clock), HistoryLimit: earlierTurns, GroundsLimit: earlierAnswers,
		ConversationID: r.ConversationID, SessionID: r.SessionID, VisitorID: o.visitor, SameVisitor: caller.FromBrowser(),
	}})
	o.Read = func() {
		results.QueryRow(func(_ int, row dbsqlc.ExchangeOpenRow, err error) { o.row, o.err = row, err })
	}
	return o
}

// thread returns where the question belongs. It reads the opening first, unless a search
// has taken it along, and refuses a company that may not ask.
func (s *Service) thread(ctx context.Context, o *opening, project *dbsqlc.Project, caller authn.Principal, r Request) (thread, error) {
	o.Send(ctx, s.store.Pool())
	if o.err != nil {
		return thread{}, fmt.Errorf("open exchange in project %s: %w", project.ProjectID, o.err)
	}
	if o.row.CompanyStatus != "active" {
		return thread{}, apperr.Forbidden(apperr.CodeCompanySuspended, "the workspace is suspended")
	}
	quota := quotaOf(&o.row)
	if quota.exhausted() {
		return thread{}, quota.exceeded()
	}
	if quota.uneven() {
		if err := quota.level(ctx, s.store, project.CompanyID); err != nil {
			return thread{}, err
		}
	}
	// Messages are ordered by their ids: the question's is made before the answer's.
	t := thread{questionID: ids.New(ids.Message), quota: quota, most: r.MaxTokens, plain: r.Plain, documents: []string{}}
	t.Exchange = exchange(&o.row, caller, o.visitor)
	t.earlier, t.grounds = recent(project, append(o.row.EarlierQuestions, r.Earlier...)), o.row.EarlierGrounds
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
