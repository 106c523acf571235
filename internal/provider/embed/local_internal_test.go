package embed

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/wordpiece"
	"docqa/internal/provider/onnx"
)

// sums returns for each row a vector that holds the number of its tokens.
type sums struct{ batches []onnx.Batch }

func (s *sums) run(b onnx.Batch) ([][]float32, error) {
	s.batches = append(s.batches, b)
	var data []float32
	for row := range b.Rows {
		n := float32(0)
		for _, m := range b.Mask[row*b.Width : (row+1)*b.Width] {
			n += float32(m)
		}
		data = append(data, n, 1)
	}
	return pool(data, []int64{int64(b.Rows), 2}, b)
}

func (s *sums) close() error { return nil }

const vocab = "[PAD]\n[UNK]\n[CLS]\n[SEP]\na\n"

func newLocal(t *testing.T, r runner) *local {
	t.Helper()
	tok, err := wordpiece.New(strings.NewReader(vocab), wordpiece.Options{MaxTokens: 256})
	require.NoError(t, err)
	return &local{folder: &onnx.Folder{Tokenizer: tok}, runner: r, slots: make(chan struct{}, 1), express: make(chan struct{}, 1)}
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
		require.LessOrEqual(t, b.Rows, onnx.BatchTexts)
		require.LessOrEqual(t, b.Rows*b.Width, onnx.BatchTokens)
		require.Len(t, b.IDs, b.Rows*b.Width)
		for _, m := range b.Mask {
			padding += 1 - int(m)
		}
	}
	require.Less(t, padding, 3000, "texts of a like length go together")
}

func TestLocal_shortQuestionsDoNotWaitForIngestions(t *testing.T) {
	t.Parallel()
	l := newLocal(t, &sums{})
	l.slots <- struct{}{} // an ingestion computes a batch, on a machine with one core
	vectors, err := l.EmbedQuestions(t.Context(), []string{"a?", "a b a?"})
	require.NoError(t, err)
	require.InDelta(t, 4, float64(vectors[0][0]/vectors[0][1]), 0.1)
	require.InDelta(t, 6, float64(vectors[1][0]/vectors[1][1]), 0.1, "in their order")

	late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = l.EmbedQuestions(late, []string{strings.Repeat("a ", expressTokens)})
	require.ErrorIs(t, err, context.DeadlineExceeded, "a long one goes the ordinary way")
	_, err = l.Embed(late, []string{"a"})
	require.ErrorIs(t, err, context.DeadlineExceeded, "a short passage does not take the questions' slot")
	require.Empty(t, l.express)
}

func TestLocal_cancelled(t *testing.T) {
	t.Parallel()
	l := newLocal(t, &sums{})
	l.slots <- struct{}{} // the only slot is in use
	l.express <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.Embed(ctx, []string{"a"})
	require.ErrorIs(t, err, context.Canceled)
}

func TestPool(t *testing.T) {
	t.Parallel()
	b := onnx.Batch{Mask: []int64{1, 1, 1, 0}, Rows: 2, Width: 2}
	got, err := pool([]float32{1, 2, 3, 4, 5, 6, 7, 8}, []int64{2, 2, 2}, b)
	require.NoError(t, err)
	require.Equal(t, [][]float32{{4, 6}, {5, 6}}, got, "padding does not count")
	_, err = pool(nil, []int64{3, 2}, b)
	require.ErrorContains(t, err, "shape [3 2]")
}
