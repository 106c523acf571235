package documents_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/documents"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/limits"
	"docqa/internal/provider/blob"
	"docqa/internal/testkit/doctest"
	"docqa/internal/testkit/factory"
	"docqa/jobs/jobargs"
)

func TestService_ReserveUpload(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reserve := func(name, contentType string) (documents.Reservation, error) {
		return b.Documents.ReserveUpload(b.Ctx(), b.CompanyID, b.ProjectID(), documents.UploadInput{Filename: name, ContentType: contentType})
	}

	t.Run("answers addresses that tell no tenant", func(t *testing.T) {
		t.Parallel()
		r, err := reserve("warranty_terms-2026.PDF", "text/plain")
		require.NoError(t, err)
		require.Equal(t, "pending", r.Document.Status)
		require.Equal(t, "pdf", r.Document.Format)
		require.Equal(t, "application/pdf", r.Document.ContentType, "the extension decides")
		require.Equal(t, "warranty terms 2026", r.Document.Title)
		require.Equal(t, 900*time.Second, r.ExpiresIn)
		require.JSONEq(t, `{"documentId":"`+r.Document.DocumentID+`","projectId":"`+b.ProjectID()+`"}`, r.MetadataBody)
		for _, address := range []string{r.UploadURL, r.MetadataUploadURL} {
			u, err := url.Parse(address)
			require.NoError(t, err)
			require.Contains(t, u.Path, "/incoming/")
			for _, id := range []string{b.CompanyID, b.ProjectID(), r.Document.DocumentID} {
				require.NotContains(t, address, id)
			}
		}
		require.Equal(t, http.StatusOK, doctest.Put(t, r.MetadataUploadURL, []byte(r.MetadataBody)))
	})

	for name, c := range map[string]struct{ filename, contentType, format, title string }{
		"text":                                  {"notes.txt", "", "txt", "notes"},
		"markdown":                              {"READ-ME.markdown", "", "md", "READ ME"},
		"html":                                  {"page.htm", "application/pdf", "html", "page"},
		"no extension takes the content type":   {"handbook", "text/markdown; charset=utf-8", "md", "handbook"},
		"a folder is no part of the title":      {"c:\\docs\\a_b.txt", "", "txt", "a b"},
		"a name of separators is its own title": {"__.txt", "", "txt", "__.txt"},
		"any script":                            {"Résumé 日本.txt", "", "txt", "Résumé 日本"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := reserve(c.filename, c.contentType)
			require.NoError(t, err)
			require.Equal(t, c.filename, r.Document.Filename)
			require.Equal(t, c.format, r.Document.Format)
			require.Equal(t, c.title, r.Document.Title)
		})
	}

	requireRefused := func(t *testing.T, filename, contentType, code string) {
		t.Helper()
		_, err := reserve(filename, contentType)
		doctest.RequireCode(t, err, apperr.KindInvalidInput, code)
	}
	for name, in := range map[string]documents.UploadInput{
		"an unknown extension":                 {Filename: "setup.exe", ContentType: "text/plain"},
		"no extension and no type":             {Filename: "README"},
		"no extension and an unknown type":     {Filename: "README", ContentType: "application/x-tar"},
		"no extension and a type that is none": {Filename: "x", ContentType: "nonsense;;;"},
		"dots alone":                           {Filename: ".."},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			requireRefused(t, in.Filename, in.ContentType, "unsupported_format")
		})
	}
	for name, filename := range map[string]string{
		"an empty name":           "",
		"white space":             " \t",
		"a control character":     "a\x00b.txt",
		"a line break":            "a\nb.txt",
		"invalid UTF-8":           "a\xff.txt",
		"a name that is too long": strings.Repeat("x", 252) + ".txt",
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			requireRefused(t, filename, "text/plain", "validation_error")
		})
	}
}

func TestService_ReserveUpload_Limits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := documents.UploadInput{Filename: "a.txt"}

	_, err := b.Documents.ReserveUpload(b.Ctx(), b.CompanyID, ids.New(ids.Project), in)
	doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")

	d := b.Uploaded(t, "full.txt", "hello")
	setSize(t, b, d.DocumentID, limits.PlanOf(limits.PlanFree).StorageBytes())
	_, err = b.Documents.ReserveUpload(b.Ctx(), b.CompanyID, b.ProjectID(), in)
	doctest.RequireCode(t, err, apperr.KindForbidden, "plan_limit_reached")

	_, err = b.Store.Pool().Exec(b.Ctx(), "update projects set status = 'archived'")
	require.NoError(t, err)
	_, err = b.Documents.ReserveUpload(b.Ctx(), b.CompanyID, b.ProjectID(), in)
	doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
}

func setSize(t *testing.T, b *bundle, id string, size int64) {
	t.Helper()
	_, err := b.Store.Pool().Exec(b.Ctx(), "update documents set size_bytes = $2 where document_id = $1", id, size)
	require.NoError(t, err)
}

