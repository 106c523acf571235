package search_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/sentvec"
	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// meanings is a model that knows a few subjects, each a direction, and counts its calls.
type meanings struct {
	name  string
	fails error
	asked *[]string
}

// subjects are words of one meaning; the last direction is that of everything else.
var subjects = [][]string{{"warranty", "guarantee", "faults"}, {"delivery", "shipping", "postage"}, {"workshop", "garage"}}

func (m meanings) Has(model string) bool { return model == m.name }

func (m meanings) QueryAll(_ context.Context, _ string, texts []string) ([][]float32, error) {
	if m.asked != nil {
		*m.asked = append(*m.asked, texts...)
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = meaning(text)
	}
	return vectors, m.fails
}

func meaning(text string) []float32 {
	v := make([]float32, len(subjects)+1)
	for i, words := range subjects {
		for _, w := range words {
			if strings.Contains(strings.ToLower(text), w) {
				v[i] = 1
				return v
			}
		}
	}
	v[len(subjects)] = 1
	return v
}

// embedded gives the tenant's chunks the vectors of a model and takes them into use.
func embedded(t *testing.T, s *store.Store, ten factory.Tenant, model string) {
	t.Helper()
	ctx, q, project := ten.Context(t.Context()), dbsqlc.New(), ten.Project.ProjectID
	rows, err := q.ChunkVectorsMissing(ctx, s.Pool(), dbsqlc.ChunkVectorsMissingParams{
		CompanyID: ten.CompanyID, ProjectID: project, Model: model, RowLimit: 100,
	})
	require.NoError(t, err)
	for _, row := range rows {
		q.ChunkVectorsInsert(ctx, s.Pool(), []dbsqlc.ChunkVectorsInsertParams{{
			CompanyID: ten.CompanyID, ProjectID: project, ChunkID: row.ChunkID, Model: model, Embedding: pgvector.NewHalfVector(meaning(row.Body)),
		}}).Exec(func(_ int, err error) { require.NoError(t, err) })
		end := strings.Index(row.Body, ".") + 1
		q.ChunkSentencesInsert(ctx, s.Pool(), []dbsqlc.ChunkSentencesInsertParams{{
			CompanyID: ten.CompanyID, ProjectID: project, ChunkID: row.ChunkID, Model: model,
			Vectors: sentvec.Pack([]sentvec.Sentence{{Start: 0, End: end, Vector: meaning(row.Body[:end])}}),
		}}).Exec(func(_ int, err error) { require.NoError(t, err) })
	}
	_, err = s.Pool().Exec(ctx, "update project_lexstats set vector_model = $1 where company_id = $2 and project_id = $3", model, ten.CompanyID, project)
	require.NoError(t, err)
}

func TestService_Search_byMeaning(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten, other := corpus(t, s), corpus(t, s)
	embedded(t, s, ten, "m@1")
	embedded(t, s, other, "m@1")
	svc := search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: meanings{name: "m@1"}})
	find := func(t *testing.T, q search.Query) search.Result {
		t.Helper()
		q.TopK = max(q.TopK, 10)
		res, err := svc.Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID, q)
		require.NoError(t, err)
		require.True(t, slices.IsSortedFunc(res.Passages, func(a, b search.Passage) int { return cmpScores(b, a) }))
		for _, p := range res.Passages {
			require.Greater(t, p.Score, 0.0)
			require.LessOrEqual(t, p.Score, 1.0)
		}
		return res
	}
	t.Run("other words of the same meaning find it", func(t *testing.T) {
		t.Parallel()
		for _, mode := range []search.Mode{search.Semantic, search.Hybrid, ""} {
			res := find(t, search.Query{Text: "Is there a guarantee?", Mode: mode, Threshold: 0.2})
			require.Len(t, res.Passages, 1)
			p := res.Passages[0]
			require.Equal(t, warranty, p.Body)
			require.InDelta(t, 1, p.Cosine, 1e-3)
			require.Zero(t, p.Lexical)
			require.InDelta(t, 1, p.Score, 1e-3)
			require.Equal(t, []sentvec.Score{{Start: 0, End: strings.Index(warranty, ".") + 1, Cosine: p.Sentences[0].Cosine}}, p.Sentences)
			require.InDelta(t, 1, p.Sentences[0].Cosine, 0.02)
			require.InDelta(t, 1, res.Signals.BestCosine, 1e-3)
		}
		require.Empty(t, find(t, search.Query{Text: "Is there a guarantee?", Mode: search.Keyword}).Passages)
	})
	t.Run("the mode is what was searched by", func(t *testing.T) {
		t.Parallel()
		for ask, want := range map[search.Mode]search.Mode{
			"": search.Hybrid, search.Hybrid: search.Hybrid, search.Semantic: search.Semantic, search.Keyword: search.Keyword,
		} {
			require.Equal(t, want, find(t, search.Query{Text: "delivery to Iceland", Mode: ask}).Mode)
		}
	})
	t.Run("semantic ignores words, keyword ignores meaning, hybrid has both", func(t *testing.T) {
		t.Parallel()
		const text = "Is shipping free when goods are returned?"
		require.Equal(t, delivery, find(t, search.Query{Text: text, Mode: search.Semantic}).Passages[0].Body)
		require.Equal(t, returns, find(t, search.Query{Text: text, Mode: search.Keyword}).Passages[0].Body)
		both := find(t, search.Query{Text: text})
		require.Equal(t, returns, both.Passages[0].Body, "by words and by its postage")
		require.Positive(t, both.Passages[0].Lexical)
		require.Positive(t, both.Signals.SemanticWeight)
		require.Less(t, both.Signals.SemanticWeight, 1.0)
	})
	t.Run("earlier turns and the passages of earlier answers count", func(t *testing.T) {
		t.Parallel()
		res := find(t, search.Query{Text: "How long?", History: []string{"I ask about the guarantee."}})
		require.Equal(t, warranty, res.Passages[0].Body)
		require.InDelta(t, 0.5, res.Passages[0].Cosine, 1e-3, "the mean of the last turn and of all turns")
		cited := find(t, search.Query{Text: "returned"}).Passages[0].ChunkID
		res = find(t, search.Query{Text: "guarantee", Mode: search.Keyword, CitedChunks: []int64{cited, 1 << 60}})
		require.Empty(t, res.Passages, "a passage without a word in common is none by words")
	})
	t.Run("reranking is said, and its scores fall", func(t *testing.T) {
		t.Parallel()
		res := find(t, search.Query{Text: "How many days does delivery of goods under warranty take?", Rerank: true, RerankTopK: 2})
		require.True(t, res.Reranked)
		require.Len(t, res.Passages, 2)
		require.GreaterOrEqual(t, *res.Passages[0].RerankScore, *res.Passages[1].RerankScore)
		plain := find(t, search.Query{Text: "How many days does delivery of goods under warranty take?", RerankTopK: 2})
		require.False(t, plain.Reranked)
		require.Greater(t, len(plain.Passages), 2)
		require.Nil(t, plain.Passages[0].RerankScore)
	})
}

