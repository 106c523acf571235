package jobs_test

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/ingest/parsing"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
	"docqa/jobs"
)

// workerSetup is the environment variable that makes the test program a worker.
const workerSetup = "DOCQA_TEST_WORKER"

type workerOptions struct {
	Database   string
	Storage    blob.Options
	Embeddings string // a server of models, as the setting names it; empty: none
	Children   bool   // files are read in confined children, as the product does it
}

// work runs a worker until its parent process ends.
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
func startWorker(t *testing.T, p *bundle) *exec.Cmd {
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
