//go:build cgo

package embed_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
)

const (
	data   = "../../../.data"
	folder = data + "/models/all-MiniLM-L6-v2"
)

// model opens the installed model.
func model(tb testing.TB) embed.Embedder {
	tb.Helper()
	_, err := os.Stat(folder)
	require.NoError(tb, err, "the tests need the embedding model: make model")
	e, err := embed.Open(tb.Context(), models.Embedding{Kind: models.LocalEmbedding, Folder: folder}, embed.Options{Dimensions: 384, Threads: 2})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, e.Close()) })
	return e
}

func TestModel_similarities(t *testing.T) {
	t.Parallel()
	e := model(t)
	require.Regexp(t, `^all-MiniLM-L6-v2@[0-9a-f]{8}$`, e.Model())
	v, err := e.Embed(t.Context(), []string{
		"That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day",
	})
	require.NoError(t, err)
	// The exact model gives 1, .695, .943 and .257.
	for i, want := range []float64{1, 0.667, 0.923, 0.271} {
		require.InDelta(t, want, dot(v[0], v[i]), 0.02, "sentence %d", i)
	}
}

func TestModel_sameInAnyBatch(t *testing.T) {
	t.Parallel()
	e := model(t)
	texts := []string{"", "How long is the warranty?", strings.Repeat("The battery is covered for two years. ", 60), "保修期", "\xff\x00"}
	together, err := e.Embed(t.Context(), texts)
	require.NoError(t, err)
	var all sync.WaitGroup
	for i, text := range texts {
		all.Go(func() {
			alone, err := e.Embed(context.WithoutCancel(t.Context()), []string{text})
			if err != nil || dot(alone[0], together[i]) < 0.95 { // the quantised activations of a text depend on the other texts of its batch
				t.Errorf("text %d: %v, cosine %v", i, err, dot(alone[0], together[i]))
			}
		})
	}
	all.Wait()
}

func TestModel_broken(t *testing.T) {
	t.Parallel()
	model(t)
	copied := func(t *testing.T, change map[string]string) string {
		t.Helper()
		dir := t.TempDir()
		for _, name := range []string{"model.onnx", "vocab.txt", "config.json"} {
			abs, err := filepath.Abs(filepath.Join(folder, name))
			require.NoError(t, err)
			if text, ok := change[name]; ok {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
				continue
			}
			require.NoError(t, os.Symlink(abs, filepath.Join(dir, name)))
		}
		return dir
	}
	library := embed.Options{Library: data + "/lib/libonnxruntime.so"}
	for name, c := range map[string]struct {
		change map[string]string
		o      embed.Options
		says   string
	}{
		"no graph":            {map[string]string{"model.onnx": "nonsense"}, library, "model.onnx"},
		"another config":      {map[string]string{"config.json": `{"hidden_size":768}`}, library, "answers 384 dimensions, config.json says 768"},
		"a larger vocabulary": {map[string]string{"vocab.txt": "[PAD]\n[UNK]\n[CLS]\n[SEP]\n" + strings.Repeat("a\n", 40000), "config.json": "{}"}, library, "try the model"},
		"other vectors":       {nil, embed.Options{Library: library.Library, Dimensions: 768}, "have 384 dimensions, expected are 768"},
		"no runtime":          {nil, embed.Options{Library: "/nonexistent.so"}, "find ONNX Runtime"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := embed.Open(t.Context(), models.Embedding{Kind: models.LocalEmbedding, Folder: copied(t, c.change)}, c.o)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func BenchmarkModel(b *testing.B) {
	e := model(b)
	for name, texts := range map[string][]string{
		"query":             {"How long does the warranty cover the battery of the scooter?"},
		"16 chunks of 128":  repeated(16, 12),
		"16 chunks of full": repeated(16, 40),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_, err := e.Embed(b.Context(), texts)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

func repeated(n, sentences int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.Repeat("The battery is covered for two full years. ", sentences)
	}
	return texts
}

// BenchmarkModel_questionWhileIngesting measures a question on an idle model and while every
// slot computes passages. Run it with -benchtime=60x or more.
func BenchmarkModel_questionWhileIngesting(b *testing.B) {
	e := model(b)
	ask := func() []time.Duration {
		took := make([]time.Duration, 60)
		for i := range took {
			began := time.Now()
			_, err := e.(embed.Questioner).EmbedQuestions(b.Context(), []string{"How long does the warranty cover the battery of the scooter?"})
			require.NoError(b, err)
			took[i] = time.Since(began)
		}
		slices.Sort(took)
		return took
	}
	for b.Loop() {
		rest := ask()
		ctx, cancel := context.WithCancel(b.Context())
		var ingestions sync.WaitGroup
		for range 4 {
			ingestions.Go(func() {
				for ctx.Err() == nil {
					_, _ = e.Embed(ctx, repeated(16, 20))
				}
			})
		}
		busy := ask()
		cancel()
		ingestions.Wait()
		b.ReportMetric(rest[len(rest)/2].Seconds()*1e3, "rest-p50-ms")
		b.ReportMetric(busy[len(busy)/2].Seconds()*1e3, "ingesting-p50-ms")
	}
}
