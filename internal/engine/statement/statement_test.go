package statement_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse/html"
	"docqa/internal/engine/parse/markdown"
	"docqa/internal/engine/parse/plain"
	"docqa/internal/engine/statement"
)

// split returns the statements of a document that is one piece.
func split(t *testing.T, d *doc.Document) (string, []statement.Span) {
	t.Helper()
	chunks := chunk.Split(d, "", chunk.Options{Words: 100_000})
	if len(chunks) == 0 {
		return "", nil
	}
	require.Len(t, chunks, 1)
	c := chunks[0]
	return c.Text, statement.Split(statement.Piece{Body: c.Text, Marks: c.Marks, Context: c.Context})
}

func splitMarkdown(t *testing.T, source string) []statement.Span {
	t.Helper()
	body, list := split(t, markdown.Parse(source))
	for _, s := range list {
		require.Contains(t, body[s.Start:s.End], strings.TrimSuffix(strings.Fields(s.Text)[0], ":"))
	}
	return list
}

func splitHTML(t *testing.T, source string) []statement.Span {
	t.Helper()
	d, err := html.Parse(source)
	require.NoError(t, err)
	_, list := split(t, d)
	return list
}

func texts(list []statement.Span) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.Text)
	}
	return out
}

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		want       []string // the texts
	}{
		{"nothing", " \n", nil},
		{"sentences without markup", "The **pump** is [blue](https://example.org). It hums.", []string{"The pump is blue.", "It hums."}},
		{"code within a sentence", "Set `arr[0]` to `__init__` now [3].", []string{"Set `arr[0]` to `__init__` now."}},
		{"underscores", "Use __this__ or https://x.example/a__b__c now.", []string{"Use this or https://x.example/a__b__c now."}},
		{"an index and a reference", "Take pay[3] first.[12] Then rest.", []string{"Take pay[3] first.", "Then rest."}},
		{"headings are none", "# Pumps\nThey hum.\n## Blue\nIt hums.", []string{"They hum.", "It hums."}},
		{"a table with a rule", "| Size | Price |\n| --- | --- |\n| small | 3 € |\n| big | 5 € |", []string{"small – Price: 3 €", "big – Price: 5 €"}},
		{"names of columns in two rows", "| | 2019 |\n|---|---|\n| | $ |\n| Sales | 5 |", []string{"Sales – 2019 $: 5"}},
		{"a question", "Is it blue?\n\nYes.", []string{"Is it blue?", "Yes."}},
		{"a listing", "Run this:\n\n```\n# make\na  b\n\nc\n```\n", []string{"Run this:", "# make\na  b", "c"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, texts(splitMarkdown(t, tt.body)))
		})
	}
}

func TestSplit_readsFramedTables(t *testing.T) {
	t.Parallel()
	_, got := split(t, plain.Parse("┌────┬─────┐\n│Name│ Size│\n├────┼─────┤\n│a   │ 1   │\n├────┼─────┤\n│b   │ 2   │\n│    │ or 3│\n└────┴─────┘\n"))
	require.Equal(t, []string{"a – Size: 1", "b – Size: 2 or 3"}, texts(got))
}

func TestSplit_givesQuestionsTheirAnswers(t *testing.T) {
	t.Parallel()
	got := splitHTML(t, `<p><b>Is it blue?</b></p><p>Yes.</p><p><b>Is it red?</b></p><p>No.</p>`)
	require.Equal(t, []string{"Yes.", "No."}, texts(got))
	require.Equal(t, "Is it blue?", got[0].Asked)
	require.Equal(t, "Is it red?", got[1].Asked)
}

