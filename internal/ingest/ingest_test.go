package ingest_test

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
	"docqa/internal/engine/lexical"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/blob"
	"docqa/internal/testkit/doctest"
	"docqa/jobs/jobargs"
)

func TestIngester_Ingest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	d := b.Uploaded(t, "grinder.txt", doctest.Essay("grinder"))
	_, err := b.Store.Pool().Exec(b.Ctx(), "update projects set status = 'indexing'")
	require.NoError(t, err)
	job := b.Started(t, d.DocumentID)
	processing := b.Get(t, d.DocumentID)
	require.Equal(t, "processing", processing.Status)
	require.Equal(t, "parsing", *processing.Stage)

	require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
	d = b.Get(t, d.DocumentID)
	require.Equal(t, "indexed", d.Status)
	require.Equal(t, b.Chunks(t), d.ChunkCount)
	require.Greater(t, d.ChunkCount, int32(2))
	require.Equal(t, "en", *d.Language)
	require.Len(t, *d.Sha256, 64)
	require.Nil(t, d.Stage)
	require.Nil(t, d.Progress)
	require.Nil(t, d.PageCount)
	require.NotNil(t, d.IndexedAt)
	require.Equal(t, int32(1), b.Claimed.Load())
	require.Equal(t, []string{"document.uploaded", "document.indexed"}, b.Events(t))

	project, err := dbsqlc.New().ProjectGet(b.Ctx(), b.Store.Pool(), dbsqlc.ProjectGetParams{CompanyID: b.CompanyID, ProjectID: b.ProjectID()})
	require.NoError(t, err)
	require.Equal(t, "live", project.Status, "nothing is left to process")
	require.NotEmpty(t, b.search(t), "an indexed document is found")

	doctest.RequireCode(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()), apperr.KindConflict, "run_over")
	require.Equal(t, d.ChunkCount, b.Chunks(t), "a second attempt adds no chunk")
}

// search returns the chunks that speak of a warranty.
func (b *bundle) search(t *testing.T) []dbsqlc.ChunkSearchRow {
	t.Helper()
	terms := lexical.NewIndexer(lexical.English).Terms(lexical.Passage{Body: "warranty"})
	query := map[int32]float32{}
	for _, term := range terms {
		if term.Weight > 0.1 {
			query[term.Index] = 1
		}
	}
	rows, err := dbsqlc.New().ChunkSearch(b.Ctx(), b.Store.Pool(), dbsqlc.ChunkSearchParams{
		CompanyID: b.CompanyID, ProjectID: b.ProjectID(), RowLimit: 10, Query: pgvector.NewSparseVectorFromMap(query, lexical.Dimensions),
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
		damage    func(*testing.T, *bundle, dbsqlc.Document)
		attempt   jobargs.Attempt
		code      string
		retryable bool
	}{
		"no text":              {parser: apperr.Invalid(apperr.CodeNoText, "the file holds no text"), code: "no_text"},
		"a damaged file":       {parser: apperr.Invalid(apperr.CodeParseFailed, "damaged"), code: "parse_failed"},
		"too slow a file":      {parser: apperr.New(apperr.KindTimeout, apperr.CodeTimeout, "too slow"), code: "timeout", retryable: true},
		"our own fault, last":  {parser: down, attempt: jobargs.Attempt{Last: true}, code: "internal_error", retryable: true},
		"every attempt killed": {attempt: jobargs.Attempt{Last: true, Exhausted: true}, code: "interrupted", retryable: true},
		"the object is gone": {damage: func(t *testing.T, b *bundle, d dbsqlc.Document) {
			t.Helper()
			require.NoError(t, b.Objects.Remove(t.Context(), *d.ObjectKey))
		}, code: "object_missing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.Parser.Before = func(context.Context) error { return c.parser }
			d := b.Uploaded(t, "a.txt", "hello")
			if c.damage != nil {
				c.damage(t, b, d)
			}
			c.attempt.Claim = b.Attempt().Claim
			require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Started(t, d.DocumentID), c.attempt))
			d = b.Get(t, d.DocumentID)
			require.Equal(t, "failed", d.Status)
			require.Equal(t, c.code, *d.ErrorCode)
			require.NotEmpty(t, *d.ErrorMessage)
			require.Equal(t, c.retryable, *d.ErrorRetryable)
			require.Equal(t, int32(1), b.Claimed.Load())
			require.Equal(t, []string{"document.uploaded", "document.failed"}, b.Events(t))

			b.Parser.Before = nil
			job := b.Started(t, d.DocumentID)
			require.Nil(t, b.Get(t, d.DocumentID).ErrorCode, "a sync retries failed ones")
			if c.damage == nil {
				require.NoError(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()))
				require.Equal(t, "indexed", b.Get(t, d.DocumentID).Status)
			}
		})
	}

	t.Run("our own fault, not last", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.Parser.Before = func(context.Context) error { return down }
		d := b.Uploaded(t, "a.txt", "hello")
		require.ErrorIs(t, b.Ingest.Ingest(b.Ctx(), b.Started(t, d.DocumentID), b.Attempt()), down)
		require.Equal(t, "processing", b.Get(t, d.DocumentID).Status)
	})
	t.Run("another attempt was faster", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		overtaken := errors.New("overtaken")
		d := b.Uploaded(t, "a.txt", "hello")
		err := b.Ingest.Ingest(b.Ctx(), b.Started(t, d.DocumentID), jobargs.Attempt{
			Claim: func(context.Context, pgx.Tx) error { return overtaken },
		})
		require.ErrorIs(t, err, overtaken)
		require.Zero(t, b.Chunks(t))
	})
}

