package search

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/pgvector/pgvector-go"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
	"docqa/internal/store"
)

// candidateLimit is how many candidates the words and the vectors give each. If a query
// wants more passages, there are more candidates.
const candidateLimit = 40

// found is a question with the weights of its terms, its vectors, and its candidates.
type found struct {
	question *lexical.Question
	vector   []float32 // of the question with the earlier questions; nil: no vectors were used
	last     []float32 // of the question alone; sentences are compared with it
	mode     Mode      // how the chunks were really searched
	rows     []dbsqlc.ChunkSearchRow
	with     *stats // nil if nothing was ingested
}

// embedTime is how long the model may take to embed the question. After that, the search is
// by words alone.
const embedTime = 2 * time.Second

// maxReloads is how often a search starts again because the project's statistics, model or
// indexes have changed meanwhile.
const maxReloads = 3

// find returns the candidates. It takes one round trip if the cached statistics are current.
// If nothing was found, a second one checks whether they are; if they are not, it searches again.
func (s *Service) find(ctx context.Context, companyID, projectID string, q *Query) (found, error) {
	with, fresh := s.stats.get(companyID+"/"+projectID), false
	for range maxReloads {
		if with == nil {
			loaded, err := s.load(ctx, companyID, projectID)
			if err != nil || loaded == nil {
				return found{question: lexical.NewStats().Question(q.Text, q.History...), mode: Keyword}, err
			}
			with, fresh = loaded, true
		}
		f, err := s.searchWith(ctx, with, q)
		switch {
		case err != nil, len(f.rows) > 0 && with.isCurrent(f.rows[0].StatsUpdatedAt, f.rows[0].VectorModel),
			len(f.rows) == 0 && fresh && !with.large:
			return f, err
		case len(f.rows) > 0:
			with, fresh = nil, false
			continue
		}
		loaded, err := s.load(ctx, companyID, projectID)
		if err != nil || loaded == nil || with.isCurrent(loaded.updatedAt, loaded.model) {
			return f, err
		}
		with, fresh = loaded, true
	}
	return s.searchExactly(ctx, companyID, projectID, q)
}

// searchExactly scores every chunk of the project, so that a change of its indexes does not matter.
func (s *Service) searchExactly(ctx context.Context, companyID, projectID string, q *Query) (found, error) {
	loaded, err := s.load(ctx, companyID, projectID)
	if err != nil || loaded == nil {
		return found{question: lexical.NewStats().Question(q.Text, q.History...), mode: Keyword}, err
	}
	exact := *loaded
	exact.large = false
	return s.searchWith(ctx, &exact, q)
}

// searchWith weights the question's terms by the statistics and reads the best chunks.
func (s *Service) searchWith(ctx context.Context, with *stats, q *Query) (found, error) {
	f := found{question: with.frequency.Question(q.Text, q.History...), mode: Keyword, with: with}
	model, err := s.embed(ctx, with.model, q, &f)
	if err != nil {
		return f, err
	}
	terms := f.question.Vector()
	if len(terms) == 0 && model == "" {
		return f, nil
	}
	filters, err := filterLists(q.Filters)
	if err != nil {
		return f, err
	}
	p := dbsqlc.ChunkSearchParams{
		CompanyID: with.companyID, ProjectID: with.projectID, Query: sparse(terms), Model: model, Vector: dense(f.vector),
		Semantic: f.mode == Semantic, Filters: filters, CitedChunks: append([]int64{}, q.CitedChunks...), RowLimit: int32(max(candidateLimit, q.TopK)),
	}
	if with.large && filters == nil {
		if err := s.addCandidates(ctx, with, &p, terms); err != nil {
			return f, err
		}
	}
	f.rows, err = dbsqlc.New().ChunkSearch(ctx, s.store.GenericPlan(), p)
	return f, err
}

// embed makes the question's vectors, if the mode uses vectors, and returns the model whose
// vectors the query compares. It returns "" if the project has no vectors, the process does
// not have their model, or the model fails: then the search uses words only.
func (s *Service) embed(ctx context.Context, model string, q *Query, f *found) (string, error) {
	if q.Mode == Keyword || model == "" || s.vectors == nil || !s.vectors.Has(model) {
		return "", nil
	}
	inTime, cancel := context.WithTimeout(ctx, embedTime)
	defer cancel()
	vectors, err := s.vectors.QueryAll(inTime, model, questionTexts(q))
	if ctx.Err() != nil {
		return "", fmt.Errorf("embed the question: %w", ctx.Err())
	}
	if err != nil {
		s.log.WarnContext(ctx, "the embedding model failed, the search is by words alone",
			slog.String("model", model), slog.Any("error", err))
		return "", nil
	}
	f.vector, f.last, f.mode = mean(vectors), vectors[0], Hybrid
	if q.Mode == Semantic {
		f.mode = Semantic
	}
	return model, nil
}

// load reads the project's statistics and caches them. It returns nil if nothing was ingested yet.
func (s *Service) load(ctx context.Context, companyID, projectID string) (*stats, error) {
	row, err := dbsqlc.New().LexstatsGet(ctx, s.store.Pool(), dbsqlc.LexstatsGetParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) {
		return nil, nil //nolint:nilnil // that a project is empty is no failure
	}
	if err != nil {
		return nil, err
	}
	loaded := &stats{
		companyID: companyID, projectID: projectID, updatedAt: row.UpdatedAt, model: row.VectorModel,
		large: row.LargeIndex, postingsUntil: row.PostingsUntil, chunks: row.LiveChunks,
		frequency: lexical.Unpack(int(row.ChunkCount), row.Terms, row.Counts), lexicon: new(atomic.Pointer[lexical.Lexicon]),
	}
	s.stats.put(loaded)
	return loaded, nil
}

// sparse returns the question's weighted terms as a vector of the database.
func sparse(terms []lexical.Term) pgvector.SparseVector {
	weights := make(map[int32]float32, len(terms))
	for _, t := range terms {
		weights[t.Index] = t.Weight
	}
	return pgvector.NewSparseVectorFromMap(weights, lexical.Dimensions)
}

// dense returns vector as a vector of the database. The database has no vector without
// dimensions, so nil becomes one with a single dimension, which is never compared.
func dense(vector []float32) pgvector.HalfVector {
	if vector == nil {
		return pgvector.NewHalfVector([]float32{0})
	}
	return pgvector.NewHalfVector(vector)
}

// filterLists encodes filters as the query takes them: a list of accepted values for each
// key; nil for no filters.
func filterLists(filters map[string]any) ([]byte, error) {
	if len(filters) == 0 {
		return nil, nil
	}
	lists := make(map[string][]any, len(filters))
	for key, value := range filters {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		lists[key] = list
	}
	encoded, err := json.Marshal(lists)
	if err != nil {
		return nil, fmt.Errorf("encode the filters: %w", err)
	}
	return encoded, nil
}
