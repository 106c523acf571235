package corpora_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/learn/corpora"
)

// wordCounts is an embedder whose vectors are the words of a text, and which counts the texts.
type wordCounts struct{ texts int }

func (e *wordCounts) Embed(_ context.Context, texts []string) ([][]float32, error) {
	e.texts += len(texts)
	var out [][]float32
	for _, text := range texts {
		v := make([]float32, 64)
		for w := range strings.FieldsSeq(strings.ToLower(text)) {
			h := fnv.New32a()
			_, _ = h.Write([]byte(strings.Trim(w, ".?#")))
			v[h.Sum32()%64]++
		}
		var sum float64
		for _, x := range v {
			sum += float64(x * x)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(max(sum, 1)))
		}
		out = append(out, v)
	}
	return out, nil
}

func (e *wordCounts) Model() string   { return "word-counts" }
func (e *wordCounts) Dimensions() int { return 64 }
func (e *wordCounts) Close() error    { return nil }

// data is a folder with the set "tiny": two documents and the questions.
func data(t *testing.T, questions ...string) string {
	t.Helper()
	dir := t.TempDir()
	set := filepath.Join(dir, "qa", "tiny")
	require.NoError(t, os.MkdirAll(filepath.Join(set, "docs"), 0o750))
	long := strings.Repeat("The museum shows paintings of several centuries in its rooms. ", 30)
	for name, text := range map[string]string{
		"docs/museum.md":   "# Hours\n\nThe museum opens at nine.\n\n" + long + "\n\n# Tickets\n\nA ticket costs seven euros. " + long,
		"docs/harbour.md":  "The harbour was built in 1921. Ships of all sizes land there.",
		"questions.jsonl":  strings.Join(questions, "\n"),
		"paragraphs.jsonl": `{"paragraphId":"h1","filename":"harbour.md","text":"The harbour was built in 1921. Ships of all sizes land there."}`,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(set, name), []byte(text), 0o600))
	}
	return dir
}

const harbour = `{"id":"1","question":"When was the harbour built?","answers":["1921"],"filename":"harbour.md","paragraphId":"h1"}`

func TestCorpus_Search(t *testing.T) {
	t.Parallel()
	dir, cache := data(t, harbour), t.TempDir()
	for run, wanted := range []bool{true, false} {
		e := &wordCounts{}
		l, err := corpora.Open(corpora.Options{Data: dir, Cache: cache, Embedder: e})
		require.NoError(t, err)
		require.Equal(t, []string{"tiny"}, l.Names())
		c, err := l.Corpus(t.Context(), "tiny")
		require.NoError(t, err)
		q := &c.Set.Questions[0]
		s, err := c.Search(t.Context(), corpora.Query{Text: q.Text, Candidates: 5})
		require.NoError(t, err)
		best := &s.Candidates[0]
		require.Equal(t, "harbour.md", best.File)
		require.Positive(t, best.Lexical)
		require.Greater(t, best.Cosine, s.Candidates[1].Cosine)
		require.Len(t, best.Sentences, 2)
		require.Greater(t, best.Sentences[0].Cosine, best.Sentences[1].Cosine)
		require.True(t, c.Hit(q, best.Chunk))
		require.False(t, c.Hit(q, s.Candidates[1].Chunk))
		require.Equal(t, 1, c.Rank(q, []*corpora.Chunk{best.Chunk}))
		require.Equal(t, "harbour", s.RankCandidates()[0].Title)
		require.Equal(t, wanted, e.texts > 0, "run %d: the vectors are computed once", run)
	}
}

func TestCorpus_Search_keywords(t *testing.T) {
	t.Parallel()
	l, err := corpora.Open(corpora.Options{Data: data(t, harbour), Cache: t.TempDir()})
	require.NoError(t, err)
	c, err := l.Corpus(t.Context(), "tiny")
	require.NoError(t, err)
	s, err := c.Search(t.Context(), corpora.Query{Text: "harbour", Candidates: 5})
	require.NoError(t, err)
	require.Len(t, s.Candidates, 1, "without vectors, a candidate has a word in common")
	require.Nil(t, s.Candidates[0].Sentences)
	require.Zero(t, s.Candidates[0].Cosine)
	s, err = c.Search(t.Context(), corpora.Query{Text: "And that?", History: []string{"When was the harbour built?"}, Candidates: 5})
	require.NoError(t, err)
	require.Equal(t, "harbour.md", s.Candidates[0].File, "earlier turns search, too")
}

func TestCorpus_Passages(t *testing.T) {
	t.Parallel()
	l, err := corpora.Open(corpora.Options{Data: data(t, harbour), Cache: t.TempDir()})
	require.NoError(t, err)
	c, err := l.Corpus(t.Context(), "tiny")
	require.NoError(t, err)
	var museum, other []*corpora.Chunk
	for _, k := range c.Chunks {
		if k.File == "museum.md" {
			museum = append(museum, k)
		} else {
			other = append(other, k)
		}
	}
	require.Greater(t, len(museum), 3)
	joined := c.Passages([]*corpora.Chunk{museum[1], other[0], museum[0], museum[2], museum[3]}, 10)
	require.Len(t, joined, 3, "three neighbours are one passage, the fourth is another")
	require.True(t, strings.HasPrefix(joined[0].Text, museum[0].Text))
	require.True(t, strings.HasSuffix(joined[0].Text, museum[2].Text))
	require.Len(t, c.Passages([]*corpora.Chunk{museum[3], other[0], museum[0]}, 2), 2)
}

func TestOpen_faults(t *testing.T) {
	t.Parallel()
	_, err := corpora.Open(corpora.Options{Data: t.TempDir(), Cache: t.TempDir()})
	require.ErrorContains(t, err, "holds no set")
	_, err = corpora.Open(corpora.Options{Data: data(t, "{"), Cache: t.TempDir()})
	require.ErrorContains(t, err, "load tiny")
	l, err := corpora.Open(corpora.Options{Data: data(t, harbour), Cache: t.TempDir()})
	require.NoError(t, err)
	_, err = l.Corpus(t.Context(), "huge")
	require.ErrorContains(t, err, "there is no set huge")
}

func TestCorpora_Foreign(t *testing.T) {
	t.Parallel()
	dir := data(t, harbour)
	other := filepath.Join(dir, "qa", "other")
	require.NoError(t, os.MkdirAll(other, 0o750))
	var lines []string
	for i := range 20 {
		lines = append(lines, fmt.Sprintf(`{"id":"%d","question":"What is %d?","answers":["x"],"answerable":%v}`, i, i, i%2 == 0))
	}
	require.NoError(t, os.WriteFile(filepath.Join(other, "questions.jsonl"), []byte(strings.Join(lines, "\n")), 0o600))
	l, err := corpora.Open(corpora.Options{Data: dir, Cache: t.TempDir()})
	require.NoError(t, err)
	c, err := l.Corpus(t.Context(), "tiny")
	require.NoError(t, err)
	foreign := l.Foreign(c.Set, 5)
	require.Len(t, foreign, 5)
	for _, q := range foreign {
		require.True(t, q.Answerable)
	}
}
