package wordpiece_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/wordpiece"
)

// TestEncodePair_reference checks the pairs that tools/model/crossencoder_cases.py made.
func TestEncodePair_reference(t *testing.T) {
	t.Parallel()
	const folder = "../../provider/rerank/testdata/"
	vocab, err := os.Open(folder + "vocab.txt")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, vocab.Close()) })
	tok, err := wordpiece.New(vocab, wordpiece.Options{MaxTokens: 24})
	require.NoError(t, err)
	data, err := os.ReadFile(folder + "cases.json")
	require.NoError(t, err)
	var list []struct {
		Question, Text string
		IDs, Kinds     []int64
	}
	require.NoError(t, json.Unmarshal(data, &list))
	require.NotEmpty(t, list)
	for _, c := range list {
		ids, kinds := tok.EncodePair(c.Question, c.Text)
		require.Equal(t, c.IDs, ids, "%q, %q", c.Question, c.Text)
		require.Equal(t, c.Kinds, kinds)
	}
}

func TestEncodePair_fewestTokens(t *testing.T) {
	t.Parallel()
	tok, err := wordpiece.New(strings.NewReader("[PAD]\n[UNK]\n[CLS]\n[SEP]\na\nb\n"), wordpiece.Options{MaxTokens: wordpiece.MinTokens})
	require.NoError(t, err)
	ids, kinds := tok.EncodePair("a b a", "b a b")
	require.Equal(t, []int64{2, 3, 3}, ids)
	require.Equal(t, []int64{0, 0, 1}, kinds)
}
