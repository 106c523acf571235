package chat

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/streams"
)

// answerTime bounds one answer, whoever waits for it.
const answerTime = 60 * time.Second

// Searcher finds the passages of a project.
type Searcher interface {
	Search(ctx context.Context, companyID, projectID string, q search.Query) (search.Result, error)
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

	life context.Context //nolint:containedctx // of the answers that are being written
	cut  context.CancelCauseFunc
}

// New returns a service whose answers w writes.
func New(s *store.Store, c clock.Clock, finder Searcher, w Writer) *Service {
	life, cut := context.WithCancelCause(context.Background())
	return &Service{
		store: s, clock: c, search: finder, writer: w, streams: streams.New(s, c), leases: streams.NewLeases(s),
		life: life, cut: cut,
	}
}

// Ask answers a question about the documents of project and stores both; sink, where
// there is one, gets the answer as it comes. Once the question is accepted, ctx's end
// no longer stops the answer: it is stored and counted whether or not the caller
// waits. A test key gets a fixture that touches nothing.
//
// Errors: InvalidInput (validation_error, question_too_long), NotFound (an archived
// project), ForbiddenCall (company_suspended), RateLimited (rate_limited,
// quota_exceeded), ProviderFailed, Timeout.
//
// Source: main API section 4.3.
func (s *Service) Ask(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Request, sink Sink) (Reply, error) {
	question, err := accept(project, r.Question)
	if err != nil {
		return Reply{}, err
	}
	if caller.Test {
		return fixture(sink), nil
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
	if sink != nil && caller.Kind != authn.KindUser {
		kept := &keptSink{Sink: sink, keeper: s.streams, companyID: companyID, projectID: project.ProjectID}
		defer kept.end()
		reply, err := s.answer(ctx, companyID, project, caller, r, kept)
		err = inTime(ctx, err)
		kept.settle(err)
		return reply, err
	}
	reply, err := s.answer(ctx, companyID, project, caller, r, sink)
	return reply, inTime(ctx, err)
}

// Cut ends the answers that are still being written, with cause; one that is whole is
// still stored. No half of an answer is.
func (s *Service) Cut(cause error) { s.cut(cause) }

// untilCut returns a context that ends with ctx or by Cut; done must follow.
func (s *Service) untilCut(ctx context.Context) (writing context.Context, done func()) {
	writing, end := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.life, func() { end(context.Cause(s.life)) })
	return writing, func() { stop(); end(nil) }
}

// Wait returns when other processes know which streams have ended and what can be resumed
// of them, or ctx has ended.
func (s *Service) Wait(ctx context.Context) {
	s.streams.Wait(ctx)
	s.leases.Wait(ctx)
}

// inTime names the error of an answer whose time was over, or that was cut.
func inTime(ctx context.Context, err error) error {
	if cut, ok := errors.AsType[*apperr.Error](context.Cause(ctx)); ok && err != nil {
		return cut.Wrap(err)
	}
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return apperr.New(apperr.KindTimeout, apperr.CodeProviderTimeout, "the answer took too long").Wrap(err)
	}
	return err
}

// accept trims and judges a question.
//
// Source: main API section 8 (question length).
func accept(project *dbsqlc.Project, question string) (string, error) {
	question = strings.TrimSpace(question)
	if question == "" {
		return "", apperr.Validation("/question", "must not be empty")
	}
	if utf8.RuneCountInString(question) > project.Settings.Prompt.MaxQuestionLength {
		return "", apperr.Invalid(apperr.CodeQuestionTooLong, "the question is longer than this project allows")
	}
	return question, nil
}

func (s *Service) answer(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Request, sink Sink) (Reply, error) {
	asked := s.clock.Now()
	writing, done := s.untilCut(ctx)
	defer done()
	t, found, err := s.begin(writing, companyID, project, caller, r)
	if err != nil {
		return Reply{}, inTime(writing, err)
	}
	names := &numbering{passages: found.Passages}
	var emit func(string)
	if sink != nil {
		sink.Start(t.Exchange)
		emit = func(fragment string) { sink.Chunk(names.rename(fragment)) }
	}
	reply, err := s.compose(writing, project, caller, &t, r.Question, &found, names, emit)
	if err != nil {
		return Reply{}, inTime(writing, err)
	}
	if sink != nil {
		finish(&reply, sink)
	}
	if err := s.save(ctx, companyID, project, caller, &t, r.Question, asked, &reply); err != nil {
		return Reply{}, err
	}
	return reply, nil
}

// begin opens the thread and searches for the question. What is searched for depends on
// the thread where the request names one; otherwise the opening goes along with the
// search, in its round trip.
func (s *Service) begin(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Request) (t thread, found search.Result, err error) {
	q := search.Query{Text: r.Question, History: recent(project, r.Earlier)}
	o := s.opening(ctx, companyID, project, caller, r)
	if r.SessionID != "" || r.ConversationID != "" {
		if t, err = s.thread(ctx, o, project, caller, r); err != nil {
			return t, found, err
		}
		q.History, q.Grounds = t.earlier, t.grounds
		found, err = s.find(ctx, companyID, project, q.ByProject(&project.Settings.Retrieval))
		return t, found, err
	}
	found, err = s.find(store.Alongside(ctx, &o.Rider), companyID, project, q.ByProject(&project.Settings.Retrieval))
	if err != nil {
		return t, found, err
	}
	t, err = s.thread(ctx, o, project, caller, r)
	return t, found, err
}

// find searches for q and keeps as many of the passages as the project lets a model read.
func (s *Service) find(ctx context.Context, companyID string, project *dbsqlc.Project, q search.Query) (search.Result, error) {
	found, err := s.search.Search(ctx, companyID, project.ProjectID, q)
	if err != nil {
		return search.Result{}, err
	}
	found.Passages = found.Passages[:within(found.Passages, project.Settings.Retrieval.MaxContextTokens)]
	return found, nil
}

// bytesPerToken is about what a token of European text takes.
const bytesPerToken = 4

// within is how many of the passages, the best first, fit into so many tokens together;
// at least one.
func within(passages []search.Passage, tokens int) int {
	room := tokens * bytesPerToken
	for i := range passages {
		if room -= len(passages[i].Body); room < 0 {
			return max(i, 1)
		}
	}
	return len(passages)
}
