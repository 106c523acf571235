package ragapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apiclient"
	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

func TestRagIngest(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Work(t)

	t.Run("202, text to job to search", func(t *testing.T) {
		t.Parallel()
		a := s.ingest(t, map[string]any{
			"documentId": "faq-12", "title": " Delivery times ", "text": "We deliver zeppelins within three working days.",
			"metadata": map[string]any{"lang": "en", "year": 2026, "public": true},
		}).Require(t, http.StatusAccepted)
		require.Equal(t, "faq-12", a.Text(t, "documentId"))
		require.Equal(t, "queued", a.Text(t, "status"))
		job := s.RagJob(t, a.Text(t, "jobId"))
		require.Equal(t, "ingest", job.Text(t, "type"))
		require.Equal(t, "completed", job.Text(t, "status"))
		require.Equal(t, map[string]any{"total": 1.0, "done": 1.0, "failed": 0.0}, job.Get(t, "progress"))
		require.Equal(t, []any{}, job.Get(t, "errors"))
		require.NotNil(t, job.Get(t, "startedAt"))
		list := s.found(t, "zeppelins")
		require.Len(t, list, 1)
		require.Equal(t, "Delivery times", list[0]["documentTitle"])
		require.Equal(t, "faq-12.txt", list[0]["location"])
		require.Equal(t, "faq-12", list[0]["documentId"])
		require.Equal(t, map[string]any{"lang": "en", "year": 2026.0, "public": true}, list[0]["metadata"])

		page := s.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/projects/" + s.project.ProjectID + "/documents", As: s.company.Owner})
		require.Contains(t, string(page.Require(t, http.StatusOK).Body), `"sourceType":"api"`)
	})
	t.Run("202, a page", func(t *testing.T) {
		t.Parallel()
		site := newSite(t)
		id := s.indexed(t, map[string]any{"url": site.URL + "/moved"})
		require.True(t, ids.Valid(ids.Document, id))
		list := s.found(t, "dirigibles")
		require.Len(t, list, 1)
		require.Equal(t, "moved.html", list[0]["location"])
		require.NotContains(t, list[0]["excerpt"], "<p>")
	})
	t.Run("202, an object", func(t *testing.T) {
		t.Parallel()
		text := "Gondolas are inspected every spring."
		require.NoError(t, s.objects.Put(t.Context(), "shared/manuals/gondola.md", strings.NewReader(text), int64(len(text))))
		s.indexed(t, map[string]any{"objectKey": "shared/manuals/gondola.md"})
		require.Equal(t, "gondola.md", s.found(t, "gondolas")[0]["location"])
		_, err := s.objects.Stat(t.Context(), "shared/manuals/gondola.md")
		require.NoError(t, err, "the operator's object stays")
	})
	t.Run("202, a page that cannot be read fails the job", func(t *testing.T) {
		t.Parallel()
		site := newSite(t)
		for path, code := range map[string]string{
			"/missing": "crawl_unreachable", "/inside": "url_not_allowed", "/image": "unsupported_format", "/empty": "object_empty", "/blank": "no_text",
		} {
			a := s.ingest(t, map[string]any{"documentId": "page" + strings.ReplaceAll(path, "/", "-"), "url": site.URL + path}).Require(t, http.StatusAccepted)
			job := s.RagJob(t, a.Text(t, "jobId"))
			require.Equal(t, "failed", job.Text(t, "status"))
			require.Equal(t, map[string]any{"total": 1.0, "done": 0.0, "failed": 1.0}, job.Get(t, "progress"))
			var body struct {
				Errors []struct{ DocumentID, Error, Code string }
			}
			job.Into(t, &body)
			require.Len(t, body.Errors, 1)
			require.Equal(t, a.Text(t, "documentId"), body.Errors[0].DocumentID)
			require.Equal(t, code, body.Errors[0].Code, path)
		}
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		const hi = "hi"
		other := s.Company(t, "free")
		theirs := other.Document(t, other.Project(t).ProjectID, "uploaded")
		require.NoError(t, s.objects.Put(t.Context(), "documents/cmp_x/doc_y/z", strings.NewReader(hi), 2))
		require.NoError(t, s.objects.Put(t.Context(), "shared/empty.txt", strings.NewReader(""), 0))
		require.NoError(t, s.objects.Put(t.Context(), "shared/picture.png", strings.NewReader(hi), 2))
		for i, c := range []struct {
			body map[string]any
			code string
		}{
			{map[string]any{}, "validation_error"},
			{map[string]any{"text": hi, "url": "https://www.example.com/"}, "validation_error"},
			{map[string]any{"text": hi, "title": "  "}, "validation_error"},
			{map[string]any{"text": hi, "title": strings.Repeat("x", 256)}, "validation_error"},
			{map[string]any{"text": hi, "documentId": "a b"}, "validation_error"},
			{map[string]any{"text": hi, "documentId": ids.New(ids.Document)}, "validation_error"},
			{map[string]any{"text": hi, "documentId": theirs}, "validation_error"},
			{map[string]any{"text": hi, "metadata": map[string]any{"a": []string{"b"}}}, "validation_error"},
			{map[string]any{"text": hi, "metadata": many(51)}, "validation_error"},
			{map[string]any{"text": hi, "chunking": map[string]any{"size": 399}}, "validation_error"},
			{map[string]any{"text": hi, "chunking": map[string]any{"size": 400, "overlap": 200}}, "validation_error"},
			{map[string]any{"text": hi, "chunking": map[string]any{"overlap": 500}}, "validation_error"},
			{map[string]any{"text": hi, "contentType": "image/png"}, "unsupported_format"},
			{map[string]any{"text": hi, "contentType": "application/pdf"}, "unsupported_format"},
			{map[string]any{"url": "nonsense"}, "invalid_url"},
			{map[string]any{"url": "ftp://www.example.com/"}, "url_not_allowed"},
			{map[string]any{"url": "https://inside.example.com/"}, "url_not_allowed"},
			{map[string]any{"url": "http://169.254.169.254/latest/"}, "url_not_allowed"},
			{map[string]any{"url": "https://nowhere.invalid/"}, "url_not_allowed"},
			{map[string]any{"objectKey": "shared/none.txt"}, "object_missing"},
			{map[string]any{"objectKey": "documents/cmp_x/doc_y/z"}, "object_missing"},
			{map[string]any{"objectKey": "shared/../documents/cmp_x/doc_y/z"}, "object_missing"},
			{map[string]any{"objectKey": "shared//empty.txt"}, "object_missing"},
			{map[string]any{"objectKey": "/shared/empty.txt"}, "object_missing"},
			{map[string]any{"objectKey": "shared/empty.txt"}, "object_empty"},
			{map[string]any{"objectKey": "shared/picture.png"}, "unsupported_format"},
		} {
			a := s.ingest(t, c.body)
			require.Equal(t, http.StatusBadRequest, a.Status, "%d: %s", i, a.Body)
			require.Equal(t, c.code, a.Text(t, "code"), "%d: %s", i, a.Body)
		}
	})
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		for _, path := range []string{"/v1/rag/ingest", "/v1/rag/jobs/" + ids.New(ids.Job)} {
			method := http.MethodPost
			if strings.Contains(path, "jobs") {
				method = http.MethodGet
			}
			s.Do(t, apitest.Call{Method: method, Path: path, As: s.company.Owner}).Require(t, http.StatusUnauthorized)
		}
	})
	t.Run("404", func(t *testing.T) {
		t.Parallel()
		archived := s.company.Project(t)
		s.Do(t, apitest.Call{Method: http.MethodDelete, Path: "/v1/projects/" + archived.ProjectID, As: s.company.Owner}).Require(t, http.StatusOK)
		for _, id := range []string{ids.New(ids.Project), "x", archived.ProjectID} {
			s.ingest(t, map[string]any{"projectId": id, "text": "hi"}).RequireError(t, http.StatusNotFound, "not_found")
		}
		for _, id := range []string{ids.New(ids.Job), "x"} {
			s.call(t, http.MethodGet, "/v1/rag/jobs/"+id, nil).RequireError(t, http.StatusNotFound, "not_found")
		}
	})
	t.Run("413 and 415", func(t *testing.T) {
		t.Parallel()
		s.ingest(t, map[string]any{"text": strings.Repeat("x", 1<<20)}).Require(t, http.StatusRequestEntityTooLarge)
		s.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/rag/ingest", Token: apitest.RagKey, Raw: "x", Type: "text/plain"}).
			Require(t, http.StatusUnsupportedMediaType)
	})
}

