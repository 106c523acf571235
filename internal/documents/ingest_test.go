package documents_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents"
	"docqa/internal/engine/lexical"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/blob"
)

func TestIngester_Ingest(t *testing.T) {
	t.Parallel()
	f := setup(t)
	d := f.uploaded(t, "grinder.txt", essay("grinder"))
	_, err := f.store.Pool().Exec(f.ctx(), "update projects set status = 'indexing'")
	require.NoError(t, err)
	job := f.started(t, d.DocumentID)
	processing := f.get(t, d.DocumentID)
	require.Equal(t, "processing", processing.Status)
	require.Equal(t, "parsing", *processing.Stage)

	require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
	d = f.get(t, d.DocumentID)
	require.Equal(t, "indexed", d.Status)
	require.Equal(t, f.chunks(t), d.ChunkCount)
	require.Greater(t, d.ChunkCount, int32(2))
	require.Equal(t, "en", *d.Language)
	require.Len(t, *d.Sha256, 64)
	require.Nil(t, d.Stage)
	require.Nil(t, d.Progress)
	require.Nil(t, d.PageCount)
	require.NotNil(t, d.IndexedAt)
	require.Equal(t, int32(1), f.claimed.Load())
	require.Equal(t, []string{"document.uploaded", "document.indexed"}, f.events(t))

	project, err := dbsqlc.New().ProjectGet(f.ctx(), f.store.Pool(), dbsqlc.ProjectGetParams{CompanyID: f.CompanyID, ProjectID: f.project()})
	require.NoError(t, err)
	require.Equal(t, "live", project.Status, "nothing is left to process")
	require.NotEmpty(t, f.search(t), "what says indexed is found")

	requireCode(t, f.ingest.Ingest(f.ctx(), job, f.attempt()), apperr.KindConflict, "run_over")
	require.Equal(t, d.ChunkCount, f.chunks(t), "a second attempt doubles nothing")
}

// search returns the chunks that speak of a warranty.
func (f *fixture) search(t *testing.T) []dbsqlc.ChunkSearchRow {
	t.Helper()
	terms := lexical.NewIndexer(lexical.English).Terms(lexical.Passage{Body: "warranty"})
	query := map[int32]float32{}
	for _, term := range terms {
		if term.Weight > 0.1 {
			query[term.Index] = 1
		}
	}
	rows, err := dbsqlc.New().ChunkSearch(f.ctx(), f.store.Pool(), dbsqlc.ChunkSearchParams{
		CompanyID: f.CompanyID, ProjectID: f.project(), RowLimit: 10, Query: pgvector.NewSparseVectorFromMap(query, lexical.Dimensions),
		Vector: pgvector.NewHalfVector([]float32{1}),
	})
	require.NoError(t, err)
	return rows
}

