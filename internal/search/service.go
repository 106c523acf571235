package search

import (
	"context"
	"fmt"
	"log/slog"

	"docqa/internal/engine/rank"
	"docqa/internal/engine/reference"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
)

// Deps are what a Service needs.
type Deps struct {
	Store    *store.Store
	Clock    clock.Clock
	Logger   *slog.Logger // default: slog's
	Vectors  Vectors      // nil: every search is by words
	Reranker Reranker     // nil: passages are ordered by their features alone
}

// Service searches projects. Safe for concurrent use.
type Service struct {
	store    *store.Store
	clock    clock.Clock
	log      *slog.Logger
	vectors  Vectors
	reranker Reranker
	ranker   *rank.Ranker
	stats    *statsCache
}

// New returns a Service.
func New(d Deps) *Service {
	if d.Logger == nil {
		d.Logger = slog.Default()
	}
	return &Service{
		store: d.Store, clock: d.Clock, log: d.Logger, vectors: d.Vectors, reranker: d.Reranker, ranker: rank.New(), stats: newStatsCache(maxCachedTerms),
	}
}

// Search returns the passages of the project that q is about. It returns none if the project
// is empty, unknown or another company's; the caller has checked access before.
func (s *Service) Search(ctx context.Context, companyID, projectID string, q Query) (Result, error) {
	began := s.clock.Now()
	whole := reference.Resolve(q.Text, q.History, q.LastAnswer)
	q.Text, q.History = whole.Text, whole.Earlier
	f, err := s.find(ctx, companyID, projectID, &q)
	if err != nil {
		return Result{}, fmt.Errorf("search project %s: %w", projectID, err)
	}
	if f, err = s.respell(ctx, companyID, projectID, &q, f); err != nil {
		return Result{}, fmt.Errorf("search project %s: %w", projectID, err)
	}
	res := s.arrange(ctx, &f, &q)
	res.Text = q.Text
	res.Took = s.clock.Now().Sub(began)
	return res, nil
}
