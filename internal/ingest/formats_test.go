package ingest_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/ingest"
	"docqa/internal/ingest/parsing"
	"docqa/internal/platform/column"
)

// TestIngester_Formats ingests the example documents and reads them in confined children, as the
// product does.
func TestIngester_Formats(t *testing.T) {
	t.Parallel()
	b := setup(t)
	deps := b.IngestDeps()
	deps.Parser = parsing.New(parsing.Options{Self: os.Args[0]})
	b.Ingest = ingest.New(deps)
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
		d := b.Indexed(t, filepath.Base(path), string(text))
		require.Positive(t, d.ChunkCount, path)
		require.Equal(t, filepath.Ext(path) == ".pdf", d.PageCount != nil, path)
	}
	require.GreaterOrEqual(t, len(seen), 4)
	page := b.Indexed(t, "page.html", "<nav>Home</nav><p>The pump is blue.</p><p hidden>secret</p><footer>Imprint</footer>")
	require.Equal(t, &column.LeftOut{Characters: 34, Reasons: []column.LeftOutPart{{Reason: "navigation", Characters: 11}, {Reason: "hidden", Characters: 6}}}, page.LeftOut)
	left, err := os.ReadDir(b.Ingest.TempDir)
	require.NoError(t, err)
	require.Empty(t, left, "no file is left behind")
}
