package ragapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/provider/blob"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
)

// bundle is a running installation with one company and its project.
type bundle struct {
	*apitest.Env

	company *apitest.Company
	project dbsqlc.Project
	objects *blob.Store
}

// setup starts an installation whose project is empty.
func setup(t *testing.T) *bundle {
	t.Helper()
	objects := blobtest.New(t)
	e := apitest.New(t, apitest.Options{Objects: objects, AllowCIDRs: []string{"127.0.0.0/8"}})
	b := &bundle{Env: e, company: e.Company(t, "growth"), objects: objects}
	b.project = b.company.Project(t)
	return b
}

// setupShop starts an installation whose project holds documents.
func setupShop(t *testing.T) *bundle {
	t.Helper()
	shop := apitest.NewShop(t)
	return &bundle{Env: shop.Env, company: shop.Company, project: shop.Project}
}

func (s *bundle) call(t *testing.T, method, path string, body any) *apitest.Answer {
	t.Helper()
	return s.Rag(t, method, path, body)
}

// ingest brings a document; what body lacks is the project and a title.
func (s *bundle) ingest(t *testing.T, body map[string]any) *apitest.Answer {
	t.Helper()
	if _, ok := body["projectId"]; !ok {
		body["projectId"] = s.project.ProjectID
	}
	if _, ok := body["title"]; !ok {
		body["title"] = "Delivery times"
	}
	return s.call(t, http.MethodPost, "/v1/rag/ingest", body)
}

// indexed brings a document and waits for it.
func (s *bundle) indexed(t *testing.T, body map[string]any) (documentID string) {
	t.Helper()
	a := s.ingest(t, body).Require(t, http.StatusAccepted)
	job := s.RagJob(t, a.Text(t, "jobId"))
	require.Equal(t, "completed", job.Text(t, "status"), "%s", job.Body)
	return a.Text(t, "documentId")
}

// found searches and returns the results.
func (s *bundle) found(t *testing.T, query string) []map[string]any {
	t.Helper()
	var answer struct{ Results []map[string]any }
	s.call(t, http.MethodPost, "/v1/rag/search", map[string]any{"projectId": s.project.ProjectID, "query": query}).
		Require(t, http.StatusOK).Into(t, &answer)
	return answer.Results
}