func many(n int) map[string]any {
	list := map[string]any{}
	for i := range n {
		list[fmt.Sprint("key", i)] = i
	}
	return list
}

// newSite serves pages.
func newSite(t *testing.T) *httptest.Server {
	t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		contentType, body := "text/html", ""
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/page", http.StatusFound)
			return
		case "/inside":
			http.Redirect(w, r, "http://10.0.0.7/", http.StatusFound)
			return
		case "/page":
			body = "<html><title>Airships</title><body><h1>Airships</h1><p>Dirigibles are filled with helium.</p></body></html>"
		case "/blank":
			body = "<html><body></body></html>"
		case "/image":
			contentType, body = "image/png", "\x89PNG"
		case "/empty":
		default:
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(site.Close)
	return site
}

func TestRagIngest_Replace(t *testing.T) { //nolint:tparallel // its parts are one story
	t.Parallel()
	s := setup(t)
	s.Work(t)
	first := map[string]any{"documentId": "faq-12", "title": "Old", "text": "The zeppelin leaves at nine.", "metadata": map[string]any{"v": 1}}
	s.indexed(t, first)
	require.Equal(t, "Old", s.found(t, "zeppelin")[0]["documentTitle"])

	t.Run("a failing replacement leaves the old version answering", func(t *testing.T) { //nolint:paralleltest // in this order
		site := newSite(t)
		a := s.ingest(t, map[string]any{"documentId": "faq-12", "title": "New", "url": site.URL + "/missing"}).Require(t, http.StatusAccepted)
		require.Equal(t, "failed", s.RagJob(t, a.Text(t, "jobId")).Text(t, "status"))
		list := s.found(t, "zeppelin")
		require.Len(t, list, 1)
		require.Equal(t, "Old", list[0]["documentTitle"])
	})
	t.Run("a good one takes its place", func(t *testing.T) { //nolint:paralleltest // in this order
		require.Equal(t, "faq-12", s.indexed(t, map[string]any{"documentId": "faq-12", "title": "New", "text": "The zeppelin leaves at ten."}))
		list := s.found(t, "zeppelin leaves")
		require.Len(t, list, 1)
		require.Equal(t, "New", list[0]["documentTitle"])
		require.Contains(t, list[0]["excerpt"], "ten")
		var objects, documents, versions int
		ctx := s.company.Context(t)
		require.NoError(t, s.Store.Pool().QueryRow(ctx, "select count(*), max(version_number) from documents").Scan(&documents, &versions))
		require.Equal(t, 1, documents)
		require.Equal(t, 2, versions)
		require.Eventually(t, func() bool {
			objects = 0
			for range s.objects.List(t.Context(), "documents/"+s.company.ID+"/", "") {
				objects++
			}
			return objects == 1
		}, 2*time.Minute, 20*time.Millisecond, "the old file is removed")
	})
	t.Run("an unchanged one keeps its passages", func(t *testing.T) { //nolint:paralleltest // in this order
		const passages = "select min(chunk_id)::text from chunks join documents using (document_id) where external_id = 'faq-12'"
		before := s.text(t, passages)
		s.indexed(t, map[string]any{"documentId": "faq-12", "title": "New", "text": "The zeppelin leaves at ten.", "metadata": map[string]any{"v": 3}})
		require.Equal(t, before, s.text(t, passages))
		require.Equal(t, map[string]any{"v": 3.0}, s.found(t, "zeppelin")[0]["metadata"])
		s.indexed(t, map[string]any{"documentId": "faq-12", "title": "Renamed", "text": "The zeppelin leaves at ten."})
		require.NotEqual(t, before, s.text(t, passages), "the title stands before every passage")
		s.exec(t, "delete from chunks")
		s.indexed(t, map[string]any{"documentId": "faq-12", "title": "Renamed", "text": "The zeppelin leaves at ten."})
		require.Len(t, s.found(t, "zeppelin"), 1)
	})
	t.Run("the same id in another project is another document", func(t *testing.T) { //nolint:paralleltest // in this order
		other := s.company.Project(t)
		s.indexed(t, map[string]any{"documentId": "faq-12", "projectId": other.ProjectID, "text": "Submarines dive at noon."})
		require.Empty(t, s.found(t, "submarines"))
	})
	t.Run("by the service's id", func(t *testing.T) { //nolint:paralleltest // in this order
		id := s.indexed(t, map[string]any{"text": "Balloons rise."})
		require.Equal(t, id, s.indexed(t, map[string]any{"documentId": id, "text": "Balloons fall."}))
		require.Contains(t, s.found(t, "balloons")[0]["excerpt"], "fall")
	})
	t.Run("409, a document that waits for its upload", func(t *testing.T) { //nolint:paralleltest // in this order
		pending := s.company.Document(t, s.project.ProjectID, "pending")
		s.ingest(t, map[string]any{"documentId": pending, "text": "hi"}).RequireError(t, http.StatusConflict, "not_ready")
	})
}

