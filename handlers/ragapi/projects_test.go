package ragapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

func (s *bundle) path(operation string) string {
	return "/v1/rag/projects/" + s.project.ProjectID + operation
}

// exec damages or looks at rows of the company.
func (s *bundle) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := s.Store.Pool().Exec(s.company.Context(t), sql, args...)
	require.NoError(t, err)
}

func (s *bundle) count(t *testing.T, sql string, args ...any) (n int) {
	t.Helper()
	require.NoError(t, s.Store.Pool().QueryRow(s.company.Context(t), sql, args...).Scan(&n))
	return n
}

func (s *bundle) text(t *testing.T, sql string, args ...any) (text string) {
	t.Helper()
	require.NoError(t, s.Store.Pool().QueryRow(s.company.Context(t), sql, args...).Scan(&text))
	return text
}

func (s *bundle) objectCount(t *testing.T) (n int) {
	t.Helper()
	for _, err := range s.objects.List(t.Context(), "documents/"+s.company.ID+"/", "") {
		require.NoError(t, err)
		n++
	}
	return n
}

func TestRagRetryFailed(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Work(t)
	var up atomic.Bool
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if !up.Load() {
			http.Error(w, "down", http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "text/plain")
		_, _ = w.Write([]byte("Hovercraft skirts are replaced yearly."))
	}))
	t.Cleanup(site.Close)
	none := s.call(t, http.MethodPost, s.path("/retry-failed"), nil).Require(t, http.StatusAccepted)
	require.InDelta(t, 0, none.Get(t, "documentCount"), 0)
	require.Equal(t, "completed", s.RagJob(t, none.Text(t, "jobId")).Text(t, "status"))

	a := s.ingest(t, map[string]any{"documentId": "skirts", "url": site.URL + "/skirts"}).Require(t, http.StatusAccepted)
	require.Equal(t, "failed", s.RagJob(t, a.Text(t, "jobId")).Text(t, "status"))
	up.Store(true)
	retried := s.call(t, http.MethodPost, s.path("/retry-failed"), nil).Require(t, http.StatusAccepted)
	require.InDelta(t, 1, retried.Get(t, "documentCount"), 0)
	job := s.RagJob(t, retried.Text(t, "jobId"))
	require.Equal(t, "batch", job.Text(t, "type"))
	require.Equal(t, "completed", job.Text(t, "status"))
	require.Equal(t, "skirts.txt", s.found(t, "hovercraft")[0]["location"])
	require.Equal(t, "failed", s.RagJob(t, a.Text(t, "jobId")).Text(t, "status"), "the first job stays as it ended")
}

func TestRagDeleteDocument(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Work(t)
	remove := func(t *testing.T, id, projectID string) *apitest.Answer {
		t.Helper()
		path := "/v1/rag/documents/" + id
		if projectID != "" {
			path += "?projectId=" + projectID
		}
		return s.call(t, http.MethodDelete, path, nil)
	}
	other := s.company.Project(t)
	s.indexed(t, map[string]any{"documentId": "only-here", "text": "Monorails run on one rail."})
	s.indexed(t, map[string]any{"documentId": "both", "text": "Funiculars are pulled by cables."})
	s.indexed(t, map[string]any{"documentId": "both", "text": "Another text.", "projectId": other.ProjectID})
	own := s.indexed(t, map[string]any{"text": "Ropeways sway."})

	remove(t, "both", "").RequireError(t, http.StatusConflict, "ambiguous_document")
	remove(t, "both", ids.New(ids.Project)).RequireError(t, http.StatusNotFound, "not_found")
	remove(t, "only-here", other.ProjectID).RequireError(t, http.StatusNotFound, "not_found")
	for id, project := range map[string]string{"only-here": "", "both": s.project.ProjectID, own: ""} { // by ids that are unique, or with the project
		a := remove(t, id, project).Require(t, http.StatusOK)
		require.Equal(t, map[string]any{"documentId": id, "deleted": true, "chunksDeleted": 1.0}, map[string]any{
			"documentId": a.Get(t, "documentId"), "deleted": a.Get(t, "deleted"), "chunksDeleted": a.Get(t, "chunksDeleted"),
		})
		remove(t, id, s.project.ProjectID).RequireError(t, http.StatusNotFound, "not_found")
	}
	require.Empty(t, s.found(t, "monorails funiculars ropeways"))
	require.Eventually(t, func() bool { return s.objectCount(t) == 1 }, 2*time.Minute, 20*time.Millisecond, "the files are removed")
	s.Do(t, apitest.Call{Method: http.MethodDelete, Path: "/v1/rag/documents/both", As: s.company.Owner}).Require(t, http.StatusUnauthorized)
}

