// Package blobtest gives tests a real S3 server: one for each test program, and a bucket for
// each test. The server runs in a child process, so a test program that uses it needs a
// TestMain that calls Main.
package blobtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/devenv/s3"
	"docqa/internal/provider/blob"
)

// Origin is the web origin whose pages may use the buckets.
const Origin = "http://app.example.test"

// role is the environment variable that makes the test program the storage server.
const role = "DOCQA_TEST_STORAGE"

// shared is the program's server.
var shared struct {
	once   sync.Once
	server *s3.Server
	dir    string
	err    error
}

// Main runs the tests of the program, or the storage server in the child, and exits. after is
// called when the tests have ended.
func Main(m *testing.M, after ...func()) {
	if os.Getenv(role) != "" {
		if err := s3.Child(context.Background(), os.Stdin); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	code := m.Run()
	if shared.server != nil {
		_ = shared.server.Stop()
		_ = os.RemoveAll(shared.dir)
	}
	for _, f := range after {
		f()
	}
	os.Exit(code)
}

// Options are the options of a new bucket, for a process that the test starts.
func Options(tb testing.TB) blob.Options {
	tb.Helper()
	shared.once.Do(func() { shared.err = start() })
	require.NoError(tb, shared.err, "the tests need an S3 server; does TestMain call blobtest.Main?")
	opts := blob.Options{
		Endpoint: shared.server.Endpoint(), Region: shared.server.Region(), Bucket: "t-" + strings.ToLower(rand.Text()),
		AccessKey: shared.server.AccessKey, SecretKey: shared.server.SecretKey,
	}
	b, err := blob.New(opts)
	require.NoError(tb, err)
	require.NoError(tb, b.EnsureBucket(tb.Context(), []string{Origin}))
	return opts
}

// New returns an empty bucket.
func New(tb testing.TB) *blob.Store {
	tb.Helper()
	b, err := blob.New(Options(tb))
	require.NoError(tb, err)
	return b
}

func start() (err error) {
	if shared.dir, err = os.MkdirTemp("", "docqa-blobtest-"); err != nil {
		return err
	}
	shared.server, err = s3.Start(context.Background(), s3.Options{
		Dir: shared.dir, Bucket: "docqa", Command: []string{os.Args[0]}, Env: []string{role + "=1"},
	})
	return err
}