func TestIngester_Ingest_Faults(t *testing.T) {
	t.Parallel()
	down := errors.New("the disk is full")
	for name, c := range map[string]struct {
		parser    error
		damage    func(*testing.T, *fixture, dbsqlc.Document)
		attempt   documents.Attempt
		code      string
		retryable bool
	}{
		"no text":              {parser: apperr.Invalid(apperr.CodeNoText, "the file holds no text"), code: "no_text"},
		"a damaged file":       {parser: apperr.Invalid(apperr.CodeParseFailed, "damaged"), code: "parse_failed"},
		"too slow a file":      {parser: apperr.New(apperr.KindTimeout, apperr.CodeTimeout, "too slow"), code: "timeout", retryable: true},
		"our own fault, last":  {parser: down, attempt: documents.Attempt{Last: true}, code: "internal_error", retryable: true},
		"every attempt killed": {attempt: documents.Attempt{Last: true, Exhausted: true}, code: "interrupted", retryable: true},
		"the object is gone": {damage: func(t *testing.T, f *fixture, d dbsqlc.Document) {
			t.Helper()
			require.NoError(t, f.objects.Remove(t.Context(), *d.ObjectKey))
		}, code: "object_missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			f.parser.Before = func(context.Context) error { return c.parser }
			d := f.uploaded(t, "a.txt", "hello")
			if c.damage != nil {
				c.damage(t, f, d)
			}
			c.attempt.Claim = f.attempt().Claim
			require.NoError(t, f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), c.attempt))
			d = f.get(t, d.DocumentID)
			require.Equal(t, "failed", d.Status)
			require.Equal(t, c.code, *d.ErrorCode)
			require.NotEmpty(t, *d.ErrorMessage)
			require.Equal(t, c.retryable, *d.ErrorRetryable)
			require.Equal(t, int32(1), f.claimed.Load())
			require.Equal(t, []string{"document.uploaded", "document.failed"}, f.events(t))

			f.parser.Before = nil
			job := f.started(t, d.DocumentID)
			require.Nil(t, f.get(t, d.DocumentID).ErrorCode, "a sync retries failed ones")
			if c.damage == nil {
				require.NoError(t, f.ingest.Ingest(f.ctx(), job, f.attempt()))
				require.Equal(t, "indexed", f.get(t, d.DocumentID).Status)
			}
		})
	}

	t.Run("our own fault, not last", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		f.parser.Before = func(context.Context) error { return down }
		d := f.uploaded(t, "a.txt", "hello")
		require.ErrorIs(t, f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), f.attempt()), down)
		require.Equal(t, "processing", f.get(t, d.DocumentID).Status)
	})
	t.Run("another attempt was faster", func(t *testing.T) {
		t.Parallel()
		f := setup(t)
		overtaken := errors.New("overtaken")
		d := f.uploaded(t, "a.txt", "hello")
		err := f.ingest.Ingest(f.ctx(), f.started(t, d.DocumentID), documents.Attempt{
			Claim: func(context.Context, pgx.Tx) error { return overtaken },
		})
		require.ErrorIs(t, err, overtaken)
		require.Zero(t, f.chunks(t))
	})
}

func TestIngester_Ingest_AgainstDelete(t *testing.T) {
	t.Parallel()
	f := setup(t)
	d := f.uploaded(t, "a.txt", essay("grinder"))
	job := f.started(t, d.DocumentID)
	f.parser.Before = func(context.Context) error {
		return f.Delete(f.ctx(), f.CompanyID, f.project(), d.DocumentID) //nolint:contextcheck // the fixture has the test's own
	}
	requireCode(t, f.ingest.Ingest(f.ctx(), job, f.attempt()), apperr.KindConflict, "run_over")
	require.Zero(t, f.chunks(t))
	_, err := f.Get(f.ctx(), f.CompanyID, f.project(), d.DocumentID)
	requireCode(t, err, apperr.KindNotFound, "not_found")
	f.uploaded(t, "a.txt", "the name is free")
}

func TestIngester_Ingest_OvertakenRun(t *testing.T) {
	t.Parallel()
	f := setup(t)
	d := f.uploaded(t, "a.txt", essay("grinder"))
	job := f.started(t, d.DocumentID)
	f.parser.Before = func(context.Context) error {
		f.parser.Before = nil
		f.clock.Advance(16 * time.Minute)
		require.NoError(t, f.ingest.Sweep(f.ctx(), f.jobs))             //nolint:contextcheck // the fixture has the test's own
		require.Equal(t, "timeout", *f.get(t, d.DocumentID).ErrorCode)  //nolint:contextcheck // the fixture has the test's own
		next := f.started(t, d.DocumentID)                              //nolint:contextcheck // the fixture has the test's own
		require.NoError(t, f.ingest.Ingest(f.ctx(), next, f.attempt())) //nolint:contextcheck // the fixture has the test's own
		return nil
	}
	requireCode(t, f.ingest.Ingest(f.ctx(), job, f.attempt()), apperr.KindConflict, "run_over")
	d = f.get(t, d.DocumentID)
	require.Equal(t, "indexed", d.Status)
	require.Equal(t, d.ChunkCount, f.chunks(t))
}

