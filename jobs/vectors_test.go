package jobs_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/embedding"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/modelhost"
	"docqa/jobs"
	"docqa/jobs/jobargs"
)

// vectorsOf returns the service that makes vectors with one model.
func vectorsOf(ctx context.Context, s *store.Store, setting string) (*embedding.Service, error) {
	parsed, err := models.ParseEmbedding(setting)
	if err != nil {
		return nil, err
	}
	e, err := embed.Open(ctx, parsed, embed.Options{Client: http.DefaultClient})
	if err != nil {
		return nil, err
	}
	return embedding.New(embedding.Deps{Store: s, Models: search.NewModels(e), Clock: clock.System()}), nil
}

const countVectors = "select count(*) from chunk_vectors join chunk_sentences using (company_id, project_id, chunk_id, model) where model = $1"

// pages indexes a document of n chunks, one for each page, as a process without models does.
func (p *bundle) pages(t *testing.T, n int) {
	t.Helper()
	pages := make([]string, n)
	for i := range pages {
		pages[i] = fmt.Sprintf("Page %d speaks about the grinder. It weighs %d kilograms.", i, i)
	}
	factory.Document(t, p.Store, p.Tenant, p.project(), "grinder.txt", pages...)
	_, err := p.Store.Pool().Exec(p.ctx(), "update documents set status = 'indexed'") // otherwise the sweep removes it as an abandoned reservation
	require.NoError(t, err)
	_, err = p.Store.Pool().Exec(p.ctx(), `insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, live_chunks)
		values ($1, $2, $3, 0, '{}', '{}', $3)`, p.CompanyID, p.project(), n)
	require.NoError(t, err)
}

// TestBuildVectors_atStart: a process that starts with a model builds the missing vectors.
func TestBuildVectors_atStart(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	p.pages(t, 90)
	h := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	var err error
	p.Vectors, err = vectorsOf(t.Context(), p.Store, "openai:"+h.URL+"#a")
	require.NoError(t, err)
	p.run(t)
	until(t, p, "a", "select vector_model from project_lexstats")
	require.Equal(t, 90, ask[int](t, p, countVectors, "a"))
	until(t, p, 1, "select count(*) from river_job where kind = 'build_vectors' and state = 'completed'")
}

// TestBuildVectors_needsAModel: a process without models leaves the vectors to other processes.
func TestBuildVectors_needsAModel(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	p.pages(t, 3)
	queue, err := jobs.NewInserter(p.Store.Pool().Pool, p.Logger)
	require.NoError(t, err)
	_, err = queue.Insert(p.ctx(), jobargs.BuildVectors{CompanyID: p.CompanyID, ProjectID: p.project()}, nil)
	require.NoError(t, err)
	p.run(t)
	for n := range 10 {
		_, err = queue.Insert(p.ctx(), jobargs.SettleProject{CompanyID: p.CompanyID, ProjectID: p.project()}, nil)
		require.NoError(t, err)
		until(t, p, n+1, "select count(*) from river_job where kind = 'settle_project' and state = 'completed'")
	}
	require.Equal(t, "available after 0 attempts", ask[string](t, p, "select state || ' after ' || attempt || ' attempts' from river_job where kind = 'build_vectors'"))

	p.Vectors, err = vectorsOf(t.Context(), p.Store, "openai:"+modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI).URL+"#a")
	require.NoError(t, err)
	p.run(t)
	until(t, p, 1, "select count(*) from river_job where kind = 'build_vectors' and state = 'completed'")
	require.Equal(t, 3, ask[int](t, p, countVectors, "a"))
}
