//go:build cgo

package rerank_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/rerank"
)

// library is ONNX Runtime, as make model installs it.
const library = "../../../.data/lib/libonnxruntime.so"

type example struct {
	Question string  `json:"question"`
	Text     string  `json:"text"`
	Logit    float64 `json:"logit"`
}

func examples(t *testing.T) []example {
	t.Helper()
	data, err := os.ReadFile("testdata/cases.json")
	require.NoError(t, err)
	var list []example
	require.NoError(t, json.Unmarshal(data, &list))
	require.NotEmpty(t, list)
	return list
}

func opened(t *testing.T) *rerank.CrossEncoder {
	t.Helper()
	c, err := rerank.Open(t.Context(), "local:testdata", rerank.Options{Library: library})
	require.NoError(t, err, "make model installs ONNX Runtime")
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func TestCrossEncoder_Score_reference(t *testing.T) {
	t.Parallel()
	c := opened(t)
	require.Contains(t, c.Model(), "testdata@")
	for _, e := range examples(t) {
		got, err := c.Score(t.Context(), e.Question, []string{e.Text})
		require.NoError(t, err)
		require.InDelta(t, 1/(1+math.Exp(-e.Logit)), got[0], 1e-4, "%q, %q", e.Question, e.Text)
	}
}

func TestCrossEncoder_Score_batches(t *testing.T) {
	t.Parallel()
	c, list := opened(t), examples(t)
	texts := make([]string, 100)
	for i := range texts {
		texts[i] = list[i%len(list)].Text
	}
	got, err := c.Score(t.Context(), "how long?", texts)
	require.NoError(t, err)
	for i, text := range texts {
		alone, err := c.Score(t.Context(), "how long?", []string{text})
		require.NoError(t, err)
		require.InDelta(t, alone[0], got[i], 1e-4, "neighbours and padding change nothing")
	}
	none, err := c.Score(t.Context(), "how long?", nil)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestCrossEncoder_Score_cancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := opened(t).Score(ctx, "a", []string{"b"})
	require.ErrorIs(t, err, context.Canceled)
}

func TestOpen_refuses(t *testing.T) {
	t.Parallel()
	copied := func(t *testing.T, without string) string {
		t.Helper()
		dir := t.TempDir()
		for _, name := range []string{"model.onnx", "vocab.txt", "config.json"} {
			data, err := os.ReadFile(filepath.Join("testdata", name))
			require.NoError(t, err)
			if name == without {
				data = []byte("nonsense")
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
		}
		return dir
	}
	for name, c := range map[string]struct{ setting, says string }{
		"another kind":    {"openai:http://localhost#m", "local:<folder>"},
		"no folder":       {"local:", "local:<folder>"},
		"an empty folder": {"local:" + t.TempDir(), "make model installs them"},
		"no graph":        {"local:" + copied(t, "model.onnx"), "model.onnx"},
		"no vocabulary":   {"local:" + copied(t, "vocab.txt"), "vocab.txt"},
		"an encoder":      {"local:../../../.data/models/all-MiniLM-L6-v2", "none of the outputs [logits]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := rerank.Open(t.Context(), c.setting, rerank.Options{Library: library})
			require.ErrorContains(t, err, c.says)
		})
	}
}
