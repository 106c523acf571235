package search_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"docqa/internal/engine/sentvec"
	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

const (
	benchModel      = "random@1"
	benchDimensions = 384
	benchSentences  = 8 // of a passage
)

// random is a model whose vectors mean nothing, and cost nothing.
type random struct{ vectors [][]float32 }

func (random) Has(model string) bool { return model == benchModel }

func (r random) QueryAll(_ context.Context, _ string, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = r.vectors[len(text)%len(r.vectors)]
	}
	return out, nil
}

// BenchmarkSearch measures a search of 1,000 passages of 150 words, in interleaved rounds
// beside SELECT 1 through pgx: without the time to embed the question.
func BenchmarkSearch(b *testing.B) {
	s := dbtest.New(b)
	ten := factory.NewTenant(b, s, factory.TenantOpts{})
	r := rand.New(rand.NewPCG(1, 2))
	words := fill(b, s, ten, r, 20)
	model := random{vectors: fillVectors(b, s, ten, r)}
	svc := search.New(search.Deps{Store: s, Clock: clock.System(), Vectors: model})
	ctx := ten.Context(b.Context())
	searches := []search.Query{
		{Mode: search.Keyword},
		{Mode: search.Keyword, Rerank: true},
		{Mode: search.Semantic},
		{Mode: search.Hybrid},
		{Mode: search.Hybrid, Rerank: true},
	}
	took, selects := make([][]time.Duration, len(searches)), []time.Duration{}
	for b.Loop() {
		n := len(selects)
		for i, q := range searches {
			q.Text, q.TopK = question(words, n), 8
			began := time.Now()
			_, err := svc.Search(ctx, ten.CompanyID, ten.Project.ProjectID, q)
			require.NoError(b, err)
			took[i] = append(took[i], time.Since(began))
		}
		began := time.Now()
		_, err := s.Pool().Exec(ctx, "select 1")
		require.NoError(b, err)
		selects = append(selects, time.Since(began))
	}
	for i, q := range searches {
		b.ReportMetric(median(took[i]).Seconds()*1e3, fmt.Sprintf("%s,rerank=%t-ms", q.Mode, q.Rerank))
	}
	b.ReportMetric(median(selects).Seconds()*1e3, "select1-ms")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// fill indexes documents of 50 passages with the word frequencies of a language.
func fill(b *testing.B, s *store.Store, ten factory.Tenant, r *rand.Rand, documents int) []string {
	b.Helper()
	zipf := rand.NewZipf(r, 1.1, 4, 8000)
	vocabulary := make([]string, 8001)
	for i := range vocabulary {
		for n := i + 21; n > 0; n /= 21 {
			vocabulary[i] += string("bcdfghjklmnpqrstvwxyz"[n%21]) + string("aeiou"[(n+i)%5])
		}
	}
	for d := range documents {
		pages := make([]string, 50)
		for p := range pages {
			var text strings.Builder
			for w := range 150 {
				text.WriteString(vocabulary[zipf.Uint64()])
				text.WriteString(map[bool]string{true: ". The ", false: " "}[w%12 == 11])
			}
			pages[p] = text.String()
		}
		factory.Document(b, s, ten, ten.Project.ProjectID, fmt.Sprintf("document-%d.txt", d), pages...)
	}
	factory.Reindex(b, s, ten, ten.Project.ProjectID, factory.Epoch())
	return vocabulary
}

// fillVectors gives every passage and its sentences a vector, and answers some more.
func fillVectors(b *testing.B, s *store.Store, ten factory.Tenant, r *rand.Rand) [][]float32 {
	b.Helper()
	ctx, project := ten.Context(b.Context()), ten.Project.ProjectID
	rows, err := s.Pool().Query(ctx, "select chunk_id from chunks where company_id = $1 and project_id = $2", ten.CompanyID, project)
	require.NoError(b, err)
	chunks, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(b, err)
	batch := &pgx.Batch{}
	for _, id := range chunks {
		sentences := make([]sentvec.Sentence, benchSentences)
		for i := range sentences {
			sentences[i] = sentvec.Sentence{Start: i * 100, End: i*100 + 99, Vector: unit(r)}
		}
		batch.Queue("insert into chunk_vectors (company_id, project_id, model, chunk_id, embedding) values ($1, $2, $3, $4, $5)",
			ten.CompanyID, project, benchModel, id, pgvector.NewHalfVector(unit(r)))
		batch.Queue("insert into chunk_sentences (company_id, project_id, chunk_id, model, vectors) values ($1, $2, $3, $4, $5)",
			ten.CompanyID, project, id, benchModel, sentvec.Pack(sentences))
	}
	batch.Queue("update project_lexstats set vector_model = $1 where company_id = $2 and project_id = $3", benchModel, ten.CompanyID, project)
	require.NoError(b, s.Pool().SendBatch(ctx, batch).Close())
	_, err = s.Pool().Exec(ctx, "select 1")
	require.NoError(b, err)
	vectors := make([][]float32, 97)
	for i := range vectors {
		vectors[i] = unit(r)
	}
	return vectors
}

func unit(r *rand.Rand) []float32 {
	v := make([]float32, benchDimensions)
	for i := range v {
		v[i] = float32(r.NormFloat64()) / 19.6 // the root of the dimensions
	}
	return v
}

func question(words []string, i int) string {
	at := func(k int) string { return words[(i*7919+k*104729)%2000] }
	return "How long does " + at(1) + " " + at(2) + " take after " + at(3) + " " + at(4) + " and " + at(5) + "?"
}