func TestIngester_Ingest_Statistics(t *testing.T) {
	t.Parallel()
	f := setup(t)
	lexstats := func() dbsqlc.ProjectLexstat {
		row, err := dbsqlc.New().LexstatsGet(f.ctx(), f.store.Pool(), dbsqlc.LexstatsGetParams{CompanyID: f.CompanyID, ProjectID: f.project()})
		require.NoError(t, err)
		return row
	}
	first := f.indexed(t, "0.txt", essay("grinder"))
	require.Equal(t, first.ChunkCount, lexstats().ChunkCount)

	var all []dbsqlc.Document
	for i := 1; i <= 4; i++ {
		all = append(all, f.uploaded(t, fmt.Sprintf("%d.txt", i), essay(fmt.Sprintf("thing%d", i))))
	}
	_, err := f.Sync(f.ctx(), f.CompanyID, f.project())
	require.NoError(t, err)
	before := lexstats().UpdatedAt
	for _, d := range all {
		require.NoError(t, f.ingest.Ingest(f.ctx(), f.job(t, d.DocumentID), f.attempt()))
	}
	require.Equal(t, f.chunks(t), lexstats().ChunkCount)
	require.Equal(t, f.chunks(t), lexstats().TotalChunks)
	require.Equal(t, f.chunks(t), lexstats().LiveChunks)
	require.False(t, lexstats().Stale)
	require.True(t, lexstats().UpdatedAt.After(before), "each version of the statistics has its own stamp")

	require.NoError(t, f.Delete(f.ctx(), f.CompanyID, f.project(), all[0].DocumentID))
	require.True(t, lexstats().Stale)
	for _, args := range f.jobsOf(t, "settle_project") {
		require.NoError(t, f.ingest.Settle(f.ctx(), decode[settlement](t, args)))
	}
	require.Equal(t, f.chunks(t), lexstats().ChunkCount)
}

func TestIngester_Reprocess(t *testing.T) {
	t.Parallel()
	f := setup(t)
	reprocess := func(id string) (dbsqlc.Document, error) { return f.Reprocess(f.ctx(), f.CompanyID, f.project(), id) }

	d := f.indexed(t, "a.txt", essay("grinder"))
	got, err := reprocess(d.DocumentID)
	require.NoError(t, err)
	require.Equal(t, "processing", got.Status)
	require.Equal(t, d.ChunkCount, f.chunks(t), "it keeps answering meanwhile")
	again, err := reprocess(d.DocumentID)
	require.NoError(t, err)
	require.Equal(t, got, again)
	require.NoError(t, f.ingest.Ingest(f.ctx(), f.job(t, d.DocumentID), f.attempt()))
	require.Equal(t, d.ChunkCount, f.chunks(t), "chunks are replaced, not added")

	pending := f.reserved(t, "b.txt", nil)
	_, err = reprocess(pending.Document.DocumentID)
	requireCode(t, err, apperr.KindConflict, "not_ready")
	_, err = reprocess("doc_unknown")
	requireCode(t, err, apperr.KindNotFound, "not_found")
}

func TestIngester_Sweep(t *testing.T) {
	t.Parallel()
	f := setup(t)
	pending := f.reserved(t, "pending.txt", []byte("hello"))
	uploaded := f.uploaded(t, "uploaded.txt", "hello")
	sweep := func() { require.NoError(t, f.ingest.Sweep(t.Context(), f.jobs)) }

	f.clock.Advance(24*time.Hour + 14*time.Minute)
	sweep()
	require.Equal(t, "pending", f.get(t, pending.Document.DocumentID).Status)
	f.clock.Advance(2 * time.Minute)
	sweep()
	_, err := f.Get(f.ctx(), f.CompanyID, f.project(), pending.Document.DocumentID)
	requireCode(t, err, apperr.KindNotFound, "not_found")
	f.removeAll(t)
	_, err = f.objects.Stat(t.Context(), *pending.Document.UploadKey)
	require.ErrorIs(t, err, blob.ErrNotFound)

	f.started(t, uploaded.DocumentID)
	f.clock.Advance(24 * time.Hour)
	sweep()
	require.Equal(t, "processing", f.get(t, uploaded.DocumentID).Status, "the wait for a worker does not count")
	f.clock.Advance(time.Second)
	sweep()
	d := f.get(t, uploaded.DocumentID)
	require.Equal(t, "failed", d.Status)
	require.Equal(t, "timeout", *d.ErrorCode)
	require.True(t, *d.ErrorRetryable)
}
