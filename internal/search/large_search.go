package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/postings"
)

// maxPostings limits how many postings of a large project are read for one question. If there
// are more, the most frequent terms are left out, since they distinguish least. They still
// count when the candidates are scored.
const maxPostings = 150_000

// maxScored: when so many chunks have a score, a more frequent term adds no further chunks.
// A chunk that has this term and none of the rarer ones is unlikely to be among the best.
const maxScored = 5_000

// maxNamed limits the candidates by words. Without it there could be many more than asked
// for, since chunks with the same text have the same score.
const maxNamed = 1_000

// addCandidates adds the candidates of a project that has a large index to p: by words from
// the postings and from the chunks that are in no segment yet, by meaning from the index of
// vectors. The candidates by words include all that an exact search would find.
func (s *Service) addCandidates(ctx context.Context, with *stats, p *dbsqlc.ChunkSearchParams, terms []lexical.Term) (err error) {
	p.Indexed, p.ByWords, p.ByMeaning = true, []int64{}, []int64{}
	if !p.Semantic && len(terms) > 0 {
		if p.ByWords, err = s.byWords(ctx, with, p, terms); err != nil {
			return fmt.Errorf("read postings: %w", err)
		}
	}
	if p.Model != "" {
		if p.ByMeaning, err = s.byMeaning(ctx, p); err != nil {
			return fmt.Errorf("look up the index of vectors: %w", err)
		}
	}
	return nil
}

// byWords returns the chunks that may be among the best by words.
func (s *Service) byWords(ctx context.Context, with *stats, p *dbsqlc.ChunkSearchParams, terms []lexical.Term) ([]int64, error) {
	rarest := with.rarestTerms(terms)
	scores, err := s.postings(ctx, with, rarest)
	if err != nil {
		return nil, err
	}
	tail, err := dbsqlc.New().ChunkTermsTail(ctx, s.store.Pool(), dbsqlc.ChunkTermsTailParams{
		CompanyID: p.CompanyID, ProjectID: p.ProjectID, Query: p.Query, AfterChunkID: with.postingsUntil, RowLimit: p.RowLimit,
	})
	if err != nil {
		return nil, fmt.Errorf("score the newest chunks: %w", err)
	}
	for _, row := range tail {
		if row.Score > 0 {
			scores[row.ChunkID] = row.Score
		}
	}
	n := int(p.RowLimit)
	if len(rarest) < len(terms) {
		n *= 2 // the terms that were left out count again
	}
	margin := 1e-3 // the database adds up in single precision
	for _, t := range rarest {
		margin += 2 * postings.Error * float64(t.Weight) // one chunk may be rated too high and another one too low
	}
	return scores.Best(n, maxNamed, margin), nil
}

// postings adds up the scores of the chunks that hold the terms, the rarest term first. It
// leaves out deleted chunks, because they would take the places of others.
func (s *Service) postings(ctx context.Context, with *stats, terms []lexical.Term) (postings.Scores, error) {
	indexes := make([]int32, len(terms))
	for i, t := range terms {
		indexes[i] = t.Index
	}
	rows, err := dbsqlc.New().PostingsOfTerms(ctx, s.store.Pool(), dbsqlc.PostingsOfTermsParams{
		CompanyID: with.companyID, ProjectID: with.projectID, Terms: indexes,
	})
	if err != nil {
		return nil, err
	}
	segments, deleted := map[int32][][]byte{}, []int64(nil)
	for _, row := range rows {
		segments[row.Term] = append(segments[row.Term], row.Postings)
		deleted = append(deleted, row.Deleted...)
	}
	scores := postings.Scores{}
	for _, t := range terms {
		more := len(scores) < maxScored
		for _, packed := range segments[t.Index] {
			scores.Add(packed, float64(t.Weight), more)
		}
		scores.Drop(deleted)
	}
	return scores, nil
}

// NearStatement returns the statement that finds the chunks with the nearest vectors. Its
// parameters are company, project, model, vector and limit. The number of dimensions is part
// of the statement, because the index of a large project is made for one.
func NearStatement(dimensions int) string {
	return fmt.Sprintf(`select chunk_id from chunk_vectors
		where company_id = $1 and project_id = $2 and model = $3 order by embedding::halfvec(%d) <#> $4 limit $5`, dimensions)
}

// byMeaning returns the chunks with the nearest vectors. The statement is planned every time:
// a cached plan would not use the index, which holds one project only.
func (s *Service) byMeaning(ctx context.Context, p *dbsqlc.ChunkSearchParams) ([]int64, error) {
	rows, err := s.store.Pool().Query(ctx, NearStatement(len(p.Vector.Slice())), pgx.QueryExecModeCacheDescribe,
		p.CompanyID, p.ProjectID, p.Model, p.Vector, p.RowLimit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// rarestTerms returns the rarest terms of a question, as many as maxPostings allows, at least one.
func (s *stats) rarestTerms(terms []lexical.Term) []lexical.Term {
	share := float64(s.chunks) / float64(max(1, s.frequency.Passages))
	count := func(t lexical.Term) float64 { return float64(max(1, s.frequency.Frequency[t.Index])) * share }
	rarest := slices.SortedFunc(slices.Values(terms), func(a, b lexical.Term) int {
		return int(count(a)) - int(count(b))
	})
	sum := 0.0
	for i, t := range rarest {
		if sum += count(t); sum > maxPostings && i > 0 {
			return rarest[:i]
		}
	}
	return rarest
}
