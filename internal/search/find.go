package search

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/pgvector/pgvector-go"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
	"docqa/internal/store"
)

// listed is how many chunks each side names, where no more passages are asked for.
const listed = 40

// found is a question as it was weighed, and what it is compared with.
type found struct {
	question *lexical.Question
	vector   []float32 // nil: no vectors took part
	last     []float32 // that of the last turn alone, by which sentences are judged
	mode     Mode      // by what the chunks were really searched
	rows     []dbsqlc.ChunkSearchRow
}

// readTime is how long the model may take to read the question; words answer then.
const readTime = 2 * time.Second

// mostChanges is how often a search begins anew because the project's statistics, its model
// or its indexes changed meanwhile.
const mostChanges = 3

// find returns the candidates. One round trip where the statistics and the model at hand
// are those in force; a second one where nothing was found, to tell whether they are; a
// third only where they are not.
func (s *Service) find(ctx context.Context, companyID, projectID string, q *Query) (found, error) {
	with, fresh := s.stats.get(companyID+"/"+projectID), false
	for range mostChanges {
		if with == nil {
			loaded, err := s.load(ctx, companyID, projectID)
			if err != nil || loaded == nil {
				return found{question: lexical.NewStats().Question(q.Text, q.History...), mode: Keyword}, err
			}
			with, fresh = loaded, true
		}
		f, err := s.ask(ctx, companyID, projectID, with, q)
		switch {
		case err != nil, len(f.rows) > 0 && with.inForce(f.rows[0].StatsUpdatedAt, f.rows[0].VectorModel),
			len(f.rows) == 0 && fresh && !with.promoted:
			return f, err
		case len(f.rows) > 0:
			with, fresh = nil, false
			continue
		}
		loaded, err := s.load(ctx, companyID, projectID)
		if err != nil || loaded == nil || with.inForce(loaded.updatedAt, loaded.model) {
			return f, err
		}
		with, fresh = loaded, true
	}
	return s.askExactly(ctx, companyID, projectID, q)
}

// askExactly judges every chunk, which no change of the indexes touches.
func (s *Service) askExactly(ctx context.Context, companyID, projectID string, q *Query) (found, error) {
	loaded, err := s.load(ctx, companyID, projectID)
	if err != nil || loaded == nil {
		return found{question: lexical.NewStats().Question(q.Text, q.History...), mode: Keyword}, err
	}
	exact := *loaded
	exact.promoted = false
	return s.ask(ctx, companyID, projectID, &exact, q)
}

// ask weighs the question and looks for the best chunks.
func (s *Service) ask(ctx context.Context, companyID, projectID string, with *stats, q *Query) (found, error) {
	f := found{question: with.frequency.Question(q.Text, q.History...), mode: Keyword}
	model, err := s.read(ctx, with.model, q, &f)
	if err != nil {
		return f, err
	}
	terms := f.question.Vector()
	if len(terms) == 0 && model == "" {
		return f, nil
	}
	filters, err := anyOf(q.Filters)
	if err != nil {
		return f, err
	}
	p := dbsqlc.ChunkSearchParams{
		CompanyID: companyID, ProjectID: projectID, Query: sparse(terms), Model: model, Vector: dense(f.vector),
		Semantic: f.mode == Semantic, Filters: filters, Grounds: append([]int64{}, q.Grounds...), RowLimit: int32(max(listed, q.TopK)),
	}
	if with.promoted && filters == nil {
		if err := s.indexed(ctx, with, &p, terms); err != nil {
			return f, err
		}
	}
	f.rows, err = s.chunks(ctx, p)
	return f, err
}

// chunks reads the candidates.
func (s *Service) chunks(ctx context.Context, p dbsqlc.ChunkSearchParams) ([]dbsqlc.ChunkSearchRow, error) {
	return dbsqlc.New().ChunkSearch(ctx, s.store.Kept(), p)
}

// read has the model read the question, where the mode wants meaning, and says which
// vectors to compare; none where the project has none of a model that is at hand, or the
// model fails: words answer then.
func (s *Service) read(ctx context.Context, model string, q *Query, f *found) (string, error) {
	if q.Mode == Keyword || model == "" || s.vectors == nil || !s.vectors.Has(model) {
		return "", nil
	}
	inTime, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	vectors, err := s.vectors.QueryAll(inTime, model, readings(q))
	if ctx.Err() != nil {
		return "", fmt.Errorf("read the question: %w", ctx.Err())
	}
	if err != nil {
		s.log.WarnContext(ctx, "the question was not read by the embedding model, words alone decide",
			slog.String("model", model), slog.Any("error", err))
		return "", nil
	}
	f.vector, f.last, f.mode = mean(vectors), vectors[0], Hybrid
	if q.Mode == Semantic {
		f.mode = Semantic
	}
	return model, nil
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
		project: companyID + "/" + projectID, updatedAt: row.UpdatedAt, model: row.VectorModel,
		promoted: row.Promoted, postingsUntil: row.PostingsUntil, chunks: row.LiveChunks,
		frequency: lexical.Unpack(int(row.ChunkCount), row.Terms, row.Counts),
	}
	s.stats.put(loaded)
	return loaded, nil
}

// sparse is the question's words as a vector of the database.
func sparse(terms []lexical.Term) pgvector.SparseVector {
	weights := make(map[int32]float32, len(terms))
	for _, t := range terms {
		weights[t.Index] = t.Weight
	}
	return pgvector.NewSparseVectorFromMap(weights, lexical.Dimensions)
}

// dense is the question's meaning as a vector of the database, which knows none without
// dimensions.
func dense(vector []float32) pgvector.HalfVector {
	if vector == nil {
		return pgvector.NewHalfVector([]float32{0})
	}
	return pgvector.NewHalfVector(vector)
}

// anyOf writes filters as the query takes them: a list of values for each key; nil for none.
func anyOf(filters map[string]any) ([]byte, error) {
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
	written, err := json.Marshal(lists)
	if err != nil {
		return nil, fmt.Errorf("write the filters: %w", err)
	}
	return written, nil
}
