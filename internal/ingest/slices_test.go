package ingest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/ingest"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/blob"
	"docqa/internal/testkit/doctest"
	"docqa/jobs/jobargs"
)

// inSlices makes the service store documents of more than three chunks in slices of three.
func (b *bundle) inSlices() {
	deps := b.IngestDeps()
	deps.SliceChunks = 3
	b.Ingest = ingest.New(deps)
}

// waiting counts the jobs of the next step.
func (b *bundle) waiting(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, b.Store.Pool().QueryRow(b.Ctx(), "select count(*) from river_job where kind = 'ingest_document'").Scan(&n))
	return n
}

func (b *bundle) staged(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, b.Store.Pool().QueryRow(b.Ctx(), "select count(*) from chunk_stage").Scan(&n))
	return n
}

// manual returns a text of about twenty chunks.
func manual() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "Chapter %d speaks of grinders.\n\n%s\n\n", i, strings.Repeat(fmt.Sprintf("The warranty of part %d is two years. ", i), 15))
	}
	return b.String()
}

func TestIngester_Ingest_LargeFilesInSlices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.inSlices()
	d := b.Uploaded(t, "manual.txt", manual())
	job := b.Started(t, d.DocumentID)
	require.NotNil(t, b.Get(t, d.DocumentID).QueuedAt, "it waits for a worker")

	require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
	d = b.Get(t, d.DocumentID)
	require.Equal(t, "processing", d.Status)
	require.NotNil(t, d.Work, "the file was read")
	require.NotNil(t, d.QueuedAt, "it waits again")
	require.Nil(t, d.ProcessingStartedAt, "the wait counts toward no deadline")
	require.Equal(t, 2, b.waiting(t))

	steps := 1
	for before := float32(0); ; steps++ {
		require.Zero(t, b.Chunks(t), "no search sees half a document")
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
		if d = b.Get(t, d.DocumentID); d.Status == "indexed" {
			break
		}
		require.Greater(t, *d.Progress, before)
		require.Equal(t, 3*steps, b.staged(t))
		require.Equal(t, 3*steps, d.Work.Stored)
		before = *d.Progress
	}
	require.Equal(t, int(d.ChunkCount+2)/3, steps, "three chunks a step")
	require.Equal(t, d.ChunkCount, b.Chunks(t))
	require.Zero(t, b.staged(t))
	require.Nil(t, d.Work)
	require.Nil(t, d.QueuedAt)
	require.NotEmpty(t, b.search(t))
	require.Equal(t, []string{"document.uploaded", "document.indexed"}, b.Events(t), "once")

	b.RemoveAll(t)
	var left []string
	for object := range b.Objects.List(t.Context(), "", "") {
		left = append(left, object.Key)
	}
	require.Equal(t, []string{*d.ObjectKey}, left, "the chunk file is removed")
}

func TestIngester_Ingest_SlicesReplaceAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.Indexed(t, "manual.txt", doctest.Essay("kettle"))
	before := b.Chunks(t)
	b.inSlices()
	_, err := b.Ingest.Reprocess(b.Ctx(), b.CompanyID, b.ProjectID(), d.DocumentID)
	require.NoError(t, err)
	for b.Get(t, d.DocumentID).Status == "processing" {
		require.Equal(t, before, b.Chunks(t), "the old version answers")
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Job(t, d.DocumentID), b.Attempt()))
	}
	require.Equal(t, "indexed", b.Get(t, d.DocumentID).Status)
	require.Equal(t, before, b.Chunks(t))
}

// setupBegun starts a large document and stores a slice of it.
func setupBegun(t *testing.T) (*bundle, jobargs.IngestDocument) {
	t.Helper()
	b := setup(t)
	b.inSlices()
	job := b.Started(t, b.Uploaded(t, "manual.txt", manual()).DocumentID)
	for range 2 {
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
	}
	require.Equal(t, 3, b.staged(t))
	return b, job
}

