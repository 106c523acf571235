package ragapi_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/search"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/modelhost"
)

// setupModels starts an installation with the models old and new, the first of which is the default.
func setupModels(t *testing.T) *bundle {
	t.Helper()
	host := modelhost.NewEmbeddings(t, modelhost.EmbeddingsOpenAI)
	var embedders []embed.Embedder
	for _, name := range []string{"old", "new"} {
		setting, err := models.ParseEmbedding("openai:" + host.URL + "#" + name)
		require.NoError(t, err)
		e, err := embed.Open(t.Context(), setting, embed.Options{Client: http.DefaultClient})
		require.NoError(t, err)
		embedders = append(embedders, e)
	}
	installed := search.NewModels(embedders...)
	objects := blobtest.New(t)
	e := apitest.New(t, apitest.Options{Objects: objects, Models: installed})
	require.NoError(t, installed.Register(t.Context(), e.Store))
	s := &bundle{Env: e, company: e.Company(t, "growth"), objects: objects}
	s.project = s.company.Project(t)
	return s
}

// vectored waits until the vectors of every document were made: they follow its words.
func (s *bundle) vectored(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		return s.count(t, "select count(*) from documents where vector_models = '{}'") == 0
	}, 30*time.Second, 5*time.Millisecond)
}

func (s *bundle) reindex(t *testing.T, body any) *apitest.Answer {
	t.Helper()
	return s.call(t, http.MethodPost, s.path("/reindex"), body)
}

func TestRagReindex(t *testing.T) {
	t.Parallel()
	s := setupModels(t)
	s.Work(t)
	for _, id := range []string{"a", "b", "c"} {
		s.indexed(t, map[string]any{"documentId": id, "text": "Text " + id + " speaks of airships."})
	}
	s.vectored(t)
	vectorsOf := func(model string) int {
		return s.count(t, "select count(*) from chunk_vectors where model = $1", model)
	}
	active := func(model string) int {
		return s.count(t, "select count(*) from project_lexstats where vector_model = $1", model)
	}
	require.Equal(t, 3, vectorsOf("old"))
	list, _, _ := s.issues(t, http.MethodGet)
	require.Empty(t, list)

	a := s.reindex(t, map[string]any{"embeddingModel": "new"}).Require(t, http.StatusAccepted)
	job := s.RagJob(t, a.Text(t, "jobId"))
	require.Equal(t, "reindex", job.Text(t, "type"))
	require.Equal(t, "completed", job.Text(t, "status"))
	require.Equal(t, map[string]any{"total": 3.0, "done": 3.0, "failed": 0.0}, job.Get(t, "progress"))
	require.Equal(t, []int{0, 3, 1}, []int{vectorsOf("old"), vectorsOf("new"), active("new")})

	s.exec(t, "delete from chunk_vectors where chunk_id = (select min(chunk_id) from chunks)")
	again := s.reindex(t, nil).Require(t, http.StatusAccepted)
	require.Equal(t, "completed", s.RagJob(t, again.Text(t, "jobId")).Text(t, "status"))
	require.Equal(t, []int{0, 3, 1}, []int{vectorsOf("old"), vectorsOf("new"), active("new")}, "the model stays the same")

	s.exec(t, "update chunk_vectors set embedding = '[1,2]' where chunk_id = (select min(chunk_id) from chunks)")
	list, repaired, _ := s.issues(t, http.MethodPost)
	require.Equal(t, 1, repaired)
	require.Equal(t, "dimension_mismatch", list[0].Type)
	s.settled(t)
	list, _, _ = s.issues(t, http.MethodGet)
	require.Empty(t, list)

	s.reindex(t, map[string]any{"embeddingModel": "unheard-of"}).RequireError(t, http.StatusBadRequest, "unknown_model")
	s.call(t, http.MethodPost, "/v1/rag/projects/"+ids.New(ids.Project)+"/reindex", nil).RequireError(t, http.StatusNotFound, "not_found")
}

func TestRagReindex_WhileOneRuns(t *testing.T) {
	t.Parallel()
	s := setupModels(t)
	s.exec(t, `insert into project_lexstats (company_id, project_id, chunk_count, average_length, terms, counts, vector_model)
		values ($1, $2, 1, 0, '{}', '{}', 'old')`, s.company.ID, s.project.ProjectID)
	document := s.company.Document(t, s.project.ProjectID, "indexed")
	s.exec(t, `insert into chunks (company_id, project_id, document_id, ordinal, start_offset, end_offset, body)
		values ($1, $2, $3, 0, 0, 1, 'x')`, s.company.ID, s.project.ProjectID, document)
	first := s.reindex(t, map[string]any{"embeddingModel": "new"}).Require(t, http.StatusAccepted).Text(t, "jobId")
	require.Equal(t, first, s.reindex(t, map[string]any{"embeddingModel": "new"}).Text(t, "jobId"), "its job is answered")
	second := s.reindex(t, nil).Require(t, http.StatusAccepted).Text(t, "jobId")
	require.NotEqual(t, first, second)
	require.Equal(t, "canceled", s.RagJob(t, first).Text(t, "status"), "another model overtakes it")
	s.Work(t)
	require.Equal(t, "completed", s.RagJob(t, second).Text(t, "status"))
	require.Equal(t, 1, s.count(t, "select count(*) from project_lexstats where vector_model = 'old'"))
}

func TestRagReindex_WithoutModels(t *testing.T) {
	t.Parallel()
	s := setup(t)
	a := s.reindex(t, nil).Require(t, http.StatusAccepted)
	require.Equal(t, "completed", s.RagJob(t, a.Text(t, "jobId")).Text(t, "status"))
	s.reindex(t, map[string]any{"embeddingModel": "any"}).RequireError(t, http.StatusBadRequest, "unknown_model")
}

func TestRagReindex_BeforeTheFirstDocument(t *testing.T) {
	t.Parallel()
	s := setupModels(t)
	s.Work(t)
	a := s.reindex(t, map[string]any{"embeddingModel": "new"}).Require(t, http.StatusAccepted)
	require.Equal(t, "completed", s.RagJob(t, a.Text(t, "jobId")).Text(t, "status"))
	s.indexed(t, map[string]any{"text": "Airships are read by the model that was chosen."})
	s.vectored(t)
	require.Equal(t, 1, s.count(t, "select count(*) from chunk_vectors where model = 'new'"))
}
