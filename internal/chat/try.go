package chat

import (
	"context"
	"errors"

	"docqa/gen/dbsqlc"
	"docqa/internal/apperr"
	"docqa/internal/authn"
	"docqa/internal/retrieval"
)

// Trial is an answer that was tried out.
type Trial struct {
	Reply
	Found []retrieval.Passage // what the answer was written from, the best first
}

// Try answers a question as Ask does for a signed-in user, but stores and counts
// nothing. It ends with ctx.
//
// Errors: InvalidInput (validation_error, question_too_long), RateLimited,
// ProviderFailed, Timeout.
func (s *Service) Try(ctx context.Context, companyID string, project *dbsqlc.Project, question string) (Trial, error) {
	question, err := accept(project, question)
	if err != nil {
		return Trial{}, err
	}
	leave, err := s.running.enter(project.ProjectID, "", false)
	if err != nil {
		return Trial{}, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	trial, err := s.try(ctx, companyID, project, question)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return Trial{}, apperr.New(apperr.Timeout, "provider_timeout", "the answer took too long").Wrap(err)
	}
	return trial, err
}

func (s *Service) try(ctx context.Context, companyID string, project *dbsqlc.Project, question string) (Trial, error) {
	q := retrieval.Query{Text: question}
	found, err := s.search.Search(ctx, companyID, project.ProjectID, q.ByProject(&project.Settings.Retrieval))
	if err != nil {
		return Trial{}, err
	}
	reply, err := s.compose(ctx, project, authn.Principal{Kind: authn.KindUser}, &thread{}, question, &found, nil)
	return Trial{Reply: reply, Found: found.Passages}, err
}