// A repeated deletion that names no project never meets another company's document, whether that was there before or came
// since.
func TestRagDeleteDocument_repeated(t *testing.T) {
	t.Parallel()
	s := setup(t)
	other := s.Company(t, "growth").Project(t)
	remove := func(t *testing.T, query string) *apitest.Answer {
		t.Helper()
		return s.call(t, http.MethodDelete, "/v1/rag/documents/faq-12"+query, nil)
	}
	bring := func(t *testing.T, projectID string) {
		t.Helper()
		s.ingest(t, map[string]any{"documentId": "faq-12", "text": "Trams ring bells.", "projectId": projectID}).Require(t, http.StatusAccepted)
	}
	for _, first := range []string{"", "?projectId=" + s.project.ProjectID} {
		bring(t, s.project.ProjectID)
		remove(t, first).Require(t, http.StatusOK)
		remove(t, first).RequireError(t, http.StatusNotFound, "not_found")
		bring(t, other.ProjectID)
		remove(t, "").RequireError(t, http.StatusConflict, "ambiguous_document")
		remove(t, "?projectId="+s.project.ProjectID).RequireError(t, http.StatusNotFound, "not_found")
		remove(t, "?projectId="+other.ProjectID).Require(t, http.StatusOK)
		remove(t, "").RequireError(t, http.StatusNotFound, "not_found")
		s.exec(t, "delete from deleted_document_ids") // as after a day
		bring(t, other.ProjectID)
		remove(t, "").Require(t, http.StatusOK)
		s.exec(t, "delete from deleted_document_ids")
	}

	bring(t, s.project.ProjectID)
	s.call(t, http.MethodDelete, "/v1/rag/projects/"+s.project.ProjectID, nil).Require(t, http.StatusAccepted)
	bring(t, other.ProjectID)
	remove(t, "").RequireError(t, http.StatusConflict, "ambiguous_document")
}

// A batch that names one document twice, whichever of its ids it uses, brings it once; the job ends.
func TestRagIngestBatch_oneDocumentTwice(t *testing.T) { //nolint:tparallel // they replace the same document
	t.Parallel()
	s := setup(t)
	s.Work(t)
	own := s.indexed(t, map[string]any{"text": "Ropeways sway."})
	s.indexed(t, map[string]any{"documentId": "tram", "text": "Trams ring bells."})
	var list struct {
		Documents []struct{ DocumentID, Filename string }
	}
	s.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/projects/" + s.project.ProjectID + "/documents", As: s.company.Owner}).Into(t, &list)
	ours := list.Documents[0].DocumentID
	require.Equal(t, "tram.txt", list.Documents[0].Filename)
	for name, batch := range map[string][]string{ //nolint:paralleltest // they replace the same document
		"its own id twice":          {"tram", "tram"},
		"its own id and ours":       {"tram", ours},
		"ours and its own":          {ours, "tram"},
		"ours twice":                {own, own},
		"a new id twice":            {"fresh", "fresh"},
		"three times among others":  {"tram", "a", ours, own, "tram", "b"},
		"twice, the first unusable": {"tram", ours},
	} {
		t.Run(name, func(t *testing.T) {
			var documents []map[string]any
			distinct := map[string]bool{}
			for _, id := range batch {
				documents = append(documents, map[string]any{"documentId": id, "title": "t", "text": "Trams ring bells " + id + " " + name})
				if id == ours {
					id = "tram"
				}
				distinct[id] = true
			}
			if name == "twice, the first unusable" {
				delete(documents[0], "text")
				documents[0]["objectKey"] = "elsewhere/x.txt"
			}
			a := s.call(t, http.MethodPost, "/v1/rag/ingest/batch", map[string]any{"projectId": s.project.ProjectID, "documents": documents}).Require(t, http.StatusAccepted)
			job := s.RagJob(t, a.Text(t, "jobId"))
			require.Equal(t, "completed", job.Text(t, "status"), "%s", job.Body)
			require.InDelta(t, len(distinct), a.Get(t, "accepted"), 0)
			require.InDelta(t, len(distinct), job.Get(t, "progress.total"), 0)
			var answer struct {
				Rejected []struct {
					Index int
					Code  string
				}
			}
			a.Into(t, &answer)
			require.Len(t, answer.Rejected, len(batch)-len(distinct))
			if name == "twice, the first unusable" {
				require.Equal(t, "object_missing", answer.Rejected[0].Code)
				return
			}
			for _, rejected := range answer.Rejected {
				require.Equal(t, "duplicate_document", rejected.Code)
				require.Positive(t, rejected.Index, "the first one counts")
			}
		})
	}
}