func TestRagIngest_Idempotency(t *testing.T) {
	t.Parallel()
	s := setup(t)
	send := func(t *testing.T, path, key string, body map[string]any) *apitest.Answer {
		t.Helper()
		body["projectId"] = s.project.ProjectID
		return s.Do(t, apitest.Call{
			Method: http.MethodPost, Path: "/v1/rag/ingest" + path, Token: apitest.RagKey, Body: body, Header: map[string]string{"Idempotency-Key": key},
		})
	}
	one := map[string]any{"title": "a", "text": "b"}
	first := send(t, "", "k", one).Require(t, http.StatusAccepted)
	again := send(t, "", "k", one).Require(t, http.StatusAccepted)
	require.Equal(t, string(first.Body), string(again.Body))
	require.Empty(t, first.Header.Get("Idempotency-Replayed"))
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	send(t, "", "k", map[string]any{"title": "a", "text": "c"}).RequireError(t, http.StatusConflict, "idempotency_mismatch")
	batch := map[string]any{"documents": []map[string]any{one, {"title": "c"}}}
	first = send(t, "/batch", "k", batch).Require(t, http.StatusAccepted)
	require.Equal(t, string(first.Body), string(send(t, "/batch", "k", batch).Require(t, http.StatusAccepted).Body))
	var documents int
	require.NoError(t, s.Store.Pool().QueryRow(s.company.Context(t), "select count(*) from documents").Scan(&documents))
	require.Equal(t, 2, documents)
}

