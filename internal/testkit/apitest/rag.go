package apitest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Rag calls an operation of the retrieval API with its service key.
func (e *Env) Rag(t *testing.T, method, path string, body any) *Answer {
	t.Helper()
	return e.Do(t, Call{Method: method, Path: path, Token: RagKey, Body: body})
}

// RagJob waits until a job of the retrieval API has ended and returns it.
func (e *Env) RagJob(t *testing.T, jobID string) *Answer {
	t.Helper()
	var job *Answer
	require.Eventually(t, func() bool {
		job = e.Rag(t, http.MethodGet, "/v1/rag/jobs/"+jobID, nil).Require(t, http.StatusOK)
		return job.Get(t, "completedAt") != nil
	}, 2*time.Minute, 20*time.Millisecond)
	return job
}
