package documents_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/documents"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
	"docqa/internal/provider/blob"
	"docqa/internal/testkit/factory"
)

func TestService_List(t *testing.T) {
	t.Parallel()
	f := setup(t)
	list := func(in documents.ListInput) documents.Page {
		page, err := f.List(f.ctx(), f.CompanyID, f.project(), in)
		require.NoError(t, err)
		return page
	}
	require.Empty(t, list(documents.ListInput{}).Documents)
	for i := range 7 {
		f.reserved(t, fmt.Sprintf("%d.txt", i), nil)
	}
	f.clock.Advance(time.Second)
	last := f.uploaded(t, "last.txt", "hello")

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
	_, err := f.List(f.ctx(), f.CompanyID, f.project(), documents.ListInput{Cursor: "nonsense"})
	requireCode(t, err, apperr.KindInvalidInput, "invalid_cursor")
	other := f.NewProject(t, f.store, factory.TenantOpts{})
	_, err = f.List(f.ctx(), f.CompanyID, other.ProjectID, documents.ListInput{Cursor: first.NextCursor})
	requireCode(t, err, apperr.KindInvalidInput, "invalid_cursor")
	f.clock.Advance(25 * time.Hour)
	_, err = f.List(f.ctx(), f.CompanyID, f.project(), documents.ListInput{Cursor: first.NextCursor})
	requireCode(t, err, apperr.KindInvalidInput, "invalid_cursor")

	counts, err := f.Counts(f.ctx(), f.CompanyID, f.project())
	require.NoError(t, err)
	require.Equal(t, int32(8), counts.Total)
	require.Equal(t, int32(1), counts.Processing)
	require.Equal(t, int64(5), counts.SizeBytes)
}

func TestService_Sync(t *testing.T) {
	t.Parallel()
	f := setup(t)
	sync := func() documents.Started {
		got, err := f.Sync(f.ctx(), f.CompanyID, f.project())
		require.NoError(t, err)
		return got
	}
	require.Equal(t, documents.Started{}, sync())
	f.reserved(t, "pending.txt", []byte("hello"))
	require.Equal(t, documents.Started{}, sync(), "reserved ones are not touched")
	f.uploaded(t, "a.txt", "hello")
	f.uploaded(t, "b.txt", "hello")
	got := sync()
	require.Equal(t, 2, got.Documents)
	require.True(t, ids.Valid(ids.Job, got.JobID))
	require.Equal(t, documents.Started{}, sync(), "a sync during a sync finds nothing")
	require.Len(t, f.jobsOf(t, "ingest_document"), 2, "one job a document")

	_, err := f.Sync(f.ctx(), f.CompanyID, ids.New(ids.Project))
	requireCode(t, err, apperr.KindNotFound, "not_found")
	other := factory.NewTenant(t, f.store, factory.TenantOpts{})
	_, err = f.Sync(other.Context(t.Context()), other.CompanyID, f.project())
	requireCode(t, err, apperr.KindNotFound, "not_found")
}

func TestService_Delete(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]func(*testing.T, *fixture) string{
		"pending": func(t *testing.T, f *fixture) string {
			t.Helper()
			return f.reserved(t, "a.txt", []byte("hello")).Document.DocumentID
		},
		"uploaded": func(t *testing.T, f *fixture) string {
			t.Helper()
			return f.uploaded(t, "a.txt", "hello").DocumentID
		},
		"processing": func(t *testing.T, f *fixture) string {
			t.Helper()
			d := f.uploaded(t, "a.txt", "hello")
			f.started(t, d.DocumentID)
			return d.DocumentID
		},
		"indexed": func(t *testing.T, f *fixture) string {
			t.Helper()
			return f.indexed(t, "a.txt", essay("grinder")).DocumentID
		},
		"failed": func(t *testing.T, f *fixture) string {
			t.Helper()
			f.parser.Before = func(context.Context) error { return apperr.Invalid(apperr.CodeNoText, "no text") }
			d := f.uploaded(t, "a.txt", "hello")
			require.NoError(t, f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), f.attempt()))
			return d.DocumentID
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			id := in(t, f)
			d := f.get(t, id)
			require.Equal(t, name, d.Status)
			other := factory.NewTenant(t, f.store, factory.TenantOpts{})
			requireCode(t, f.Delete(other.Context(t.Context()), other.CompanyID, f.project(), id), apperr.KindNotFound, "not_found")

			require.NoError(t, f.Delete(f.ctx(), f.CompanyID, f.project(), id))
			requireCode(t, f.Delete(f.ctx(), f.CompanyID, f.project(), id), apperr.KindNotFound, "not_found")
			require.Zero(t, f.chunks(t))
			require.Contains(t, f.events(t), "document.deleted")
			f.removeAll(t)
			for _, key := range []*string{d.UploadKey, d.ObjectKey} {
				if key != nil {
					_, err := f.objects.Stat(t.Context(), *key)
					require.ErrorIs(t, err, blob.ErrNotFound)
				}
			}
		})
	}
}