func TestSplit_saysWhatStatementsBelongTo(t *testing.T) {
	t.Parallel()
	got := splitMarkdown(t, "# Cover\n## Pumps\nNot covered:\n- rust\n- frost\n\nWe repair fast.\n## Hoses\nThe lamp is dark. How long?\n\nTwo years.\n\n| Part | Price |\n|---|---|\n| seal | 4 € |")
	require.Len(t, got, 8)
	require.Equal(t, statement.Caption, got[0].Kind)
	require.Equal(t, "Cover – Pumps", got[1].Heading)
	require.Equal(t, "Not covered: frost", got[2].Whole())
	require.Empty(t, got[3].Lead, "the list is over")
	require.Equal(t, statement.Question, got[4].Kind, "it belongs to the question behind it")
	require.Equal(t, statement.Question, got[5].Kind)
	require.Equal(t, "Cover – Hoses", got[6].Heading)
	require.Equal(t, "The lamp is dark. How long?", got[6].Asked)
	require.Equal(t, statement.Row, got[7].Kind)
	require.Equal(t, "seal", got[7].Label)
	require.Equal(t, []statement.Cell{{Column: "Price", Text: "4 €"}}, got[7].Cells)
}

func TestSplit_givesTermsTheirDefinitions(t *testing.T) {
	t.Parallel()
	got := splitHTML(t, `<dl><dt>port<dt>-p<dd><p>The port to listen on.<p>The default is 80.<dl><dt>low<dd>Below 1024.</dl>It is a number.
		<dt>host<dd>The default is any.</dl><p>That is all.`)
	require.Equal(t, []string{"The port to listen on.", "The default is 80.", "Below 1024.", "It is a number.", "The default is any.", "That is all."}, texts(got))
	terms := make([]string, len(got))
	for i := range got {
		terms[i] = got[i].Term
	}
	require.Equal(t, []string{"port, -p", "port, -p", "low", "port, -p", "host", ""}, terms)
}

func TestSplit_leavesOutWhatOnlyNames(t *testing.T) {
	t.Parallel()
	got := splitHTML(t, `<h1>Pumps</h1><figure><figcaption>Figure 1: a pump</figcaption></figure><div class="note"><h3>Note</h3><p>It hums.</div>`)
	require.Equal(t, []string{"It hums."}, func() []string {
		var out []string
		for _, s := range got {
			if s.Kind.Quotable() {
				out = append(out, s.Text)
			}
		}
		return out
	}())
	require.Equal(t, "Pumps", got[len(got)-1].Heading, "the title of a note is no heading")
}

func TestSplit_knowsWhatStandsBeforeThePiece(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		kind          doc.Kind
		body, context string
		want          string // the whole statement
	}{
		"a row":        {doc.TableRow, "big\t5 €", "Size\tPrice", "big – Price: 5 €"},
		"a definition": {doc.Definition, "The default is 80.", "port", "port The default is 80."},
		"an item":      {doc.ListItem, "rust", "Not covered:", "Not covered: rust"},
		"a paragraph":  {doc.Paragraph, "It hums.", "port", "It hums."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			marks := doc.Marks{List: []doc.Mark{{Kind: tt.kind, Level: 1, Continued: true, End: len(tt.body)}}}
			got := statement.Split(statement.Piece{Body: tt.body, Marks: marks, Context: tt.context})
			require.Len(t, got, 1)
			require.Equal(t, tt.want, got[0].Whole())
		})
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("# a\nb: \n- c\n| d | e |\n|--|--|\n| f | g |\nh?", []byte(nil))
	f.Add("a\tb\n\tc\n\t\t", []byte{1, 0x40, 0, 3})
	f.Add("[x](y) ![x](y ](\n**\n#\n- \n|", []byte{2, 0x71, 1, 9, 0x58, 0, 2})
	f.Fuzz(func(t *testing.T, body string, packed []byte) {
		marks, ok := doc.Unpack(packed, len(body))
		if !ok {
			return
		}
		end := 0
		for _, s := range statement.Split(statement.Piece{Body: body, Marks: marks, Context: body}) {
			require.GreaterOrEqual(t, s.Start, end)
			require.Greater(t, s.End, s.Start)
			require.NotEmpty(t, s.Text)
			end = s.End
		}
		require.LessOrEqual(t, end, len(body))
	})
}