func cmpScores(a, b search.Passage) int {
	switch {
	case a.Score < b.Score:
		return -1
	case a.Score > b.Score:
		return 1
	}
	return 0
}

func TestService_Search_withoutVectors(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten, bare := corpus(t, s), corpus(t, s)
	embedded(t, s, ten, "m@1")
	for _, tt := range []struct {
		name    string
		vectors search.Vectors
		ten     factory.Tenant
	}{
		{"the process has no models", nil, ten},
		{"the process has another model", meanings{name: "m@2"}, ten},
		{"the project has no vectors", meanings{name: "m@1"}, bare},
		{"the model fails", meanings{name: "m@1", fails: errors.New("the model is away")}, ten},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			svc := search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: tt.vectors})
			for _, mode := range []search.Mode{search.Semantic, search.Hybrid} {
				res, err := svc.Search(tt.ten.Context(t.Context()), tt.ten.CompanyID, tt.ten.Project.ProjectID,
					search.Query{Text: "delivery to Iceland", Mode: mode, TopK: 10})
				require.NoError(t, err)
				require.Equal(t, search.Keyword, res.Mode, "words answer, and the answer says so")
				require.Equal(t, delivery, res.Passages[0].Body)
				require.Zero(t, res.Passages[0].Cosine)
				require.Empty(t, res.Passages[0].Sentences)
			}
		})
	}
}

func TestService_Search_switchOfModel(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	svc := search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: meanings{name: "m@1"}})
	mode := func() search.Mode {
		res, err := svc.Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID, search.Query{Text: "delivery guarantee", TopK: 10})
		require.NoError(t, err)
		require.NotEmpty(t, res.Passages)
		return res.Mode
	}
	require.Equal(t, search.Keyword, mode())
	embedded(t, s, ten, "m@1")
	require.Equal(t, search.Hybrid, mode(), "at once, without being told")
	embedded(t, s, ten, "m@2")
	require.Equal(t, search.Keyword, mode())
}

func TestService_Search_filters(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	embedded(t, s, ten, "m@1")
	ctx := ten.Context(t.Context())
	for filename, metadata := range map[string]string{
		"warranty-terms.txt": `{"team": "service", "year": 2026, "public": true}`,
		"delivery.txt":       `{"team": "service", "year": 2025.5, "public": false}`,
		"returns.txt":        `{"team": "shop", "year": "2026"}`,
	} {
		_, err := s.Pool().Exec(ctx, "update documents set metadata = $1 where company_id = $2 and filename = $3", metadata, ten.CompanyID, filename)
		require.NoError(t, err)
	}
	svc := search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: meanings{name: "m@1"}})
	for _, tt := range []struct {
		name    string
		filters map[string]any
		want    []string
	}{
		{"none", nil, []string{"delivery", "returns", "warranty terms"}},
		{"a value", map[string]any{"team": "service"}, []string{"delivery", "warranty terms"}},
		{"a list of values", map[string]any{"team": []any{"shop", "other"}}, []string{"returns"}},
		{"all keys must hold", map[string]any{"team": "service", "year": 2026}, []string{"warranty terms"}},
		{"numbers are compared as numbers", map[string]any{"year": 2025.50}, []string{"delivery"}},
		{"a text is no number", map[string]any{"year": "2026"}, []string{"returns"}},
		{"booleans", map[string]any{"public": false}, []string{"delivery"}},
		{"a key that no document has", map[string]any{"colour": "red"}, nil},
		{"an empty list", map[string]any{"team": []any{}}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []search.Mode{search.Keyword, search.Hybrid, search.Semantic} {
				res, err := svc.Search(ctx, ten.CompanyID, ten.Project.ProjectID, search.Query{
					Text: "delivery warranty goods days postage", TopK: 10, Mode: mode, Filters: tt.filters,
				})
				require.NoError(t, err)
				var titles []string
				for _, p := range res.Passages {
					titles = append(titles, p.Title)
				}
				slices.Sort(titles)
				if mode == search.Semantic { // a semantic search may find any of them
					require.Subset(t, tt.want, titles)
					continue
				}
				require.Equal(t, tt.want, slices.Compact(titles), mode)
			}
		})
	}
}
