package jobs_test

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/testkit/factory"
	"docqa/jobs"
)

func TestRunner_Ingests(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	p.run(t)
	for i := range 10 {
		p.uploaded(t, fmt.Sprintf("%d.txt", i), "The grinder has a warranty of two years.")
	}
	p.sync(t)
	until(t, p, 10, countIndexed)
	require.Equal(t, 10, ask[int](t, p, "select count(*) from river_job where kind = 'ingest_document' and state = 'completed'"))
	require.Equal(t, 1, ask[int](t, p, "select max(attempt) from river_job where kind = 'ingest_document'"))
	_, err := p.Documents.Delete(p.ctx(), p.CompanyID, p.project(), ask[string](t, p, "select min(document_id) from documents"))
	require.NoError(t, err)
	until(t, p, 9, "select chunk_count from project_lexstats")
	until(t, p, 5, "select count(distinct kind) from river_job where kind like 'sweep_%' and state = 'completed'")
}

func TestRunner_RetriesAndGivesUp(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	p := setup(t, factory.Reader{Before: func(context.Context) error { calls.Add(1); return errors.New("the disk is full") }})
	p.run(t)
	p.uploaded(t, "a.txt", "hello")
	p.sync(t)
	until(t, p, "retryable", "select state::text from river_job where kind = 'ingest_document'")
	require.Equal(t, "processing", ask[string](t, p, "select status from documents"))
	for {
		n := calls.Load()
		_, err := p.Store.Pool().Exec(p.ctx(), "update river_job set state = 'available', scheduled_at = now() where state = 'retryable'")
		require.NoError(t, err)
		require.Eventually(t, func() bool { return calls.Load() > n }, 2*time.Minute, time.Millisecond)
		if calls.Load() == 5 {
			break
		}
		until(t, p, "retryable", "select state::text from river_job where kind = 'ingest_document'")
	}
	until(t, p, "internal_error", "select coalesce(error_code, '') from documents")
	require.Equal(t, "completed", ask[string](t, p, "select state::text from river_job where kind = 'ingest_document'"))
}

func TestRunner_DeleteWinsOverIngest(t *testing.T) {
	t.Parallel()
	reading, deleted := make(chan struct{}), make(chan struct{})
	p := setup(t, factory.Reader{Before: func(context.Context) error { close(reading); <-deleted; return nil }})
	p.run(t)
	id := p.uploaded(t, "a.txt", "hello")
	p.sync(t)
	<-reading
	_, err := p.Documents.Delete(p.ctx(), p.CompanyID, p.project(), id)
	require.NoError(t, err)
	close(deleted)
	until(t, p, "cancelled", "select state::text from river_job where kind = 'ingest_document'")
	require.Zero(t, ask[int](t, p, "select count(*) from chunks"))
}

func TestRunner_StopReturnsRunningJobs(t *testing.T) {
	t.Parallel()
	for name, failure := range map[string]func(ctx context.Context) error{
		"with the error of the context": func(ctx context.Context) error { return ctx.Err() },
		"with the error of the child":   func(context.Context) error { return errors.New("read the document: signal: killed") },
		"with an error about the file":  func(context.Context) error { return apperr.Invalid(apperr.CodeParseFailed, "the file cannot be read") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reading := make(chan struct{}, 10)
			p := setup(t, factory.Reader{Before: func(ctx context.Context) error {
				reading <- struct{}{}
				<-ctx.Done()
				return failure(ctx)
			}})
			p.SoftStop = time.Millisecond
			r, err := jobs.New(p.Deps)
			require.NoError(t, err)
			require.NoError(t, r.Start(t.Context()))
			p.uploaded(t, "a.txt", "hello")
			p.sync(t)
			<-reading
			require.NoError(t, r.Stop(t.Context()))
			require.Equal(t, "available", ask[string](t, p, "select state::text from river_job where kind = 'ingest_document'"))
			require.Zero(t, ask[int](t, p, "select attempt from river_job where kind = 'ingest_document'"), "an attempt that our stop ended does not count")
			require.Zero(t, ask[int](t, p, "select coalesce(array_length(errors, 1), 0) from river_job where kind = 'ingest_document'"))
			require.Equal(t, "processing", ask[string](t, p, "select status from documents"))
		})
	}
}

func TestRunner_ReturnsJobsOfDeadProcesses(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	id := p.uploaded(t, "a.txt", "hello")
	p.sync(t)
	_, err := p.Store.Pool().Exec(p.ctx(),
		"update river_job set state = 'running', attempt = 1, attempted_at = now(), attempted_by = array['worker_dead'] where kind = 'ingest_document'")
	require.NoError(t, err)
	p.run(t)
	until(t, p, "indexed", "select status from documents where document_id = $1", id)
	require.Equal(t, 2, ask[int](t, p, "select attempt from river_job where kind = 'ingest_document'"))
}

func TestRunner_FailsWhatKillsItsProcess(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	p.uploaded(t, "a.txt", "hello")
	p.sync(t)
	_, err := p.Store.Pool().Exec(p.ctx(),
		"update river_job set state = 'running', attempt = 5, attempted_at = now(), attempted_by = array['worker_dead'] where kind = 'ingest_document'")
	require.NoError(t, err)
	p.run(t)
	until(t, p, "interrupted", "select coalesce(error_code, '') from documents")
}

func TestNew_UnknownQueue(t *testing.T) {
	t.Parallel()
	p := setup(t, factory.Reader{})
	p.Queues = []string{"nonsense"}
	_, err := jobs.New(p.Deps)
	require.ErrorContains(t, err, "nonsense")
}

// TestRiverVersion: several of our statements read and write River's own table. Before you
// change a version here, read River's change log and check them.
func TestRiverVersion(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "github.com/riverqueue/river", "github.com/riverqueue/river/riverdriver/riverpgxv5").Output()
	require.NoError(t, err)
	require.Equal(t, "github.com/riverqueue/river v0.51.0\ngithub.com/riverqueue/river/riverdriver/riverpgxv5 v0.51.0", strings.TrimSpace(string(out)))
}

func BenchmarkIngest(b *testing.B) {
	for name, sentences := range map[string]int{"one chunk": 5, "fifty chunks": 500} {
		b.Run(name, func(b *testing.B) {
			p := setup(b, factory.Reader{})
			p.run(b)
			text := strings.Repeat("The grinder has a warranty of two years from the day of purchase. ", sentences)
			for i := range b.N {
				p.uploaded(b, fmt.Sprintf("%d.txt", i), text)
			}
			b.ResetTimer()
			p.sync(b)
			until(b, p, b.N, countIndexed)
			b.ReportMetric(float64(ask[int](b, p, "select count(*) from chunks"))/b.Elapsed().Seconds(), "chunks/s")
		})
	}
}
