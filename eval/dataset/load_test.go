package dataset_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/dataset"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

func TestLoad_joinsParagraphsWithoutFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"qa/small/paragraphs.jsonl": `{"paragraphId":"a#1","filename":"a.md","text":"First."}
{"paragraphId":"b#1","filename":"b.md","text":"Other."}
{"paragraphId":"a#2","filename":"a.md","text":"Second."}
`,
		"qa/small/questions.jsonl": `{"id":"1","question":" What? ","answers":["Second"],"answerable":true,"filename":"a.md","paragraphId":"a#2"}
{"id":"2","question":"Why?","answers":[],"answerable":false,"filename":"a.md","paragraphId":"a#1"}
`,
	})
	sets, err := dataset.Load(dir, "small")
	require.NoError(t, err)
	require.Len(t, sets, 1)
	require.Equal(t, []dataset.Document{
		{Name: "a.md", Data: []byte("First.\n\nSecond.")},
		{Name: "b.md", Data: []byte("Other.")},
	}, sets[0].Documents)
	require.Equal(t, dataset.Question{
		ID: "1", Text: "What?", Answers: []string{"Second"}, Answerable: true,
		Gold: []dataset.Gold{{File: "a.md", Text: "Second."}},
	}, sets[0].Questions[0])
	require.False(t, sets[0].Questions[1].Answerable)
	require.Empty(t, sets[0].Questions[1].Gold, "an unanswerable question has no place")
}

func TestLoad_splitsLanguages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"many/paragraphs.jsonl": `{"paragraphId":"de/a#1","filename":"de/a.md","lang":"de","text":"Eins."}
{"paragraphId":"es/a#1","filename":"es/a.md","lang":"es","text":"Uno."}
`,
		"many/questions.jsonl": `{"id":"1","question":"Q","answers":["Uno"],"lang":"es","filename":"es/a.md","paragraphId":"es/a#1"}
{"id":"2","question":"Q","answers":["Eins"],"lang":"de","filename":"de/a.md","paragraphId":"de/a#1"}
`,
	})
	sets, err := dataset.Load(dir, "many")
	require.NoError(t, err)
	require.Len(t, sets, 2)
	require.Equal(t, "many-de", sets[0].Name)
	require.Equal(t, "de", sets[0].Language)
	require.Equal(t, []dataset.Document{{Name: "a.md", Data: []byte("Eins.")}}, sets[0].Documents)
	require.Equal(t, "Uno.", sets[1].Questions[0].Gold[0].Text)
}

func TestLoad_pagesTurnsAndFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"northwind/docs/x/a.txt": "one", "northwind/docs/y/a.txt": "two",
		"northwind/questions.jsonl": `{"id":"1","question":"Q","answers":["z"],"filename":"y/a.txt","pageNumbers":[3,4],` +
			`"history":[{"role":"user","text":"first"},{"role":"assistant","text":"no"},{"role":"user","text":"second"}]}
`,
	})
	sets, err := dataset.Load(dir, "northwind")
	require.NoError(t, err)
	require.Equal(t, "x_a.txt", sets[0].Documents[0].Name)
	require.Equal(t, 1, sets[0].PageSlack)
	require.Equal(t, []dataset.Gold{{File: "y_a.txt", Page: 3}, {File: "y_a.txt", Page: 4}}, sets[0].Questions[0].Gold)
	require.Equal(t, []string{"first", "second"}, sets[0].Questions[0].History)
	names, err := dataset.Names(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"northwind"}, names)
}

func TestLoad_namesTheBrokenLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, map[string]string{"s/questions.jsonl": "{\"id\":\"1\",\"question\":\"Q\"}\n{\n"})
	_, err := dataset.Load(dir, "s")
	require.ErrorContains(t, err, "line 2")
}
