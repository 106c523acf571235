package chat

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/provider/llm"
	"docqa/internal/store"
)

// earlierTurns is how many of the user's earlier turns a search takes into account.
const earlierTurns = 8

// earlierAnswers is how many of the latest answers are read, and have their cited chunks
// considered again.
const earlierAnswers = 3

// earlierAnswerLength is how many characters of an earlier answer are read.
const earlierAnswerLength = 2000

// thread is the conversation that a question belongs to.
type thread struct {
	ExchangeIDs
	questionID  string
	earlier     []llm.Exchange // the user's earlier turns with their answers, the oldest first
	citedChunks []int64        // chunks that the latest answers cite
	documents   []string       // documents that the reply mentions, each once; never nil
	quota       quota
}

// opening is the query that reads what a question needs to know of its company and of the
// conversation that it continues. It writes nothing.
//
// Gap: which ids continue a conversation; decided in docs/decisions.md#conversations.
type opening struct {
	store.Rider

	visitor string
	row     dbsqlc.ExchangeOpenRow
	err     error
}

// opening prepares the query. It is sent with the search, or by openThread.
func (s *Service) opening(ctx context.Context, x *exchange) *opening {
	o := &opening{visitor: x.request.VisitorID}
	if x.caller.FromBrowser() && !ids.Valid(ids.Visitor, o.visitor) {
		o.visitor = "" // a visitor could guess an id that is not one of ours and read a foreign conversation
	}
	results := dbsqlc.New().ExchangeOpen(ctx, &o.Rider, []dbsqlc.ExchangeOpenParams{{
		CompanyID: x.companyID, ProjectID: x.project.ProjectID, Now: clock.Pinned(s.clock), HistoryLimit: earlierTurns, AnswerLimit: earlierAnswers,
		AnswerLength:   earlierAnswerLength,
		ConversationID: x.request.ConversationID, SessionID: x.request.SessionID, VisitorID: o.visitor, SameVisitor: x.caller.FromBrowser(),
	}})
	o.Read = func() {
		results.QueryRow(func(_ int, row dbsqlc.ExchangeOpenRow, err error) { o.row, o.err = row, err })
	}
	return o
}

// openThread returns the thread of the question. It sends o first, unless a search has sent
// it already. Errors: Forbidden (company_suspended), RateLimited (quota_exceeded).
func (s *Service) openThread(ctx context.Context, o *opening, x *exchange) (thread, error) {
	if err := s.send(ctx, o, x); err != nil {
		return thread{}, err
	}
	quota := quotaOf(&o.row)
	if quota.exhausted() {
		return thread{}, quota.exceeded()
	}
	if quota.uneven() {
		if err := quota.level(ctx, s.store, x.project.CompanyID); err != nil {
			return thread{}, err
		}
	}
	// Messages are ordered by their ids: the id of the question is made before that of the answer.
	t := thread{questionID: ids.New(ids.Message), quota: quota, documents: []string{}}
	t.ExchangeIDs = exchangeIDs(&o.row, x.caller, o.visitor)
	t.earlier = recentTurns(x.project, append(exchanges(&o.row), x.request.Earlier...))
	t.citedChunks = o.row.EarlierCitedChunks
	return t, nil
}

// exchanges returns the earlier questions of a conversation with the answers to the latest ones.
func exchanges(row *dbsqlc.ExchangeOpenRow) []llm.Exchange {
	out := make([]llm.Exchange, len(row.EarlierQuestions))
	for i, question := range row.EarlierQuestions {
		out[i].Question = question
		if at := i - len(out) + len(row.EarlierAnswers); at >= 0 {
			out[i].Answer = row.EarlierAnswers[at]
		}
	}
	return out
}

// send sends o, unless a search has sent it already. Error: Forbidden (company_suspended).
func (s *Service) send(ctx context.Context, o *opening, x *exchange) error {
	o.Send(ctx, s.store.Pool())
	if o.err != nil {
		return fmt.Errorf("open exchange in project %s: %w", x.project.ProjectID, o.err)
	}
	if o.row.CompanyStatus != "active" {
		return apperr.Forbidden(apperr.CodeCompanySuspended, "the workspace is suspended")
	}
	return nil
}

// exchangeIDs returns the ids of the conversation that was found, or new ones.
func exchangeIDs(row *dbsqlc.ExchangeOpenRow, caller authn.Principal, visitor string) ExchangeIDs {
	answer := ids.New(ids.Message)
	if row.FoundConversationID != "" {
		return ExchangeIDs{
			ConversationID: row.FoundConversationID, SessionID: row.FoundSessionID, VisitorID: row.FoundVisitorID, AnswerID: answer,
		}
	}
	if visitor == "" || (caller.FromBrowser() && !row.VisitorKnown) {
		visitor = ids.New(ids.Visitor)
	}
	return ExchangeIDs{
		ConversationID: ids.New(ids.Conversation), SessionID: ids.New(ids.Session), VisitorID: visitor, AnswerID: answer,
	}
}
