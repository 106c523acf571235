package documents_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/documents"
	"docqa/internal/parsing"
	"docqa/internal/testkit/factory"
)

// TestIngester_Formats brings the example documents in, read in confined children as
// the product does it.
func TestIngester_Formats(t *testing.T) {
	t.Parallel()
	f := setup(t)
	f.ingest = documents.NewIngester(documents.IngesterOptions{
		Store: f.store, Objects: f.objects, Jobs: f.jobs, Formats: factory.Reader{}, Pages: pages(t), Clock: f.clock, Parser: parsing.New(parsing.Options{Self: os.Args[0]}),
		Logger: slog.New(slog.DiscardHandler), TempDir: t.TempDir(),
	})
	files, err := filepath.Glob("../../examples/documents/*.*")
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, path := range files {
		if seen[filepath.Ext(path)] {
			continue
		}
		seen[filepath.Ext(path)] = true
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		d := f.indexed(t, filepath.Base(path), string(text))
		require.Positive(t, d.ChunkCount, path)
		require.Equal(t, filepath.Ext(path) == ".pdf", d.PageCount != nil, path)
	}
	require.GreaterOrEqual(t, len(seen), 4)
	left, err := os.ReadDir(f.ingest.TempDir)
	require.NoError(t, err)
	require.Empty(t, left, "no file is left behind")
}
