package documents_test

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
	"docqa/internal/documents"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/blob"
	"docqa/jobs/jobargs"
)

// inSlices has documents of more than three chunks stored in slices of three.
func (f *fixture) inSlices() {
	opts := f.ingest.IngesterOptions
	opts.SliceChunks = 3
	f.ingest = documents.NewIngester(opts)
}

// waiting counts the jobs of the next step.
func (f *fixture) waiting(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, f.store.Pool().QueryRow(f.ctx(), "select count(*) from river_job where kind = 'ingest_document'").Scan(&n))
	return n
}

func (f *fixture) staged(t *testing.T) int {
	t.Helper()
	var n int
	require.NoError(t, f.store.Pool().QueryRow(f.ctx(), "select count(*) from chunk_stage").Scan(&n))
	return n
}

// manual is a text of some twenty chunks.
func manual() string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "Chapter %d speaks of grinders.\n\n%s\n\n", i, strings.Repeat(fmt.Sprintf("The warranty of part %d is two years. ", i), 15))
	}
	return b.String()
}

func TestIngester_Ingest_LargeFilesInSlices(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.inSlices()
	d := f.uploaded(t, "manual.txt", manual())
	job := f.started(t, d.DocumentID)
	require.NotNil(t, f.get(t, d.DocumentID).QueuedAt, "it waits for a worker")

	require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
	d = f.get(t, d.DocumentID)
	require.Equal(t, "processing", d.Status)
	require.NotNil(t, d.Work, "the file was read")
	require.NotNil(t, d.QueuedAt, "it waits again")
	require.Nil(t, d.ProcessingStartedAt, "the wait counts toward no deadline")
	require.Equal(t, 2, f.waiting(t))

	steps := 1
	for before := float32(0); ; steps++ {
		require.Zero(t, f.chunks(t), "no search sees half a document")
		require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
		if d = f.get(t, d.DocumentID); d.Status == "indexed" {
			break
		}
		require.Greater(t, *d.Progress, before)
		require.Equal(t, 3*steps, f.staged(t))
		require.Equal(t, 3*steps, d.Work.Stored)
		before = *d.Progress
	}
	require.Equal(t, int(d.ChunkCount+2)/3, steps, "three chunks a step")
	require.Equal(t, d.ChunkCount, f.chunks(t))
	require.Zero(t, f.staged(t))
	require.Nil(t, d.Work)
	require.Nil(t, d.QueuedAt)
	require.NotEmpty(t, f.search(t))
	require.Equal(t, []string{"document.uploaded", "document.indexed"}, f.events(t), "once")

	f.removeAll(t)
	var left []string
	for object := range f.objects.List(t.Context(), "", "") {
		left = append(left, object.Key)
	}
	require.Equal(t, []string{*d.ObjectKey}, left, "what was read is not kept")
}

func TestIngester_Ingest_SlicesReplaceAtOnce(t *testing.T) {
	t.Parallel()
	f := setup(t)
	d := f.indexed(t, "manual.txt", essay("kettle"))
	before := f.chunks(t)
	f.inSlices()
	_, err := f.Reprocess(f.ctx(), f.CompanyID, f.project(), d.DocumentID)
	require.NoError(t, err)
	for f.get(t, d.DocumentID).Status == "processing" {
		require.Equal(t, before, f.chunks(t), "the old version answers")
		require.NoError(t, f.ingest.Ingest(f.ctx(), f.job(t, d.DocumentID), f.attempt()))
	}
	require.Equal(t, "indexed", f.get(t, d.DocumentID).Status)
	require.Equal(t, before, f.chunks(t))
}

