package search

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/postings"
)

// mostPostings bounds what is read of a large project's postings for one question. The
// terms that are left out are the most frequent ones, which tell least; they count again
// when the candidates are judged.
const mostPostings = 150_000

// mostScored is from how many chunks on a more frequent term lets no more of them in: what
// holds it and none of the rarer ones is hardly among the best.
const mostScored = 5_000

// mostNamed bounds the candidates by words: many chunks of one text have one score.
const mostNamed = 1_000

// indexed names the candidates of a project that has indexes of its own: by words from the
// postings and from the chunks that are in none yet, by meaning from the index of the vectors.
// Of both it names at least those that an exact search would list.
func (s *Service) indexed(ctx context.Context, with *stats, p *dbsqlc.ChunkSearchParams, terms []lexical.Term) (err error) {
	p.Indexed, p.ByWords, p.ByMeaning = true, []int64{}, []int64{}
	if !p.Semantic && len(terms) > 0 {
		if p.ByWords, err = s.byWords(ctx, with, p, terms); err != nil {
			return fmt.Errorf("read postings: %w", err)
		}
	}
	if p.Model != "" {
		if p.ByMeaning, err = s.near(ctx, p.CompanyID, p.ProjectID, p.Model, p.Vector, p.RowLimit); err != nil {
			return fmt.Errorf("look up the index of vectors: %w", err)
		}
	}
	return nil
}

// byWords are the chunks that may be among the best by words.
func (s *Service) byWords(ctx context.Context, with *stats, p *dbsqlc.ChunkSearchParams, terms []lexical.Term) ([]int64, error) {
	telling := with.telling(terms)
	scores, err := s.postings(ctx, p.CompanyID, p.ProjectID, telling)
	if err != nil {
		return nil, err
	}
	tail, err := dbsqlc.New().ChunkTermsTail(ctx, s.store.Pool(), dbsqlc.ChunkTermsTailParams{
		CompanyID: p.CompanyID, ProjectID: p.ProjectID, Query: p.Query, AfterChunkID: with.postingsUntil, RowLimit: p.RowLimit,
	})
	if err != nil {
		return nil, fmt.Errorf("judge the newest chunks: %w", err)
	}
	for _, row := range tail {
		if row.Score > 0 {
			scores[row.ChunkID] = row.Score
		}
	}
	n := int(p.RowLimit)
	if len(telling) < len(terms) {
		n *= 2 // the others count again
	}
	margin := 1e-3 // the database adds up in single precision
	for _, t := range telling {
		margin += 2 * postings.Error * float64(t.Weight) // one chunk is rated too high, another one too low
	}
	return scores.Best(n, mostNamed, margin), nil
}

// postings adds up the scores of the chunks that hold the terms, the rarest first. Deleted
// chunks have no part in it: they would keep others out.
func (s *Service) postings(ctx context.Context, companyID, projectID string, terms []lexical.Term) (postings.Scores, error) {
	asked := make([]int32, len(terms))
	for i, t := range terms {
		asked[i] = t.Index
	}
	rows, err := dbsqlc.New().PostingsOfTerms(ctx, s.store.Pool(), dbsqlc.PostingsOfTermsParams{
		CompanyID: companyID, ProjectID: projectID, Terms: asked,
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
		more := len(scores) < mostScored
		for _, packed := range segments[t.Index] {
			scores.Add(packed, float64(t.Weight), more)
		}
		scores.Drop(deleted)
	}
	return scores, nil
}

// NearStatement asks for the chunks whose vectors of so many dimensions are nearest: of a
// company, a project and a model, to a vector, so many. The index of a large project is
// made for the length of its vectors, so that it stands in the statement.
func NearStatement(dimensions int) string {
	return fmt.Sprintf(`select chunk_id from chunk_vectors
		where company_id = $1 and project_id = $2 and model = $3 order by embedding::halfvec(%d) <#> $4 limit $5`, dimensions)
}

// near are the chunks whose vectors are nearest. The statement is planned each time: a kept
// plan would not know the project that the index is for.
func (s *Service) near(ctx context.Context, companyID, projectID, model string, vector pgvector.HalfVector, limit int32) ([]int64, error) {
	rows, err := s.store.Pool().Query(ctx, NearStatement(len(vector.Slice())), pgx.QueryExecModeCacheDescribe,
		companyID, projectID, model, vector, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// telling are the rarest terms of a question, as many as mostPostings allows, at least one.
func (s *stats) telling(terms []lexical.Term) []lexical.Term {
	share := float64(s.chunks) / float64(max(1, s.frequency.Passages))
	count := func(t lexical.Term) float64 { return float64(max(1, s.frequency.Frequency[t.Index])) * share }
	rarest := slices.SortedFunc(slices.Values(terms), func(a, b lexical.Term) int {
		return int(count(a)) - int(count(b))
	})
	sum := 0.0
	for i, t := range rarest {
		if sum += count(t); sum > mostPostings && i > 0 {
			return rarest[:i]
		}
	}
	return rarest
}
