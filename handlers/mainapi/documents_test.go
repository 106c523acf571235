package mainapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
)

const unknownDocument = "doc_01jd8xw2v3k4m5n6p7q8r9s0tb"

func TestReserveUpload(t *testing.T) {
	t.Parallel()
	e := setupEmpty(t, "pro")
	e.Cover(t, "reserveUpload")
	reserve := sends(http.MethodPost, under("/documents/upload-url")(e.project.ProjectID))

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		member := e.company.Member(t, authn.RoleMember)
		for _, filename := range []string{"a.txt", "b.md", "c.html", "d.pdf"} {
			a := e.Do(t, reserve(member, object{"filename": filename})).Require(t, http.StatusOK)
			require.Regexp(t, "^doc_[0-9a-z]{26}$", a.Text(t, "documentId"))
			require.Equal(t, filename, a.Text(t, "filename"))
			require.InDelta(t, 900, a.Get(t, "expiresInSeconds"), 0)
			require.JSONEq(t, fmt.Sprintf(`{"documentId":%q,"projectId":%q}`, a.Text(t, "documentId"), e.project.ProjectID), a.Text(t, "metadataBody"))
			require.NotContains(t, a.Text(t, "uploadUrl"), e.company.ID)
		}
	})
	t.Run("409 with a used Idempotency-Key", func(t *testing.T) {
		t.Parallel()
		for i, status := range []int{http.StatusOK, http.StatusConflict} {
			call := reserve(e.company.Owner, object{"filename": fmt.Sprint(i, ".txt")})
			call.Header = map[string]string{"Idempotency-Key": "k"}
			e.Do(t, call).Require(t, status)
		}
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, body := range []object{{}, {"filename": ""}, {"filename": strings.Repeat("x", 2000) + ".txt"}, {"filename": 1}} {
			e.Do(t, reserve(e.company.Owner, body)).RequireError(t, http.StatusBadRequest, "validation_error")
		}
		e.Do(t, reserve(e.company.Owner, object{"filename": "virus.exe"})).RequireError(t, http.StatusBadRequest, "unsupported_format")
	})
	t.Run("401, 403, 404, 413 and 415", func(t *testing.T) {
		t.Parallel()
		e.AccessRefusals(t, reserve(e.company.Owner, object{"filename": "a.txt"}), under("/documents/upload-url"))
	})
}

func TestConfirmUpload(t *testing.T) {
	t.Parallel()
	e := setupEmpty(t, "free")
	e.Cover(t, "confirmUpload")
	confirm := func(documentID string) apitest.Call {
		path := under("/documents/" + documentID + "/confirm")(e.project.ProjectID)
		return apitest.Call{Method: http.MethodPost, Path: path, As: e.company.Owner}
	}
	reserve := func(t *testing.T, filename, content string) (documentID string) {
		t.Helper()
		a := e.Do(t, apitest.Call{
			Method: http.MethodPost, Path: under("/documents/upload-url")(e.project.ProjectID), As: e.company.Owner, Body: object{"filename": filename},
		}).Require(t, http.StatusOK)
		if content != "nothing" {
			e.Put(t, a.Text(t, "uploadUrl"), content)
		}
		return a.Text(t, "documentId")
	}

	t.Run("202, and again", func(t *testing.T) {
		t.Parallel()
		id := reserve(t, "a.txt", "Some text.")
		first := e.Do(t, confirm(id)).Require(t, http.StatusAccepted)
		require.Equal(t, "uploaded", first.Text(t, "status"))
		require.InDelta(t, 10, first.Get(t, "sizeBytes"), 0)
		again := e.Do(t, confirm(id)).Require(t, http.StatusAccepted)
		require.JSONEq(t, string(first.Body), string(again.Body))
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		e.Do(t, confirm(reserve(t, "a.txt", "nothing"))).RequireError(t, http.StatusBadRequest, "object_missing")
		e.Do(t, confirm(reserve(t, "a.txt", ""))).RequireError(t, http.StatusBadRequest, "object_empty")
		e.Do(t, confirm(reserve(t, "a.pdf", "no pdf"))).RequireError(t, http.StatusBadRequest, "unsupported_format")
	})
	t.Run("401, 403 and 404", func(t *testing.T) {
		t.Parallel()
		e.AccessRefusals(t, confirm(unknownDocument), under("/documents/"+unknownDocument+"/confirm"))
		e.Do(t, confirm(unknownDocument)).RequireError(t, http.StatusNotFound, "not_found")
		e.Do(t, confirm("nonsense")).RequireError(t, http.StatusNotFound, "not_found")
	})
	t.Run("403 over the plan's storage", func(t *testing.T) {
		t.Parallel()
		full := e.Company(t, "free")
		p := full.Project(t)
		full.Document(t, p.ProjectID, "indexed")
		_, err := e.Store.Pool().Exec(full.Context(t), "update documents set size_bytes = 512::bigint << 20 where company_id = $1", full.ID)
		require.NoError(t, err)
		base := under("/documents")(p.ProjectID)
		a := e.Do(t, apitest.Call{Method: http.MethodPost, Path: base + "/upload-url", As: full.Owner, Body: object{"filename": "a.txt"}})
		if a.Status == http.StatusOK {
			e.Put(t, a.Text(t, "uploadUrl"), "x")
			a = e.Do(t, apitest.Call{Method: http.MethodPost, Path: base + "/" + a.Text(t, "documentId") + "/confirm", As: full.Owner})
		}
		a.RequireError(t, http.StatusForbidden, "plan_limit_reached")
	})
}