func TestIngester_Ingest_SlicesThatAreInterrupted(t *testing.T) {
	t.Parallel()
	// begun is a large document of which a slice is stored.
	begun := func(t *testing.T) (*fixture, jobargs.IngestDocument) {
		t.Helper()
		f := setup(t)
		f.inSlices()
		job := f.started(t, f.uploaded(t, "manual.txt", manual()).DocumentID)
		for range 2 {
			require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
		}
		require.Equal(t, 3, f.staged(t))
		return f, job
	}
	finish := func(t *testing.T, f *fixture, job jobargs.IngestDocument) {
		t.Helper()
		for f.get(t, job.DocumentID).Status == "processing" {
			require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
		}
		d := f.get(t, job.DocumentID)
		require.Equal(t, "indexed", d.Status)
		require.Equal(t, d.ChunkCount, f.chunks(t))
		var ordinals int32
		require.NoError(t, f.store.Pool().QueryRow(f.ctx(), "select count(distinct ordinal) from chunks").Scan(&ordinals))
		require.Equal(t, d.ChunkCount, ordinals, "none is lost or doubled")
	}

	t.Run("an overtaken attempt stores nothing", func(t *testing.T) {
		t.Parallel()
		f, job := begun(t)
		overtaken := documents.Attempt{Claim: func(context.Context, pgx.Tx) error { return errOvertaken }}
		require.ErrorIs(t, f.ingest.Ingest(f.ctx(), job, overtaken), errOvertaken)
		require.Equal(t, 3, f.staged(t))
		finish(t, f, job)
	})
	t.Run("what was read is gone: it is read again", func(t *testing.T) {
		t.Parallel()
		f, job := begun(t)
		require.NoError(t, f.objects.Remove(t.Context(), f.get(t, job.DocumentID).Work.ObjectKey))
		require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
		require.Nil(t, f.get(t, job.DocumentID).Work)
		finish(t, f, job)
	})
	t.Run("a new run begins at the beginning", func(t *testing.T) {
		t.Parallel()
		f, job := begun(t)
		key := f.get(t, job.DocumentID).Work.ObjectKey
		f.clock.Advance(25 * time.Hour)
		require.NoError(t, f.ingest.Sweep(f.ctx(), f.jobs))
		require.Equal(t, "failed", f.get(t, job.DocumentID).Status)
		require.Zero(t, f.staged(t))
		f.removeAll(t)
		_, err := f.objects.Stat(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrNotFound)
		finish(t, f, f.started(t, job.DocumentID))
	})
	t.Run("a deleted document takes its slices along", func(t *testing.T) {
		t.Parallel()
		f, job := begun(t)
		key := f.get(t, job.DocumentID).Work.ObjectKey
		require.NoError(t, f.Delete(f.ctx(), f.CompanyID, f.project(), job.DocumentID))
		require.Zero(t, f.staged(t))
		f.removeAll(t)
		_, err := f.objects.Stat(t.Context(), key)
		require.ErrorIs(t, err, blob.ErrNotFound)
		requireCode(t, f.ingest.Ingest(f.ctx(), job, f.attempt()), apperr.KindConflict, "run_over")
	})
	t.Run("the removal of what was read waits for the slices", func(t *testing.T) {
		t.Parallel()
		f, job := begun(t)
		removal := jobargs.RemoveObject{
			CompanyID: f.CompanyID, ProjectID: f.project(), DocumentID: job.DocumentID, Key: f.get(t, job.DocumentID).Work.ObjectKey,
		}
		requireCode(t, f.RemoveObject(f.ctx(), removal), apperr.KindRateLimited, "still_read")
		finish(t, f, job)
		require.NoError(t, f.RemoveObject(f.ctx(), removal))
	})
}

var errOvertaken = errors.New("overtaken")

func TestIngester_Ingest_FullDisk(t *testing.T) {
	t.Parallel()
	f := setup(t)
	d := f.uploaded(t, "a.txt", essay("grinder"))
	job := f.started(t, d.DocumentID)
	f.parser.Before = func(context.Context) error { return fmt.Errorf("write: %w", syscall.ENOSPC) }
	last := f.attempt()
	last.Last = true
	for range 3 {
		err := f.ingest.Ingest(f.ctx(), job, last)
		requireCode(t, err, apperr.KindRateLimited, "disk_full")
		e, ok := err.(*apperr.Error) //nolint:errorlint // it is the outermost one
		require.True(t, ok)
		require.LessOrEqual(t, e.RetryAfter, 10*time.Second, "soon after there is room again")
		require.Equal(t, "processing", f.get(t, d.DocumentID).Status, "it is no fault of the document")
	}
	f.clock.Advance(16 * time.Minute)
	require.NoError(t, f.ingest.Sweep(f.ctx(), f.jobs))
	require.Equal(t, "timeout", *f.get(t, d.DocumentID).ErrorCode, "but it ends")
}

func TestIngester_Ingest_ArchivedProject(t *testing.T) {
	t.Parallel()
	archive := func(t *testing.T, f *fixture) {
		t.Helper()
		require.NoError(t, f.store.InTx(f.ctx(), func(ctx context.Context, tx pgx.Tx) error {
			_, err := dbsqlc.New().ProjectArchive(ctx, tx, dbsqlc.ProjectArchiveParams{CompanyID: f.CompanyID, ProjectID: f.project(), Now: f.clock.Now()})
			if err != nil {
				return err
			}
			return f.StopIngest(ctx, tx, f.CompanyID, f.project())
		}))
	}
	t.Run("ends what waits and what is stored in slices", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.inSlices()
		job := f.started(t, f.uploaded(t, "manual.txt", manual()).DocumentID)
		for range 2 {
			require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
		}
		archive(t, f)
		d := f.get(t, job.DocumentID)
		require.Equal(t, "failed", d.Status)
		require.Equal(t, "project_archived", *d.ErrorCode)
		require.Zero(t, f.staged(t))
		requireCode(t, f.ingest.Ingest(f.ctx(), job, f.attempt()), apperr.KindConflict, "run_over")
	})
	t.Run("ends a file that is being read, within seconds", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		job := f.started(t, f.uploaded(t, "manual.txt", manual()).DocumentID)
		f.parser.Before = func(ctx context.Context) error {
			archive(t, f)
			<-ctx.Done() // the child would be killed here
			return ctx.Err()
		}
		requireCode(t, f.ingest.Ingest(f.ctx(), job, f.attempt()), apperr.KindConflict, "run_over")
		require.Equal(t, "project_archived", *f.get(t, job.DocumentID).ErrorCode)
		require.Zero(t, f.chunks(t))
	})
	t.Run("begins nothing that was passed over", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		job := f.started(t, f.uploaded(t, "a.txt", essay("grinder")).DocumentID)
		_, err := f.store.Pool().Exec(f.ctx(), "update projects set status = 'archived'")
		require.NoError(t, err)
		require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
		require.Equal(t, "project_archived", *f.get(t, job.DocumentID).ErrorCode)
	})
}
