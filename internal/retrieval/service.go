package retrieval

import (
	"context"
	"fmt"

	"github.com/pgvector/pgvector-go"

	"docqa/gen/dbsqlc"
	"docqa/internal/clock"
	"docqa/internal/engine/lexical"
	"docqa/internal/store"
)

// candidates is how many passages are read for their order, where no more are asked for.
const candidates = 32

// Service searches projects. Safe for concurrent use.
type Service struct {
	store *store.Store
	clock clock.Clock
	stats *statsCache
}

// New returns a service that searches in s.
func New(s *store.Store, c clock.Clock) *Service {
	return &Service{store: s, clock: c, stats: newStatsCache(mostTerms)}
}

// Search returns the passages of the project that q is about. A project that is
// unknown, foreign or empty gives none: the caller has judged the project before.
func (s *Service) Search(ctx context.Context, companyID, projectID string, q Query) (Result, error) {
	began := s.clock.Now()
	question, rows, err := s.candidates(ctx, companyID, projectID, q)
	if err != nil {
		return Result{}, fmt.Errorf("search project %s: %w", projectID, err)
	}
	res := Result{Question: question, Passages: order(question, rows, q)}
	res.Took = s.clock.Now().Sub(began)
	return res, nil
}

// candidates returns the best chunks by BM25, and the question as it was weighted.
// One round trip where the statistics at hand are those in force; a second one where
// nothing was found, to tell whether they are; a third only where they are not.
func (s *Service) candidates(ctx context.Context, companyID, projectID string, q Query) (*lexical.Question, []dbsqlc.ChunkSearchRow, error) {
	kept := s.stats.get(companyID + "/" + projectID)
	var question *lexical.Question
	if kept != nil {
		var rows []dbsqlc.ChunkSearchRow
		var err error
		question, rows, err = s.ask(ctx, companyID, projectID, kept.frequency, q)
		if err != nil || (len(rows) > 0 && rows[0].StatsUpdatedAt.Equal(kept.updatedAt)) {
			return question, rows, err
		}
	}
	loaded, err := s.load(ctx, companyID, projectID)
	if err != nil || loaded == nil {
		return lexical.NewStats().Question(q.Text, q.History...), nil, err
	}
	if kept != nil && loaded.updatedAt.Equal(kept.updatedAt) {
		return question, nil, nil
	}
	return s.ask(ctx, companyID, projectID, loaded.frequency, q)
}

// ask weighs the question by frequency and looks for the best chunks.
func (s *Service) ask(ctx context.Context, companyID, projectID string, frequency *lexical.Stats, q Query) (*lexical.Question, []dbsqlc.ChunkSearchRow, error) {
	question := frequency.Question(q.Text, q.History...)
	terms := question.Vector()
	if len(terms) == 0 || len(q.Filters) > 0 {
		return question, nil, nil
	}
	rows, err := dbsqlc.New().ChunkSearch(ctx, s.store.Pool(), dbsqlc.ChunkSearchParams{
		CompanyID: companyID, ProjectID: projectID, Query: vector(terms), RowLimit: int32(max(candidates, q.TopK)),
	})
	return question, rows, err
}

// load reads the project's statistics and keeps them; nil where nothing was ingested yet.
func (s *Service) load(ctx context.Context, companyID, projectID string) (*stats, error) {
	row, err := dbsqlc.New().LexstatsGet(ctx, s.store.Pool(), dbsqlc.LexstatsGetParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) {
		return nil, nil //nolint:nilnil // an empty project is no failure
	}
	if err != nil {
		return nil, err
	}
	loaded := &stats{
		project: companyID + "/" + projectID, updatedAt: row.UpdatedAt,
		frequency: lexical.Unpack(int(row.ChunkCount), row.Terms, row.Counts),
	}
	s.stats.put(loaded)
	return loaded, nil
}

// vector is the question as a sparse vector of the database.
func vector(terms []lexical.Term) pgvector.SparseVector {
	weights := make(map[int32]float32, len(terms))
	for _, t := range terms {
		weights[t.Index] = t.Weight
	}
	return pgvector.NewSparseVectorFromMap(weights, lexical.Dimensions)
}
