package documents_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/documents"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/blob"
	"docqa/internal/testkit/doctest"
	"docqa/internal/testkit/factory"
)

func TestService_List(t *testing.T) {
	t.Parallel()
	b := setup(t)
	list := func(in documents.ListInput) documents.Page {
		page, err := b.Documents.List(b.Ctx(), b.CompanyID, b.ProjectID(), in)
		require.NoError(t, err)
		return page
	}
	require.Empty(t, list(documents.ListInput{}).Documents)
	for i := range 7 {
		b.Reserved(t, fmt.Sprintf("%d.txt", i), nil)
	}
	b.Clock.Advance(time.Second)
	last := b.Uploaded(t, "last.txt", "hello")

	all := list(documents.ListInput{Limit: "many"})
	require.Len(t, all.Documents, 8)
	require.Empty(t, all.NextCursor)
	require.Equal(t, last.DocumentID, all.Documents[0].DocumentID, "newest first")
	require.Len(t, list(documents.ListInput{Status: "uploaded"}).Documents, 1)
	require.Len(t, list(documents.ListInput{SourceType: "upload"}).Documents, 8)
	require.Empty(t, list(documents.ListInput{SourceType: "crawl"}).Documents)
	require.Empty(t, list(documents.ListInput{Status: "nonsense"}).Documents)

	var seen []string
	in := documents.ListInput{Limit: "3"}
	for {
		page := list(in)
		for _, d := range page.Documents {
			seen = append(seen, d.DocumentID)
		}
		if in.Cursor = page.NextCursor; in.Cursor == "" {
			break
		}
	}
	require.Len(t, seen, 8)
	for i, d := range all.Documents {
		require.Equal(t, d.DocumentID, seen[i])
	}

	first := list(documents.ListInput{Limit: "3"})
	_, err := b.Documents.List(b.Ctx(), b.CompanyID, b.ProjectID(), documents.ListInput{Cursor: "nonsense"})
	doctest.RequireCode(t, err, apperr.KindInvalidInput, "invalid_cursor")
	other := b.NewProject(t, b.Store, factory.TenantOpts{})
	_, err = b.Documents.List(b.Ctx(), b.CompanyID, other.ProjectID, documents.ListInput{Cursor: first.NextCursor})
	doctest.RequireCode(t, err, apperr.KindInvalidInput, "invalid_cursor")
	b.Clock.Advance(25 * time.Hour)
	_, err = b.Documents.List(b.Ctx(), b.CompanyID, b.ProjectID(), documents.ListInput{Cursor: first.NextCursor})
	doctest.RequireCode(t, err, apperr.KindInvalidInput, "invalid_cursor")

	counts, err := b.Documents.Counts(b.Ctx(), b.CompanyID, b.ProjectID())
	require.NoError(t, err)
	require.Equal(t, int32(8), counts.Total)
	require.Equal(t, int32(1), counts.Processing)
	require.Equal(t, int64(5), counts.SizeBytes)
}

func TestService_Delete(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]func(*testing.T, *bundle) string{
		"pending": func(t *testing.T, b *bundle) string {
			t.Helper()
			return b.Reserved(t, "a.txt", []byte("hello")).Document.DocumentID
		},
		"uploaded": func(t *testing.T, b *bundle) string {
			t.Helper()
			return b.Uploaded(t, "a.txt", "hello").DocumentID
		},
		"processing": func(t *testing.T, b *bundle) string {
			t.Helper()
			d := b.Uploaded(t, "a.txt", "hello")
			b.Started(t, d.DocumentID)
			return d.DocumentID
		},
		"indexed": func(t *testing.T, b *bundle) string {
			t.Helper()
			return b.Indexed(t, "a.txt", doctest.Essay("grinder")).DocumentID
		},
		"failed": func(t *testing.T, b *bundle) string {
			t.Helper()
			b.Parser.Before = func(context.Context) error { return apperr.Invalid(apperr.CodeNoText, "no text") }
			d := b.Uploaded(t, "a.txt", "hello")
			require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Started(t, d.DocumentID), b.Attempt()))
			return d.DocumentID
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := in(t, b)
			d := b.Get(t, id)
			require.Equal(t, name, d.Status)
			other := factory.NewTenant(t, b.Store, factory.TenantOpts{})
			_, err := b.Documents.Delete(other.Context(t.Context()), other.CompanyID, b.ProjectID(), id)
			doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")

			require.NoError(t, b.Delete(id))
			doctest.RequireCode(t, b.Delete(id), apperr.KindNotFound, "not_found")
			require.Zero(t, b.Chunks(t))
			require.Contains(t, b.Events(t), "document.deleted")
			b.RemoveAll(t)
			for _, key := range []*string{d.UploadKey, d.ObjectKey} {
				if key != nil {
					_, err := b.Objects.Stat(t.Context(), *key)
					require.ErrorIs(t, err, blob.ErrNotFound)
				}
			}
		})
	}
}
