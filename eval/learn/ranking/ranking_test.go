package ranking_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/learn/corpora"
	"docqa/eval/learn/ranking"
	"docqa/internal/engine/forest"
	"docqa/internal/engine/rank"
)

// towns holds the set "towns": one document and two questions for each town.
func towns(t *testing.T, n int) *corpora.Corpora {
	t.Helper()
	dir := t.TempDir()
	set := filepath.Join(dir, "qa", "towns")
	require.NoError(t, os.MkdirAll(filepath.Join(set, "docs"), 0o750))
	var questions, paragraphs []string
	for i := range n {
		name := fmt.Sprintf("Town%c", 'a'+i)
		first := fmt.Sprintf("%s was founded in %d by fishermen of the coast.", name, 1200+i)
		second := fmt.Sprintf("The bridge of %s carries trains over the river to the coast.", name)
		require.NoError(t, os.WriteFile(filepath.Join(set, "docs", name+".md"), []byte(first+"\n\n"+second), 0o600))
		paragraphs = append(paragraphs,
			fmt.Sprintf(`{"paragraphId":"%s1","filename":"%s.md","text":%q}`, name, name, first),
			fmt.Sprintf(`{"paragraphId":"%s2","filename":"%s.md","text":%q}`, name, name, second))
		questions = append(questions,
			fmt.Sprintf(`{"id":"%s1","question":"When was %s founded?","answers":["%d"],"filename":"%s.md","paragraphId":"%s1"}`, name, name, 1200+i, name, name),
			fmt.Sprintf(`{"id":"%s2","question":"What does the bridge of %s carry?","answers":["trains"],"filename":"%s.md","paragraphId":"%s2"}`, name, name, name, name))
	}
	require.NoError(t, os.WriteFile(filepath.Join(set, "questions.jsonl"), []byte(strings.Join(questions, "\n")), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(set, "paragraphs.jsonl"), []byte(strings.Join(paragraphs, "\n")), 0o600))
	l, err := corpora.Open(corpora.Options{Data: dir, Cache: t.TempDir()})
	require.NoError(t, err)
	return l
}

func TestRun(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	var table bytes.Buffer
	require.NoError(t, ranking.Run(t.Context(), ranking.Options{Corpora: towns(t, 8), Out: out, Validate: true, Table: &table}))
	for _, order := range []string{"textbook", "words, as found", "words, other documents", "words, set left out", "words, as learned"} {
		require.Contains(t, table.String(), order)
	}
	require.NotContains(t, table.String(), "vectors", "there is no model")
	data, err := os.ReadFile(filepath.Join(out, "words.json"))
	require.NoError(t, err)
	_, err = forest.Parse(data, rank.Names())
	require.NoError(t, err)
}

func TestAcross_learnsFromOtherDocuments(t *testing.T) {
	t.Parallel()
	cases, err := ranking.Collect(t.Context(), towns(t, 8), []string{"towns"}, true)
	require.NoError(t, err)
	require.Len(t, cases, 16)
	learned := 0
	ranks := ranking.Across(cases, 3, func(from []*ranking.Case) *forest.Model {
		groups := map[string]bool{}
		for _, c := range from {
			groups[c.Group] = true
		}
		require.Len(t, from, 2*len(groups), "both questions of a document, or none")
		learned += len(cases) - len(from)
		return &forest.Model{Features: rank.Names()}
	})
	require.Equal(t, len(cases), learned, "each case is tested once")
	require.NotContains(t, ranks, 0)
}

func TestCollect_labels(t *testing.T) {
	t.Parallel()
	cases, err := ranking.Collect(t.Context(), towns(t, 3), []string{"towns"}, true)
	require.NoError(t, err)
	for _, c := range cases {
		for i, k := range c.Candidates {
			require.InDelta(t, map[bool]float64{true: 1}[k.File == c.Question.Gold[0].File], c.Labels[i], 1e-9)
		}
	}
	require.Equal(t, []string{"a", "b"}, ranking.Usable([]string{"a", "policyqa", "b", "sec10q"}))
}
