package embed

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/wordpiece"
)

// sums answers a vector that tells how many tokens a row has.
type sums struct{ batches []batch }

func (s *sums) run(b batch) ([][]float32, error) {
	s.batches = append(s.batches, b)
	var data []float32
	for row := range b.rows {
		n := float32(0)
		for _, m := range b.mask[row*b.width : (row+1)*b.width] {
			n += float32(m)
		}
		data = append(data, n, 1)
	}
	return pool(data, []int64{int64(b.rows), 2}, b)
}

func (s *sums) close() error { return nil }

const vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n"

func newLocal(t *testing.T, r runner) *local {
	t.Helper()
	tok, err := wordpiece.New(strings.NewReader(vocab), wordpiece.Options{MaxTokens: 256})
	require.NoError(t, err)
	return &local{folder: &folder{tokenizer: tok}, runner: r, slots: make(chan struct{}, 1)}
}

func TestLocal_batches(t *testing.T) {
	t.Parallel()
	r := &sums{}
	l := newLocal(t, r)
	texts := make([]string, 300)
	for i := range texts {
		texts[i] = strings.Repeat("a ", (i*37)%300)
	}
	vectors, err := l.Embed(t.Context(), texts)
	require.NoError(t, err)
	for i, v := range vectors {
		require.InDelta(t, float64(min((i*37)%300+2, 256)), float64(v[0]/v[1]), 0.1, "each vector is of its text")
	}
	padding := 0
	for _, b := range r.batches {
		require.LessOrEqual(t, b.rows, batchTexts)
		require.LessOrEqual(t, b.rows*b.width, batchTokens)
		require.Len(t, b.ids, b.rows*b.width)
		for _, m := range b.mask {
			padding += 1 - int(m)
		}
	}
	require.Less(t, padding, 3000, "texts of a like length go together")
}

func TestLocal_cancelled(t *testing.T) {
	t.Parallel()
	l := newLocal(t, &sums{})
	l.slots <- struct{}{} // busy
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.Embed(ctx, []string{"a"})
	require.ErrorIs(t, err, context.Canceled)
}

func TestPool(t *testing.T) {
	t.Parallel()
	b := batch{mask: []int64{1, 1, 1, 0}, rows: 2, width: 2}
	got, err := pool([]float32{1, 2, 3, 4, 5, 6, 7, 8}, []int64{2, 2, 2}, b)
	require.NoError(t, err)
	require.Equal(t, [][]float32{{4, 6}, {5, 6}}, got, "padding does not count")
	_, err = pool(nil, []int64{3, 2}, b)
	require.ErrorContains(t, err, "shape [3 2]")
}

func TestReadFolder_refuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		says  string
	}{
		"empty":        {nil, "make model installs them"},
		"no weights":   {map[string]string{"config.json": "{}", "vocab.txt": vocab}, "make model installs them"},
		"no vocab":     {map[string]string{"config.json": "{}", "model.onnx": "x"}, "make model installs them"},
		"broken":       {map[string]string{"config.json": "{", "vocab.txt": vocab, "model.onnx": "x"}, "config.json"},
		"other vocab":  {map[string]string{"config.json": `{"vocab_size":3}`, "vocab.txt": vocab, "model.onnx": "x"}, "5 tokens, the model knows 3"},
		"no BERT's":    {map[string]string{"config.json": "{}", "vocab.txt": "a\n", "model.onnx": "x"}, "no token [UNK]"},
		"no such file": {map[string]string{"config.json": "[]"}, "config.json"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for file, text := range c.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
			}
			_, err := readFolder(dir)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestFolderConfig_tokens(t *testing.T) {
	t.Parallel()
	require.Equal(t, 256, folderConfig{}.tokens())
	require.Equal(t, 128, folderConfig{MaxTokens: 512, Positions: 128}.tokens())
}