func TestListDocuments(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "listDocuments", "getDocument")
	company := env.Company(t, "pro")
	project := company.Project(t)
	list := func(query string) apitest.Call {
		return apitest.Call{Method: http.MethodGet, Path: under("/documents")(project.ProjectID) + query, As: company.Owner}
	}
	made := map[string]bool{}
	for i := range 5 {
		made[company.Document(t, project.ProjectID, []string{"indexed", "pending"}[i%2])] = true
	}

	t.Run("200 by pages", func(t *testing.T) {
		t.Parallel()
		seen, query, pages := map[string]bool{}, "?limit=2", 0
		for {
			var page struct {
				Documents  []struct{ DocumentID string }
				NextCursor *string
			}
			env.Do(t, list(query)).Require(t, http.StatusOK).Into(t, &page)
			for _, d := range page.Documents {
				seen[d.DocumentID] = true
			}
			pages++
			if page.NextCursor == nil {
				break
			}
			query = "?limit=2&cursor=" + *page.NextCursor
		}
		require.Equal(t, made, seen)
		require.Equal(t, 3, pages)
	})
	t.Run("200 by status", func(t *testing.T) {
		t.Parallel()
		var page struct{ Documents []object }
		env.Do(t, list("?status=pending&limit=abc")).Require(t, http.StatusOK).Into(t, &page)
		require.Len(t, page.Documents, 2)
	})
	t.Run("200 one", func(t *testing.T) {
		t.Parallel()
		id := company.Document(t, company.Project(t).ProjectID, "indexed")
		missing := apitest.Call{Method: http.MethodGet, Path: under("/documents/" + id)(project.ProjectID), As: company.Owner}
		env.Do(t, missing).RequireError(t, http.StatusNotFound, "not_found")
		for id := range made {
			one := apitest.Call{Method: http.MethodGet, Path: under("/documents/" + id)(project.ProjectID), As: company.Owner}
			require.Equal(t, id, env.Do(t, one).Require(t, http.StatusOK).Text(t, "document.documentId"))
			env.AccessRefusals(t, one, under("/documents/"+id))
			break
		}
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, cursor := range []string{"x", "AAAA", strings.Repeat("x", 500)} {
			env.Do(t, list("?cursor="+cursor)).Require(t, http.StatusBadRequest)
		}
	})
	t.Run("401, 403 and 404", func(t *testing.T) {
		t.Parallel()
		env.AccessRefusals(t, list(""), under("/documents"))
	})
}

func TestSyncReprocessAndDeleteDocuments(t *testing.T) {
	t.Parallel()
	env := apitest.New(t, apitest.Options{Objects: blobtest.New(t)})
	env.Cover(t, "syncDocuments", "reprocessDocument", "deleteDocument")
	company := env.Company(t, "pro")
	post := func(projectID, rest string) apitest.Call {
		return apitest.Call{Method: http.MethodPost, Path: under(rest)(projectID), As: company.Owner}
	}

	t.Run("sync 200", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		for _, status := range []string{"uploaded", "failed", "pending", "indexed"} {
			company.Document(t, p.ProjectID, status)
		}
		a := env.Do(t, post(p.ProjectID, "/documents/sync")).Require(t, http.StatusOK)
		require.InDelta(t, 2, a.Get(t, "documentCount"), 0)
		require.Equal(t, []any{"STARTING"}, a.Get(t, "statuses"))
		a = env.Do(t, post(p.ProjectID, "/documents/sync")).Require(t, http.StatusOK)
		require.InDelta(t, 0, a.Get(t, "documentCount"), 0)
		require.Equal(t, []any{}, a.Get(t, "statuses"))
	})
	t.Run("reprocess 202 and 409", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		failed, pending := company.Document(t, p.ProjectID, "failed"), company.Document(t, p.ProjectID, "pending")
		a := env.Do(t, post(p.ProjectID, "/documents/"+failed+"/reprocess")).Require(t, http.StatusAccepted)
		require.Equal(t, "processing", a.Text(t, "status"))
		env.Do(t, post(p.ProjectID, "/documents/"+pending+"/reprocess")).RequireError(t, http.StatusConflict, "not_ready")
		env.Do(t, post(p.ProjectID, "/documents/"+unknownDocument+"/reprocess")).RequireError(t, http.StatusNotFound, "not_found")
	})
	t.Run("delete 200, then 404, in every state", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		for _, status := range []string{"pending", "uploaded", "processing", "indexed", "failed"} {
			id := company.Document(t, p.ProjectID, status)
			remove := apitest.Call{Method: http.MethodDelete, Path: under("/documents/" + id)(p.ProjectID), As: company.Member(t, authn.RoleMember)}
			a := env.Do(t, remove).Require(t, http.StatusOK)
			require.JSONEq(t, fmt.Sprintf(`{"documentId":%q,"deleted":true}`, id), string(a.Body))
			env.Do(t, remove).RequireError(t, http.StatusNotFound, "not_found")
		}
	})
	t.Run("401, 403 and 404", func(t *testing.T) {
		t.Parallel()
		p := company.Project(t)
		env.AccessRefusals(t, post(p.ProjectID, "/documents/sync"), under("/documents/sync"))
		env.AccessRefusals(t, post(p.ProjectID, "/documents/"+unknownDocument+"/reprocess"), under("/documents/"+unknownDocument+"/reprocess"))
		remove := apitest.Call{Method: http.MethodDelete, Path: under("/documents/" + unknownDocument)(p.ProjectID), As: company.Owner}
		env.AccessRefusals(t, remove, under("/documents/"+unknownDocument))
	})
}