func TestIngester_Ingest_AgainstDelete(t *testing.T) {
	t.Parallel()
	b := setup(t)
	job := b.Started(t, b.Uploaded(t, "a.txt", doctest.Essay("grinder")).DocumentID)
	b.Parser.Before = func(context.Context) error {
		return b.Delete(job.DocumentID) //nolint:contextcheck // the fixture has the test's own
	}
	doctest.RequireCode(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()), apperr.KindConflict, "run_over")
	require.Zero(t, b.Chunks(t))
	_, err := b.Documents.Get(b.Ctx(), b.CompanyID, b.ProjectID(), job.DocumentID)
	doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
	b.Uploaded(t, "a.txt", "the name is free")
}

func TestIngester_Ingest_OvertakenRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	job := b.Started(t, b.Uploaded(t, "a.txt", doctest.Essay("grinder")).DocumentID)
	b.Parser.Before = func(context.Context) error {
		b.Parser.Before = nil
		b.Clock.Advance(16 * time.Minute)
		require.NoError(t, b.Ingest.Sweep(b.Ctx()))                      //nolint:contextcheck // the fixture has the test's own
		require.Equal(t, "timeout", *b.Get(t, job.DocumentID).ErrorCode) //nolint:contextcheck // the fixture has the test's own
		next := b.Started(t, job.DocumentID)                             //nolint:contextcheck // the fixture has the test's own
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), next, b.Attempt()))  //nolint:contextcheck // the fixture has the test's own
		return nil
	}
	doctest.RequireCode(t, b.Ingest.Ingest(b.Ctx(), job, b.Attempt()), apperr.KindConflict, "run_over")
	d := b.Get(t, job.DocumentID)
	require.Equal(t, "indexed", d.Status)
	require.Equal(t, d.ChunkCount, b.Chunks(t))
}