func TestRagIngest_Storage(t *testing.T) {
	t.Parallel()
	s := setup(t)
	full := s.company.Document(t, s.project.ProjectID, "indexed")
	_, err := s.Store.Pool().Exec(s.company.Context(t), "update documents set size_bytes = $1 where document_id = $2", int64(2048)<<20-10, full)
	require.NoError(t, err)
	s.ingest(t, map[string]any{"text": strings.Repeat("x", 11)}).RequireError(t, http.StatusForbidden, "plan_limit_reached")
	a := s.call(t, http.MethodPost, "/v1/rag/ingest/batch", map[string]any{"projectId": s.project.ProjectID, "documents": []map[string]any{
		{"title": "a", "text": "six..."}, {"title": "b", "text": "six..."}, {"title": "c", "text": "four"},
	}}).Require(t, http.StatusAccepted)
	require.InDelta(t, 2, a.Get(t, "accepted"), 0)
	require.Contains(t, string(a.Body), `"index":1`)
	require.Contains(t, string(a.Body), `"plan_limit_reached"`)
	s.ingest(t, map[string]any{"url": "https://www.example.com/"}).RequireError(t, http.StatusForbidden, "plan_limit_reached")
	s.ingest(t, map[string]any{"documentId": full, "text": strings.Repeat("x", 1000)}).Require(t, http.StatusAccepted)
	_, err = s.Store.Pool().Exec(s.company.Context(t), "update companies set status = 'suspended'")
	require.NoError(t, err)
	s.ingest(t, map[string]any{"text": "x"}).RequireError(t, http.StatusForbidden, "company_suspended")
}

