package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/apitest"
)

type object = map[string]any

func projectPath(projectID string) string { return "/v1/projects/" + projectID }

// ragIndexed sends a document to the retrieval API and waits until it is indexed.
func ragIndexed(t *testing.T, e *apitest.Env, body object) (documentID string) {
	t.Helper()
	a := e.Rag(t, http.MethodPost, "/v1/rag/ingest", body).Require(t, http.StatusAccepted)
	job := e.RagJob(t, a.Text(t, "jobId"))
	require.Equal(t, "completed", job.Text(t, "status"), "%s", job.Body)
	return a.Text(t, "documentId")
}