func TestIngester_Ingest_Statistics(t *testing.T) {
	t.Parallel()
	b := setup(t)
	lexstats := func() dbsqlc.ProjectLexstat {
		row, err := dbsqlc.New().LexstatsGet(b.Ctx(), b.Store.Pool(), dbsqlc.LexstatsGetParams{CompanyID: b.CompanyID, ProjectID: b.ProjectID()})
		require.NoError(t, err)
		return row
	}
	first := b.Indexed(t, "0.txt", doctest.Essay("grinder"))
	require.Equal(t, first.ChunkCount, lexstats().ChunkCount)

	var all []dbsqlc.Document
	for i := 1; i <= 4; i++ {
		all = append(all, b.Uploaded(t, fmt.Sprintf("%d.txt", i), doctest.Essay(fmt.Sprintf("thing%d", i))))
	}
	_, err := b.Ingest.Sync(b.Ctx(), b.CompanyID, b.ProjectID())
	require.NoError(t, err)
	before := lexstats().UpdatedAt
	for _, d := range all {
		require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Job(t, d.DocumentID), b.Attempt()))
	}
	require.Equal(t, b.Chunks(t), lexstats().ChunkCount)
	require.Equal(t, b.Chunks(t), lexstats().TotalChunks)
	require.Equal(t, b.Chunks(t), lexstats().LiveChunks)
	require.False(t, lexstats().Stale)
	require.True(t, lexstats().UpdatedAt.After(before), "each version of the statistics has its own stamp")

	require.NoError(t, b.Delete(all[0].DocumentID))
	require.True(t, lexstats().Stale)
	for _, args := range b.JobsOf(t, "settle_project") {
		require.NoError(t, b.Ingest.Settle(b.Ctx(), doctest.Decode[jobargs.SettleProject](t, args)))
	}
	require.Equal(t, b.Chunks(t), lexstats().ChunkCount)
}

func TestIngester_Reprocess(t *testing.T) {
	t.Parallel()
	b := setup(t)
	reprocess := func(id string) (dbsqlc.Document, error) {
		return b.Ingest.Reprocess(b.Ctx(), b.CompanyID, b.ProjectID(), id)
	}

	d := b.Indexed(t, "a.txt", doctest.Essay("grinder"))
	got, err := reprocess(d.DocumentID)
	require.NoError(t, err)
	require.Equal(t, "processing", got.Status)
	require.Equal(t, d.ChunkCount, b.Chunks(t), "it keeps answering meanwhile")
	again, err := reprocess(d.DocumentID)
	require.NoError(t, err)
	require.Equal(t, got, again)
	require.NoError(t, b.Ingest.Ingest(b.Ctx(), b.Job(t, d.DocumentID), b.Attempt()))
	require.Equal(t, d.ChunkCount, b.Chunks(t), "chunks are replaced, not added")

	pending := b.Reserved(t, "b.txt", nil)
	_, err = reprocess(pending.Document.DocumentID)
	doctest.RequireCode(t, err, apperr.KindConflict, "not_ready")
	_, err = reprocess("doc_unknown")
	doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
}

func TestIngester_Sweep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	pending := b.Reserved(t, "pending.txt", []byte("hello"))
	uploaded := b.Uploaded(t, "uploaded.txt", "hello")
	sweep := func() {
		require.NoError(t, b.Ingest.Sweep(t.Context()))
		require.NoError(t, b.Documents.SweepReservations(t.Context()))
	}

	b.Clock.Advance(24*time.Hour + 14*time.Minute)
	sweep()
	require.Equal(t, "pending", b.Get(t, pending.Document.DocumentID).Status)
	b.Clock.Advance(2 * time.Minute)
	sweep()
	_, err := b.Documents.Get(b.Ctx(), b.CompanyID, b.ProjectID(), pending.Document.DocumentID)
	doctest.RequireCode(t, err, apperr.KindNotFound, "not_found")
	b.RemoveAll(t)
	_, err = b.Objects.Stat(t.Context(), *pending.Document.UploadKey)
	require.ErrorIs(t, err, blob.ErrNotFound)

	b.Started(t, uploaded.DocumentID)
	b.Clock.Advance(24 * time.Hour)
	sweep()
	require.Equal(t, "processing", b.Get(t, uploaded.DocumentID).Status, "the wait for a worker does not count")
	b.Clock.Advance(time.Second)
	sweep()
	d := b.Get(t, uploaded.DocumentID)
	require.Equal(t, "failed", d.Status)
	require.Equal(t, "timeout", *d.ErrorCode)
	require.True(t, *d.ErrorRetryable)
}