func TestRagIngestBatch(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Work(t)
	batch := func(t *testing.T, documents ...map[string]any) *apitest.Answer {
		t.Helper()
		return s.call(t, http.MethodPost, "/v1/rag/ingest/batch", map[string]any{"projectId": s.project.ProjectID, "documents": documents})
	}
	t.Run("202", func(t *testing.T) {
		t.Parallel()
		site := newSite(t)
		a := batch(
			t,
			map[string]any{"documentId": "one", "title": "One", "text": "Harpsichords have two manuals."},
			map[string]any{"documentId": "two", "title": "Two"},
			map[string]any{"documentId": "three", "title": "Three", "url": "https://inside.example.com/"},
			map[string]any{"documentId": "one", "title": "Again", "text": "Twice."},
			map[string]any{"documentId": "four", "title": "Four", "url": site.URL + "/missing"},
		).Require(t, http.StatusAccepted)
		require.InDelta(t, 2, a.Get(t, "accepted"), 0)
		var body struct {
			Rejected []struct {
				Index int
				Code  string
			}
		}
		a.Into(t, &body)
		require.Len(t, body.Rejected, 3)
		for i, code := range []string{"validation_error", "url_not_allowed", "duplicate_document"} {
			require.Equal(t, i+1, body.Rejected[i].Index)
			require.Equal(t, code, body.Rejected[i].Code)
		}
		job := s.RagJob(t, a.Text(t, "jobId"))
		require.Equal(t, "batch", job.Text(t, "type"))
		require.Equal(t, "completed_with_errors", job.Text(t, "status"))
		require.Equal(t, map[string]any{"total": 2.0, "done": 1.0, "failed": 1.0}, job.Get(t, "progress"))
		require.Contains(t, string(job.Body), `"documentId":"four"`)
		require.Len(t, s.found(t, "harpsichords"), 1)
	})
	t.Run("202, nothing accepted", func(t *testing.T) {
		t.Parallel()
		a := batch(t, map[string]any{"title": "a"}).Require(t, http.StatusAccepted)
		require.InDelta(t, 0, a.Get(t, "accepted"), 0)
		require.Equal(t, "completed", s.RagJob(t, a.Text(t, "jobId")).Text(t, "status"))
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		batch(t).RequireError(t, http.StatusBadRequest, "validation_error")
		a := batch(t, map[string]any{"title": "a", "text": "b"}, map[string]any{"title": " ", "text": "b"})
		a.RequireError(t, http.StatusBadRequest, "validation_error")
		require.Contains(t, string(a.Body), "/documents/1/title")
		documents := make([]map[string]any, 51)
		for i := range documents {
			documents[i] = map[string]any{"title": "a", "text": "b"}
		}
		batch(t, documents...).RequireError(t, http.StatusBadRequest, "validation_error")
	})
}

func TestRagIngest_Chunking(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Work(t)
	text := strings.Repeat("Every sentence of this text has nine words exactly. ", 100)
	sizes := func(t *testing.T, id string, chunking map[string]any) (chunks, longest int) {
		t.Helper()
		s.indexed(t, map[string]any{"documentId": id, "text": text, "chunking": chunking})
		err := s.Store.Pool().QueryRow(s.company.Context(t), `select count(*), max(c.end_offset - c.start_offset) from chunks c
			join documents d on d.document_id = c.document_id where d.external_id = $1`, id).Scan(&chunks, &longest)
		require.NoError(t, err)
		return chunks, longest
	}
	small, longest := sizes(t, "small", map[string]any{"size": 400, "overlap": 0})
	require.LessOrEqual(t, longest, 400)
	overlapped, longest := sizes(t, "overlapped", map[string]any{"size": 400, "overlap": 199})
	require.LessOrEqual(t, longest, 400)
	require.Greater(t, overlapped, small)
	large, longest := sizes(t, "large", map[string]any{"size": 2000})
	require.LessOrEqual(t, longest, 2000)
	require.Less(t, large, small)
}

func TestRagIngest_ByTheClient(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.Work(t)
	site := newSite(t)
	client, err := apiclient.NewServices(s.URL+"/", apitest.RagKey)
	require.NoError(t, err)
	job, err := client.IngestURLs(t.Context(), s.project.ProjectID, []string{site.URL + "/page", site.URL + "/missing", "https://inside.example.com/"})
	require.ErrorContains(t, err, "https://inside.example.com/: the URL leads to an address that is not public (url_not_allowed)")
	require.Equal(t, 1, job.Progress.Done)
	require.Equal(t, "crawl_unreachable", job.Errors[0].Code)
	require.Equal(t, strings.TrimPrefix(site.URL, "http://")+"/page", s.found(t, "dirigibles")[0]["documentTitle"])
	unauthorized, err := apiclient.NewServices(s.URL, "wrong")
	require.NoError(t, err)
	_, err = unauthorized.IngestURLs(t.Context(), s.project.ProjectID, []string{site.URL})
	require.ErrorContains(t, err, "401")
}
