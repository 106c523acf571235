package provenance_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/dataset"
	"docqa/eval/manuals"
	"docqa/eval/provenance"
)

func TestProvenance_Saw(t *testing.T) {
	t.Parallel()
	set := &dataset.Set{Name: "a", Questions: []dataset.Question{{ID: "1", Text: "One?"}, {ID: "2", Text: "Two?"}}}
	p := provenance.New("c0ffee", "1", []*dataset.Set{set})
	require.True(t, p.Saw(set))
	slices.Reverse(set.Questions)
	require.True(t, p.Saw(set), "the order does not count")
	set.Questions = append(set.Questions, dataset.Question{ID: "3", Text: "Three?", Manual: &manuals.Question{Part: manuals.Unseen}})
	require.True(t, p.Saw(set), "questions that are kept for measuring do not count")
	set.Questions[0].Text = "Another?"
	require.False(t, p.Saw(set), "other questions under the same name")
	require.False(t, p.Saw(&dataset.Set{Name: "b"}))
}

// The models that come with the service say what they were trained on.
func TestRead(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"rank/models/vectors.json", "rank/models/words.json", "answer/models/vectors.json", "answer/models/words.json", "answer/models/others.json"} {
		p, err := provenance.Read(filepath.Join("..", "..", "internal", "engine", path))
		require.NoError(t, err)
		require.NotEmpty(t, p.Commit, path)
		require.NotEmpty(t, p.Seed, path)
		require.NotEmpty(t, p.Sets, path)
		require.NotEmpty(t, p.Figures, path)
	}
	none := filepath.Join(t.TempDir(), "model.json")
	require.NoError(t, os.WriteFile(none, []byte(`{"features":[]}`), 0o600))
	_, err := provenance.Read(none)
	require.ErrorContains(t, err, "does not say what the model was trained on")
}
