package answer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/parse/html"
)

// suggest returns what is suggested after a question about a page.
func suggest(t *testing.T, question, page string) []string {
	t.Helper()
	d, err := html.Parse(page)
	require.NoError(t, err)
	chunks := chunk.Split(d, "", chunk.Options{Words: 100_000})
	require.Len(t, chunks, 1)
	passages := []answer.Passage{{Title: "Manual", HeadingPath: chunks[0].HeadingPath, Text: chunks[0].Text, Marks: chunks[0].Marks}}
	var out []string
	for _, s := range composer().Suggest(question, lexical.NewStats().Question(question), passages, answer.Options{}) {
		require.Zero(t, s.Passage)
		require.Less(t, s.Begin, s.End)
		out = append(out, s.Question)
	}
	return out
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	const question = "How long does the pump last?"
	for name, tt := range map[string]struct {
		page string
		want []string
	}{
		"a question of the document": {"<h2>Care</h2><p>How often should I clean the filter?</p><p>Clean the filter every second week.</p>", []string{"How often should I clean the filter?"}},
		"one that leans on another":  {"<h2>Note</h2><p>And when should I clean it again?</p><p>Every second week.</p>", nil},
		"an option":                  {"<dl><dt>-q, --quiet<dd>Prints nothing but errors.<dt>-v<dd>Prints each step.</dl>", []string{"What does --quiet do?"}},
		"a name without letters":     {"<dl><dt>-1<dd>Prints one line.</dl>", nil},
		"code":                       {"<h2>Shells</h2><p>a&gt; b; /bin/echo $?</p><p>Runs b.</p>", nil},
		"instructions":               {"<h2>How to register a pump</h2><p>You register a pump with its number.</p>", []string{"How do I register a pump?"}},
		"a heading with a gerund":    {"<h2>Registering The Pump</h2><p>You register the pump with its number.</p>", []string{"How do I register the pump?"}},
		"a heading that asks":        {"<h2>What is not covered</h2><p>Scratches are not covered.</p>", []string{"What is not covered?"}},
		"a heading that says":        {"<h2>What we promise</h2><p>We promise to be quick.</p>", nil},
		"a topic":                    {"<h2>Delivery Costs</h2><p>The delivery costs are five euros.</p>", []string{"What about delivery costs?"}},
		"a general heading":          {"<h2>Note</h2><p>Close the valve first.</p>", nil},
		"a heading without a text":   {"<h2>Delivery</h2><h2>Note</h2><p>Close the valve first.</p>", nil},
		"what was asked":             {"<h2>How long the pump lasts</h2><p>The pump lasts ten years.</p>", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, suggest(t, question, "<h1>Pumps</h1>"+tt.page))
		})
	}
}
