package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/ingest/parsing"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
	"docqa/jobs"
)

// workerSetup is the variable that makes the test program a worker.
const workerSetup = "DOCQA_TEST_WORKER"

type workerOptions struct {
	Database   string
	Storage    blob.Options
	Embeddings string // a server of models, as the setting names it; empty: none
	Children   bool   // files are read in confined children, as the product does it
}

// work is a worker process: it works until its parent is gone.
func work(setup string) error {
	var opts workerOptions
	if err := json.Unmarshal([]byte(setup), &opts); err != nil {
		return err
	}
	ctx := context.Background()
	s, err := store.Open(ctx, opts.Database, store.Options{MaxConns: 6})
	if err != nil {
		return err
	}
	objects, err := blob.New(opts.Storage)
	if err != nil {
		return err
	}
	d, err := deps(s, objects, factory.Reader{})
	if err != nil {
		return err
	}
	if opts.Embeddings != "" {
		if d.Vectors, err = vectorsOf(ctx, s, opts.Embeddings); err != nil {
			return err
		}
	}
	if opts.Children {
		d.Ingester.Parser = parsing.New(parsing.Options{Self: os.Args[0]})
	}
	r, err := jobs.New(d)
	if err != nil {
		return err
	}
	if err := r.Start(ctx); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// startWorker runs a worker process.
func startWorker(t *testing.T, p *plant) *exec.Cmd {
	t.Helper()
	return startWorkerWith(t, workerOptions{Database: p.url, Storage: p.storage})
}

func startWorkerWith(t *testing.T, o workerOptions) *exec.Cmd {
	t.Helper()
	setup, err := json.Marshal(o)
	require.NoError(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), workerSetup+"="+string(setup))
	cmd.Stderr = os.Stderr
	_, err = cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return cmd
}

// TestKill9 kills worker processes while they ingest. Nothing may be lost, nothing
// may happen twice, and nobody may wait long.
func TestKill9(t *testing.T) {
	t.Parallel()
	const (
		files   = 300
		kills   = 20
		workers = 3
		within  = 5 * time.Minute
	)
	p := newPlant(t, factory.Reader{})
	for i := range files {
		p.uploaded(t, fmt.Sprintf("%d.txt", i), strings.Repeat(fmt.Sprintf("Sentence of document %d about grinders. ", i), 80))
	}
	_, err := p.Store.Pool().Exec(p.ctx(), "update projects set status = 'indexing'")
	require.NoError(t, err)
	p.sync(t)

	start := time.Now()
	running := make([]*exec.Cmd, workers)
	for i := range running {
		running[i] = startWorker(t, p)
	}
	for k := range kills {
		// spread over the whole work: the next one when its share of the documents is done
		require.Eventually(t, func() bool { return ask[int](t, p, countIndexed) >= k*files/(kills+1) }, within, time.Millisecond)
		victim := k % workers
		require.NoError(t, running[victim].Process.Kill())
		_ = running[victim].Wait()
		running[victim] = startWorker(t, p)
	}
	require.Eventually(t, func() bool { return ask[int](t, p, countIndexed) == files }, within, 5*time.Millisecond, "every document is indexed")
	took := time.Since(start)
	for _, cmd := range running {
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
	}
	extra := ask[int](t, p, "select sum(attempt) - count(*) from river_job where kind = 'ingest_document'")
	t.Logf("%d documents, %d kills: %s, %d attempts interrupted", files, kills, took.Round(10*time.Millisecond), extra)

	require.Equal(t, files, ask[int](t, p, "select count(*) from river_job where kind = 'ingest_document' and state = 'completed'"))
	require.Equal(t, files, ask[int](t, p, "select count(*) from activity_events where type = 'document.indexed'"), "each indexed once")
	require.Zero(t, ask[int](t, p, "select count(*) from (select 1 from chunks group by document_id, ordinal having count(*) > 1) twice"))
	require.Zero(t, ask[int](t, p, `select count(*) from documents d
		where chunk_count = 0 or chunk_count <> (select count(*) from chunks c where c.document_id = d.document_id)
		or chunk_count <> (select count(*) from chunk_terms t join chunks c using (company_id, project_id, chunk_id) where c.document_id = d.document_id)`))
	require.Equal(t, "live", ask[string](t, p, "select status from projects"))
	require.Equal(t, ask[int](t, p, "select count(*) from chunks"), ask[int](t, p, "select chunk_count from project_lexstats"))
}