func TestService_Confirm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	confirm := func(id string) error {
		_, err := b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), id)
		return err
	}

	for name, c := range map[string]struct {
		filename string
		body     []byte
		code     string
	}{
		"nothing was uploaded": {"a.txt", nil, "object_missing"},
		"empty":                {"a.txt", []byte{}, "object_empty"},
		"too large":            {"a.txt", bytes.Repeat([]byte("a"), limits.DocumentBytes+1), "object_too_large"},
		"no PDF":               {"a.pdf", []byte("hello"), "unsupported_format"},
		"a PDF named txt":      {"a.txt", []byte("%PDF-1.7\n"), "unsupported_format"},
		"a zip named md":       {"a.md", []byte("PK\x03\x04rest"), "unsupported_format"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := b.Reserved(t, c.filename, c.body)
			doctest.RequireCode(t, confirm(r.Document.DocumentID), apperr.KindInvalidInput, c.code)
			require.Equal(t, "pending", b.Get(t, r.Document.DocumentID).Status)
			require.Equal(t, http.StatusOK, doctest.Put(t, r.UploadURL, []byte("%PDF-1.7")), "the client may try again")
		})
	}

	t.Run("a good file after a bad one", func(t *testing.T) {
		t.Parallel()
		r := b.Reserved(t, "again.txt", []byte{})
		doctest.RequireCode(t, confirm(r.Document.DocumentID), apperr.KindInvalidInput, "object_empty")
		require.Equal(t, http.StatusOK, doctest.Put(t, r.UploadURL, []byte("hello")))
		require.NoError(t, confirm(r.Document.DocumentID))
	})
	t.Run("unknown", func(t *testing.T) {
		t.Parallel()
		doctest.RequireCode(t, confirm(ids.New(ids.Document)), apperr.KindNotFound, "not_found")
		doctest.RequireCode(t, confirm("nonsense"), apperr.KindNotFound, "not_found")
	})
	t.Run("another company's", func(t *testing.T) {
		t.Parallel()
		other := factory.NewTenant(t, b.Store, factory.TenantOpts{})
		r := b.Reserved(t, "mine.txt", []byte("hello"))
		_, err := b.Documents.Confirm(other.Context(t.Context()), other.CompanyID, b.ProjectID(), r.Document.DocumentID)
		doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
		_, err = b.Documents.Confirm(other.Context(t.Context()), other.CompanyID, other.Project.ProjectID, r.Document.DocumentID)
		doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
	})
}

func TestService_Confirm_TakesTheFileOver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Reserved(t, "a.txt", []byte("the first text"))
	id := r.Document.DocumentID
	d, err := b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), id)
	require.NoError(t, err)
	require.Equal(t, "uploaded", d.Status)
	require.Equal(t, int64(14), d.SizeBytes)
	require.NotNil(t, d.UploadedAt)
	require.NotNil(t, d.ObjectEtag)

	again, err := b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), id)
	require.NoError(t, err, "repeating changes nothing")
	require.Equal(t, d, again)

	require.Equal(t, http.StatusOK, doctest.Put(t, r.UploadURL, []byte("another text, put later")))
	info, err := b.Objects.Stat(t.Context(), *d.ObjectKey)
	require.NoError(t, err)
	require.Equal(t, int64(14), info.Size, "what is put later changes nothing")

	b.RemoveAll(t)
	_, err = b.Objects.Stat(t.Context(), *r.Document.UploadKey)
	require.ErrorIs(t, err, blob.ErrNotFound)
	_, err = b.Objects.Stat(t.Context(), *d.ObjectKey)
	require.NoError(t, err)
	require.Equal(t, []string{"document.uploaded"}, b.Events(t))

	for _, args := range b.JobsOf(t, "remove_object", "scheduled") {
		require.NoError(t, b.Documents.RemoveObject(b.Ctx(), doctest.Decode[jobargs.RemoveObject](t, args)))
	}
	_, err = b.Objects.Stat(t.Context(), *d.ObjectKey)
	require.NoError(t, err, "a copy that the document names stays")
}

func TestService_Confirm_Storage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	limit := limits.PlanOf(limits.PlanFree).StorageBytes()
	r := b.Reserved(t, "b.txt", []byte("12345"))
	d := b.Uploaded(t, "a.txt", "hello")
	setSize(t, b, d.DocumentID, limit-4)
	_, err := b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), r.Document.DocumentID)
	doctest.RequireCode(t, err, apperr.KindForbidden, "plan_limit_reached")
	require.Equal(t, "pending", b.Get(t, r.Document.DocumentID).Status)

	setSize(t, b, d.DocumentID, limit-5)
	_, err = b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), r.Document.DocumentID)
	require.NoError(t, err, "exactly full is allowed")
}

func TestService_Confirm_AtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Reserved(t, "a.txt", []byte("hello"))
	var all sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		all.Go(func() { _, errs[i] = b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), r.Document.DocumentID) })
	}
	all.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	d := b.Get(t, r.Document.DocumentID)
	for _, args := range b.JobsOf(t, "remove_object", "available", "scheduled") {
		require.NoError(t, b.Documents.RemoveObject(b.Ctx(), doctest.Decode[jobargs.RemoveObject](t, args)))
	}
	_, err := b.Objects.Stat(t.Context(), *d.ObjectKey)
	require.NoError(t, err)
	require.Equal(t, []string{"document.uploaded"}, b.Events(t))
}

// A call that comes late finds the upload gone, since another call took it over, and
// answers as that did.
func TestService_Confirm_AtOnceWithTheRemoval(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 5 {
		r := b.Reserved(t, "a.txt", []byte("hello"))
		var all sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			all.Go(func() {
				if _, errs[i] = b.Documents.Confirm(b.Ctx(), b.CompanyID, b.ProjectID(), r.Document.DocumentID); errs[i] == nil {
					errs[i] = b.Objects.Remove(t.Context(), *r.Document.UploadKey) // as the job does that the first call made
				}
			})
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
	}
}