// A document that is deleted or replaced while its ingestion runs ends its place in the job.
func TestRagJobs_EndWithTheirDocuments(t *testing.T) {
	t.Parallel()
	s := setup(t) // nobody works
	batch := s.call(t, http.MethodPost, "/v1/rag/ingest/batch", map[string]any{"projectId": s.project.ProjectID, "documents": []map[string]any{
		{"documentId": "a", "title": "a", "text": "a"}, {"documentId": "b", "title": "b", "text": "b"}, {"documentId": "c", "title": "c", "text": "c"},
	}}).Require(t, http.StatusAccepted)
	job := func(t *testing.T) *apitest.Answer {
		t.Helper()
		return s.call(t, http.MethodGet, "/v1/rag/jobs/"+batch.Text(t, "jobId"), nil).Require(t, http.StatusOK)
	}
	require.Equal(t, "queued", job(t).Text(t, "status"))
	require.Nil(t, job(t).Get(t, "startedAt"))
	s.call(t, http.MethodDelete, "/v1/rag/documents/a", nil).Require(t, http.StatusOK)
	require.Equal(t, "running", job(t).Text(t, "status"))
	again := s.ingest(t, map[string]any{"documentId": "b", "text": "b again"}).Require(t, http.StatusAccepted)
	require.Equal(t, map[string]any{"total": 3.0, "done": 0.0, "failed": 2.0}, job(t).Get(t, "progress"))
	s.exec(t, "update documents set status = 'indexed', chunk_count = 1 where external_id = 'c'")
	ended := job(t)
	require.Equal(t, "completed_with_errors", ended.Text(t, "status"))
	require.NotNil(t, ended.Get(t, "completedAt"))
	require.Contains(t, string(ended.Body), `"code":"document_deleted"`)
	require.Contains(t, string(ended.Body), `"code":"superseded"`)
	require.Equal(t, "queued", s.call(t, http.MethodGet, "/v1/rag/jobs/"+again.Text(t, "jobId"), nil).Text(t, "status"))
}

func TestRagDeleteProject(t *testing.T) {
	t.Parallel()
	s := setup(t)
	texts := make([]map[string]any, 45)
	for i := range texts {
		texts[i] = map[string]any{"documentId": "t" + strings.Repeat("x", i), "title": "t", "text": "Trams ring bells."}
	}
	running := s.call(t, http.MethodPost, "/v1/rag/ingest/batch", map[string]any{"projectId": s.project.ProjectID, "documents": texts}).Require(t, http.StatusAccepted)
	other := s.company.Project(t)
	kept := s.ingest(t, map[string]any{"documentId": "kept", "projectId": other.ProjectID, "text": "Kept."}).Require(t, http.StatusAccepted)

	deleted := s.call(t, http.MethodDelete, s.path(""), nil).Require(t, http.StatusAccepted)
	job := s.call(t, http.MethodGet, "/v1/rag/jobs/"+running.Text(t, "jobId"), nil)
	require.Equal(t, "canceled", job.Text(t, "status"))
	require.NotNil(t, job.Get(t, "completedAt"))
	after := s.ingest(t, map[string]any{"documentId": "t", "text": "Trams are back."}).Require(t, http.StatusAccepted)
	s.Work(t)
	done := s.RagJob(t, deleted.Text(t, "jobId"))
	require.Equal(t, "delete", done.Text(t, "type"))
	require.Equal(t, "completed", done.Text(t, "status"))
	require.Equal(t, map[string]any{"total": 45.0, "done": 45.0, "failed": 0.0}, done.Get(t, "progress"))
	for _, a := range []*apitest.Answer{after, kept} {
		require.Equal(t, "completed", s.RagJob(t, a.Text(t, "jobId")).Text(t, "status"))
	}
	list := s.found(t, "trams bells")
	require.Len(t, list, 1, "what was brought afterwards stays")
	require.Contains(t, list[0]["excerpt"], "back")
	require.Eventually(t, func() bool { return s.objectCount(t) == 2 }, 2*time.Minute, 20*time.Millisecond, "the files are removed")
	s.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/projects/" + s.project.ProjectID, As: s.company.Owner}).Require(t, http.StatusOK)

	again := s.call(t, http.MethodDelete, s.path(""), nil).Require(t, http.StatusAccepted)
	require.Equal(t, "completed", s.RagJob(t, again.Text(t, "jobId")).Text(t, "status"))
	nothing := s.call(t, http.MethodDelete, s.path(""), nil).Require(t, http.StatusAccepted)
	require.Equal(t, map[string]any{"total": 0.0, "done": 0.0, "failed": 0.0}, s.RagJob(t, nothing.Text(t, "jobId")).Get(t, "progress"))
	s.call(t, http.MethodDelete, "/v1/rag/projects/"+ids.New(ids.Project), nil).RequireError(t, http.StatusNotFound, "not_found")
}
