package chat

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/remark"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/streams"
)

// answerTime bounds one answer, whether or not somebody waits for it.
const answerTime = 60 * time.Second

// Searcher finds the passages of a project. *search.Service is one.
type Searcher interface {
	Search(ctx context.Context, companyID, projectID string, q search.Query) (search.Result, error)
}

// Deps are what a Service needs.
type Deps struct {
	Store  *store.Store
	Clock  clock.Clock
	Search Searcher
	Writer Writer // writes the answers
}

// Service answers questions. Safe for concurrent use.
type Service struct {
	store   *store.Store
	clock   clock.Clock
	search  Searcher
	writer  Writer
	running running
	streams *streams.Keeper
	leases  *streams.Leases

	life context.Context //nolint:containedctx // ends when Cut is called
	cut  context.CancelCauseFunc
}

// New returns a Service.
func New(d Deps) *Service {
	life, cut := context.WithCancelCause(context.Background())
	return &Service{
		store: d.Store, clock: d.Clock, search: d.Search, writer: d.Writer, streams: streams.New(d.Store, d.Clock),
		leases: streams.NewLeases(d.Store), life: life, cut: cut,
	}
}

// Ask answers a question about the documents of project and stores both. If sink is not nil,
// it gets the answer as it comes. A message that only greets, thanks or says goodbye is
// answered without a search; it is neither stored nor counted. Once the question is accepted, the end of ctx no longer
// stops the answer: it is stored and counted even if the caller has left. A question with a
// test key gets a fixed reply; nothing is read or stored.
//
// Errors: InvalidInput (validation_error, question_too_long), NotFound (an archived
// project), Forbidden (company_suspended), RateLimited (rate_limited,
// quota_exceeded), ProviderFailed, Timeout.
//
// Source: main API section 4.3.
func (s *Service) Ask(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Request, sink Sink) (Reply, error) {
	question, err := checkQuestion(project, r.Question)
	if err != nil {
		return Reply{}, err
	}
	if caller.Test {
		return testKeyReply(sink), nil
	}
	if project.Status == "archived" {
		return Reply{}, apperr.NotFound()
	}
	leave, err := s.enter(ctx, companyID, project.ProjectID, caller.Plan, sink != nil)
	if err != nil {
		return Reply{}, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	r.Question = question
	x := &exchange{companyID: companyID, project: project, caller: caller, request: r}
	if c, ok := remark.Recognize(question); ok {
		return s.returnCourtesy(ctx, x, c, sink)
	}
	if sink != nil && caller.Kind != authn.KindUser {
		resumable := &resumableSink{Sink: sink, keeper: s.streams, companyID: companyID, projectID: project.ProjectID}
		defer resumable.end()
		reply, err := s.answer(ctx, x, resumable)
		err = timeoutError(ctx, err)
		resumable.settle(err)
		return reply, err
	}
	reply, err := s.answer(ctx, x, sink)
	return reply, timeoutError(ctx, err)
}

// Cut stops the answers that are still being written; their callers get cause. An answer that
// is complete is still stored. No part of an incomplete answer is.
func (s *Service) Cut(cause error) { s.cut(cause) }

// untilCut returns a context that ends with ctx or when Cut is called. The caller must call done.
func (s *Service) untilCut(ctx context.Context) (writing context.Context, done func()) {
	writing, end := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.life, func() { end(context.Cause(s.life)) })
	return writing, func() { stop(); end(nil) }
}

// Wait returns when the database holds how far the ended streams got and which leases are
// free again, or when ctx ends.
func (s *Service) Wait(ctx context.Context) {
	s.streams.Wait(ctx)
	s.leases.Wait(ctx)
}

// timeoutError replaces err by a Timeout error if the time for the answer is over, and by
// the cause of Cut if the answer was cut.
func timeoutError(ctx context.Context, err error) error {
	if cut, ok := errors.AsType[*apperr.Error](context.Cause(ctx)); ok && err != nil {
		return cut.Wrap(err)
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return apperr.New(apperr.KindTimeout, apperr.CodeProviderTimeout, "the answer took too long").Wrap(err)
	}
	return err
}

// checkQuestion trims a question and checks its length.
//
// Source: main API section 8 (question length).
func checkQuestion(project *dbsqlc.Project, question string) (string, error) {
	question = strings.TrimSpace(question)
	if question == "" {
		return "", apperr.Validation("/question", "must not be empty")
	}
	if utf8.RuneCountInString(question) > project.Settings.Prompt.MaxQuestionLength {
		return "", apperr.Invalid(apperr.CodeQuestionTooLong, "the question is longer than this project allows")
	}
	return question, nil
}

// answer searches, writes the answer and stores it. Cut ends the first two steps only.
func (s *Service) answer(ctx context.Context, x *exchange, sink Sink) (Reply, error) {
	x.askedAt = s.clock.Now()
	writing, done := s.untilCut(ctx)
	defer done()
	if err := s.begin(writing, x); err != nil {
		return Reply{}, timeoutError(writing, err)
	}
	var emit func(string)
	if sink != nil {
		sink.Start(x.thread.ExchangeIDs)
		emit = sink.Chunk
	}
	reply, err := s.compose(writing, x, emit)
	if err != nil {
		return Reply{}, timeoutError(writing, err)
	}
	if sink != nil {
		sendRest(&reply, sink)
	}
	if err := s.save(ctx, x, &reply); err != nil {
		return Reply{}, err
	}
	return reply, nil
}

// begin opens the thread and searches. If the request names a conversation, the search needs
// its earlier turns, so the thread is opened first; otherwise both go in one round trip.
func (s *Service) begin(ctx context.Context, x *exchange) (err error) {
	earlier := recentTurns(x.project, x.request.Earlier)
	q := search.Query{Text: x.request.Question, History: questions(earlier), LastAnswer: lastAnswer(earlier)}
	o := s.opening(ctx, x)
	if x.request.SessionID != "" || x.request.ConversationID != "" {
		if x.thread, err = s.openThread(ctx, o, x); err != nil {
			return err
		}
		q.History, q.LastAnswer, q.CitedChunks = questions(x.thread.earlier), lastAnswer(x.thread.earlier), x.thread.citedChunks
		return s.find(ctx, x, q.ByProject(&x.project.Settings.Retrieval))
	}
	if err := s.find(store.Alongside(ctx, &o.Rider), x, q.ByProject(&x.project.Settings.Retrieval)); err != nil {
		return err
	}
	x.thread, err = s.openThread(ctx, o, x)
	return err
}

// find searches for q and keeps as many of the passages as the project lets a model read.
func (s *Service) find(ctx context.Context, x *exchange, q search.Query) (err error) {
	x.found, err = s.search.Search(ctx, x.companyID, x.project.ProjectID, q)
	if err != nil {
		return err
	}
	x.found.Passages = x.found.Passages[:fitTokens(x.found.Passages, x.project.Settings.Retrieval.MaxContextTokens)]
	return nil
}

// bytesPerToken estimates the length of a token of European text.
const bytesPerToken = 4

// fitTokens returns how many of the passages, the best first, fit into so many tokens
// together; at least one.
func fitTokens(passages []search.Passage, tokens int) int {
	left := tokens * bytesPerToken
	for i := range passages {
		if left -= len(passages[i].Body); left < 0 {
			return max(i, 1)
		}
	}
	return len(passages)
}
