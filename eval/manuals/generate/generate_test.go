package generate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals"
	"docqa/eval/manuals/generate"
)

const page = `TOOL(1)

OPTIONS
       -w, --width=COLS
              Set the breadth of the paper to COLS.  The default is 80.

       -n     Suppress the printing of headings.

       -o, --output FILE
              Write the report to FILE.
`

const article = `<h2>How do I clean the printer?</h2><p>Use the brush that came with the printer.</p>
<p>To print a proof, run this command:</p><pre>lp -d proof</pre>
<table><tr><th>Level</th><th>Number</th></tr><tr><td>LOW</td><td>10</td></tr><tr><td>HIGH</td><td>20</td></tr></table>
<dl class="py"><dt class="sig-object py" id="paper.fold">paper.<span>fold</span>(<em class="sig-param"><span class="n">times</span>=<span
class="default_value">3</span></em>)</dt><dd><p>Bend the sheet along its middle.</p><p>New in version 2.1.</p></dd></dl>`

func questionsOn(t *testing.T, set, name, data string) map[manuals.Kind][]manuals.Question {
	t.Helper()
	d, err := generate.New(t.Context(), set, name, []byte(data), "")
	require.NoError(t, err)
	found := map[manuals.Kind][]manuals.Question{}
	for _, q := range generate.Questions([]*generate.Document{d}) {
		require.True(t, q.Generated)
		require.Equal(t, name, q.Filename)
		found[q.Kind] = append(found[q.Kind], q)
	}
	return found
}

func TestQuestionsOnPlainText(t *testing.T) {
	t.Parallel()
	found := questionsOn(t, "man", "tool.txt", page)
	require.Len(t, found[manuals.Default], 1)
	require.Contains(t, found[manuals.Default][0].Question, "tool --width")
	require.Equal(t, []manuals.Fact{{"80"}}, found[manuals.Default][0].Facts)
	require.Equal(t, "-w, --width=COLS Set the breadth of the paper to COLS. The default is 80.", found[manuals.Default][0].Quote)
	require.Len(t, found[manuals.Option], 3)
	require.NotEmpty(t, found[manuals.Near], "--output states no default")
	require.False(t, found[manuals.Near][0].Answerable)
}

func TestQuestionsOnHTML(t *testing.T) {
	t.Parallel()
	found := questionsOn(t, "python", "paper.html", article)
	require.Equal(t, "How do I clean the printer?", found[manuals.Heading][0].Question)
	require.Equal(t, "Use the brush that came with the printer.", found[manuals.Heading][0].Quote)
	require.Equal(t, "How do I print a proof?", found[manuals.Command][0].Question)
	require.Equal(t, []manuals.Fact{{"lp -d proof"}}, found[manuals.Command][0].Facts)
	require.Len(t, found[manuals.Table], 2)
	require.Len(t, found[manuals.Default], 1)
	require.Equal(t, []manuals.Fact{{"times=3", "3"}}, found[manuals.Default][0].Facts)
	require.Equal(t, []manuals.Fact{{"2.1"}}, found[manuals.Version][0].Facts)
	require.Len(t, found[manuals.Definition], 1)
}

func TestQuestionsAreUnambiguous(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"an entry that is there twice": page + page,
		"an entry with two defaults": `TOOL(1)

       --width=COLS
              Set the breadth. The default is 80. In a pipe the default is 70.
`,
		"a default that is no value": `TOOL(1)

       --width=COLS
              Set the breadth of it. The default is not to break lines.
`,
	}
	for name, data := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, questionsOn(t, "man", "tool.txt", data)[manuals.Default])
		})
	}
}

func TestQuestionsAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	first, second := questionsOn(t, "man", "tool.txt", page), questionsOn(t, "man", "tool.txt", page)
	require.Equal(t, first, second)
}
