// Package embedtest gives tests the embedding model that `make model` installs. A test fails
// if the model is missing.
//
// A test program opens the model once, because a local model needs much memory, and never
// closes it.
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

// Setting names the installed model.
func Setting() models.Embedding {
	root := projectRoot()
	return models.Embedding{Kind: models.LocalEmbedding, Folder: filepath.Join(root, ".data", "models", "all-MiniLM-L6-v2")}
}

// projectRoot is the nearest parent folder with the module.
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

// Model returns the installed model. The caller must not close it.
func Model(tb testing.TB) embed.Embedder {
	tb.Helper()
	e, err := open()
	require.NoError(tb, err, "the tests need the embedding model: make model")
	return e
}

// Models holds only the installed model.
func Models(tb testing.TB) *search.Models {
	tb.Helper()
	return search.NewModels(Model(tb))
}
