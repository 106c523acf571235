// Package embedtest gives tests the embedding model that make model installs. A test
// fails where it is missing.
//
// It opens the model once in a test program, which a local model's memory is worth, and
// never closes it.
package embedtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
	"docqa/internal/search"
)

// Setting is the installed model.
func Setting() models.Embedding {
	root := projectRoot()
	return models.Embedding{Kind: models.LocalEmbedding, Folder: filepath.Join(root, ".data", "models", "all-MiniLM-L6-v2")}
}

// projectRoot is the nearest folder above that holds the module.
func projectRoot() string {
	dir, err := os.Getwd()
	for err == nil && dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return "."
}

var open = sync.OnceValues(func() (embed.Embedder, error) {
	return embed.Open(context.Background(), Setting(), embed.Options{Threads: 2})
})

// Model is the installed model; it must not be closed.
func Model(tb testing.TB) embed.Embedder {
	tb.Helper()
	e, err := open()
	require.NoError(tb, err, "the tests need the embedding model: make model")
	return e
}

// Models are the installed model alone.
func Models(tb testing.TB) *search.Models {
	tb.Helper()
	return search.NewModels(Model(tb))
}