func TestIngester_Ingest_SlicesThatAreInterrupted(t *testing.T) {
	t.Parallel()
	finish := func(t *testing.T, b *bundle, job jobargs.IngestDocument) {
		t.Helper()
		for b.Get(t, job.DocumentID).Status == "processing" {
			require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
		}
		d := b.Get(t, job.DocumentID)
		require.Equal(t, "indexed", d.Status)
		require.Equal(t, d.ChunkCount, b.Chunks(t))
		var ordinals int32
		require.NoError(t, b.Store.Pool().QueryRow(b.Ctx(), "select count(distinct ordinal) from chunks").Scan(&ordinals))
		require.Equal(t, d.ChunkCount, ordinals, "none is lost or doubled")
	}

	t.Run("an overtaken attempt stores nothing", func(t *testing.T) {
		t.Parallel()
		b, job := setupBegun(t)
		overtaken := jobargs.Attempt{Claim: func(context.Context, pgx.Tx) error { return errOvertaken }}
		require.ErrorIs(t, b.Ingest.Ingest(b.Ctx(), job, overtaken), errOvertaken)
		require.Equal(t, 3, b.staged(t))
		finish(t, b, job)
	})
	t.Run("if the chunk file is gone, the file is read again", func(t *testing.T) {
		t.Parallel()
		b, job := setupBegun(t)
		require.NoError(t, b.Objects.Remove(t.Context(), b.Get(t, job.DocumentID).Work.ObjectKey))
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
		require.Nil(t, b.Get(t, job.DocumentID).Work)
		finish(t, b, job)
	})
	t.Run("a new run starts with the first slice", func(t *testing.T) {
		t.Parallel()
		b, job := setupBegun(t)
		key := b.Get(t, job.DocumentID).Work.ObjectKey
		b.Clock.Advance(25 * time.Hour)
		require.NoError(t, b.Ingest.Sweep(b.Ctx()))
		require.Equal(t, "failed", b.Get(t, job.DocumentID).Status)
		require.Zero(t, b.staged(t))
		b.RemoveAll(t)
		_, err := b.Objects.Stat(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrNotFound)
		finish(t, b, b.Started(t, job.DocumentID))
	})
	t.Run("the deletion of a document removes its slices", func(t *testing.T) {
		t.Parallel()
		b, job := setupBegun(t)
		key := b.Get(t, job.DocumentID).Work.ObjectKey
		require.NoError(t, b.Delete(job.DocumentID))
		require.Zero(t, b.staged(t))
		b.RemoveAll(t)
		_, err := b.Objects.Stat(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrNotFound)
		doctest.RequireCode(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()), apperr.KindConflict, "run_over")
	})
	t.Run("the removal of the chunk file waits for the slices", func(t *testing.T) {
		t.Parallel()
		b, job := setupBegun(t)
		removal := jobargs.RemoveObject{
			CompanyID: b.CompanyID, ProjectID: b.ProjectID(), DocumentID: job.DocumentID, Key: b.Get(t, job.DocumentID).Work.ObjectKey,
		}
		doctest.RequireCode(t, b.Documents.RemoveObject(b.Ctx(), removal), apperr.KindRateLimited, "still_read")
		finish(t, b, job)
		require.NoError(t, b.Documents.RemoveObject(b.Ctx(), removal))
	})
}

var errOvertaken = errors.New("overtaken")

func TestIngester_Ingest_FullDisk(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.Uploaded(t, "a.txt", doctest.Essay("grinder"))
	job := b.Started(t, d.DocumentID)
	b.Parser.Before = func(context.Context) error { return fmt.Errorf("write: %w", syscall.ENOSPC) }
	last := b.Attempt()
	last.Last = true
	for range 3 {
		err := b.Ingest.Ingest(b.Ctx(), job, last)
		doctest.RequireCode(t, err, apperr.KindRateLimited, "disk_full")
		e, ok := err.(*apperr.Error) //nolint:errorlint // it is the outermost one
		require.True(t, ok)
		require.LessOrEqual(t, e.RetryAfter, 10*time.Second, "soon after there is space again")
		require.Equal(t, "processing", b.Get(t, d.DocumentID).Status, "it is no fault of the document")
	}
	b.Clock.Advance(16 * time.Minute)
	require.NoError(t, b.Ingest.Sweep(b.Ctx()))
	require.Equal(t, "timeout", *b.Get(t, d.DocumentID).ErrorCode, "but it ends")
}

func TestIngester_Ingest_ArchivedProject(t *testing.T) {
	t.Parallel()
	archive := func(t *testing.T, b *bundle) {
		t.Helper()
		require.NoError(t, b.Store.InTx(b.Ctx(), func(ctx context.Context, tx pgx.Tx) error {
			_, err := dbsqlc.New().ProjectArchive(ctx, tx, dbsqlc.ProjectArchiveParams{CompanyID: b.CompanyID, ProjectID: b.ProjectID(), Now: b.Clock.Now()})
			if err != nil {
				return err
			}
			return b.Ingest.StopIngest(ctx, tx, b.CompanyID, b.ProjectID())
		}))
	}
	t.Run("ends documents that wait and documents that are stored in slices", func(t *testing.T) {
		t.Parallel()
		b, job := setupBegun(t)
		archive(t, b)
		d := b.Get(t, job.DocumentID)
		require.Equal(t, "failed", d.Status)
		require.Equal(t, "project_archived", *d.ErrorCode)
		require.Zero(t, b.staged(t))
		doctest.RequireCode(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()), apperr.KindConflict, "run_over")
	})
	t.Run("ends a file that is being read, within seconds", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		job := b.Started(t, b.Uploaded(t, "manual.txt", manual()).DocumentID)
		b.Parser.Before = func(ctx context.Context) error {
			archive(t, b)
			<-ctx.Done() // the child would be killed here
			return ctx.Err()
		}
		doctest.RequireCode(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()), apperr.KindConflict, "run_over")
		require.Equal(t, "project_archived", *b.Get(t, job.DocumentID).ErrorCode)
		require.Zero(t, b.Chunks(t))
	})
	t.Run("starts no document again", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		job := b.Started(t, b.Uploaded(t, "a.txt", doctest.Essay("grinder")).DocumentID)
		_, err := b.Store.Pool().Exec(b.Ctx(), "update projects set status = 'archived'")
		require.NoError(t, err)
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
		require.Equal(t, "project_archived", *b.Get(t, job.DocumentID).ErrorCode)
	})
}
