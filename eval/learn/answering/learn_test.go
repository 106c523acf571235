package answering_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/learn/answering"
	"docqa/eval/learn/corpora"
	"docqa/internal/engine/answer"
)

// sampleSet is a set with a document, a question and its answer for each of 15 things.
type sampleSet struct {
	name, kind         string
	question, sentence string // formats: the thing; the thing and a number
}

func (s sampleSet) write(t *testing.T, dir string) {
	t.Helper()
	at := filepath.Join(dir, "qa", s.name)
	require.NoError(t, os.MkdirAll(filepath.Join(at, "docs"), 0o750))
	var questions, paragraphs []string
	for i := range 15 {
		name := fmt.Sprintf("%s%c", s.kind, 'a'+i)
		answers := fmt.Sprintf(s.sentence, name, 1200+i)
		text := fmt.Sprintf("Much is told of %s and its neighbours. %s Nobody there remembers the winter.", name, answers)
		require.NoError(t, os.WriteFile(filepath.Join(at, "docs", name+".md"), []byte(text), 0o600))
		paragraphs = append(paragraphs, fmt.Sprintf(`{"paragraphId":"%s","filename":"%s.md","text":%q}`, name, name, text))
		questions = append(questions, fmt.Sprintf(`{"id":"%s","question":%q,"answers":["%d"],"filename":"%s.md","paragraphId":"%s"}`,
			name, fmt.Sprintf(s.question, name), 1200+i, name, name))
	}
	require.NoError(t, os.WriteFile(filepath.Join(at, "questions.jsonl"), []byte(strings.Join(questions, "\n")), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(at, "paragraphs.jsonl"), []byte(strings.Join(paragraphs, "\n")), 0o600))
}

func TestLearn(t *testing.T) {
	t.Parallel()
	data, folder := t.TempDir(), t.TempDir()
	sampleSet{"towns", "Town", "When was %s founded?", "The fishermen founded %s in the year %d."}.write(t, data)
	sampleSet{"bridges", "Bridge", "How long is the bridge called %s?", "The bridge called %s is %d metres long."}.write(t, data)
	l, err := corpora.Open(corpora.Options{Data: data, Cache: t.TempDir()})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, answering.Learn(t.Context(), l, answering.Options{Name: answer.Words, Sets: l.Names(), Leave: true, Folder: folder, Out: &out}))
	for _, set := range []string{"towns", "bridges"} {
		require.Regexp(t, set+` +15  1\.000`, out.String(), "the sentence with the year is chosen")
	}
	require.Contains(t, out.String(), "sets left out")

	written, err := os.ReadFile(filepath.Join(folder, "words.json"))
	require.NoError(t, err)
	var models struct {
		Choice     struct{ Features []string } `json:"choose"`
		Confidence struct{ Features []string } `json:"judge"`
		Threshold  float64
	}
	require.NoError(t, json.Unmarshal(written, &models))
	require.Equal(t, answer.WordStatementFeatures(), models.Choice.Features)
	require.Equal(t, answer.WordConfidenceFeatures(), models.Confidence.Features)
	require.Greater(t, models.Threshold, 0.0)
}
