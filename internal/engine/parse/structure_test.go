package parse_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse"
	"docqa/internal/testkit/growthtest"
)

func TestStructure(t *testing.T) {
	t.Parallel()
	names := map[doc.Kind]string{doc.Paragraph: "p", doc.Heading: "h", doc.TableRow: "tr", doc.Code: "pre", doc.Term: "term", doc.Definition: "def", doc.Caption: "cap"}
	for name, tt := range map[string]struct {
		blocks []doc.Block
		want   []string
	}{
		"notes are no headings":  {[]doc.Block{{Kind: doc.Heading, Level: 2, Text: "Note:"}, {Text: "Save."}, {Kind: doc.Heading, Level: 2, Text: "Notes on pumps"}}, []string{"cap Note:", "p Save.", "h Notes on pumps"}},
		"titles of tables":       {[]doc.Block{{Text: "Table 3. Größen"}, {Kind: doc.TableRow, Text: "a\t1"}, {Text: "Table 3 shows more."}, {Text: "End."}}, []string{"cap Table 3. Größen", "tr a\t1", "p Table 3 shows more.", "p End."}},
		"questions and answers":  {[]doc.Block{{Text: "Q: Is it blue – é?"}, {Text: "A: Yes."}, {Text: "Very."}, {Text: "Q2. Red?"}, {Text: "A2. No."}, {Kind: doc.Heading, Text: "End"}, {Text: "A: loose"}}, []string{"term Is it blue – é?", "def Yes.", "def Very.", "term Red?", "def No.", "h End", "p A: loose"}},
		"both in one paragraph":  {[]doc.Block{{Text: "Q: Is it blü?\nA: Yes.\nVery."}, {Text: "Rest."}}, []string{"term Is it blü?", "def Yes.\nVery.", "def Rest."}},
		"bold questions":         {[]doc.Block{{Text: "**Is it blue?**"}, {Text: "Yes."}, {Text: "**Is it red?**"}, {Text: "No."}}, []string{"term **Is it blue?**", "def Yes.", "term **Is it red?**", "def No."}},
		"a sentence with Q":      {[]doc.Block{{Text: "Q is a letter."}, {Text: "A is another."}}, []string{"p Q is a letter.", "p A is another."}},
		"a question without end": {[]doc.Block{{Text: "Q: " + strings.Repeat("why ", 100)}, {Text: "A: Yes."}}, []string{"p Q: " + strings.TrimSpace(strings.Repeat("why ", 100)), "p A: Yes."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := doc.NewBuilder(0)
			for _, block := range tt.blocks {
				b.Add(block.Kind, block.Level, strings.TrimSpace(block.Text))
			}
			d := &doc.Document{Pages: []doc.Page{b.Page()}, Markdown: true}
			parse.Structure(d)
			var got []string
			runes, end := []rune(d.Pages[0].Text), 0
			for _, block := range d.Pages[0].Blocks {
				require.GreaterOrEqual(t, block.Start, end)
				require.Equal(t, string(runes[block.Start:block.End]), block.Text)
				end = block.End
				got = append(got, names[block.Kind]+" "+block.Text)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// TestStructure_takesLinearTime: no text keeps a worker busy.
func TestStructure_takesLinearTime(t *testing.T) { //nolint:paralleltest // it measures
	for _, text := range []string{"Q: a?\nA: b\n", "Q: ", "**a?", " A: ", "Table 1. ", "*", "note "} { //nolint:paralleltest // it measures
		t.Run(text, func(t *testing.T) {
			growthtest.Linear(t, growthtest.Repeat(text), func(source string) {
				b := doc.NewBuilder(0)
				b.Add(doc.Paragraph, 0, source)
				for line := range strings.Lines(source) {
					b.Add(doc.Paragraph, 0, strings.TrimSpace(line))
				}
				parse.Structure(&doc.Document{Pages: []doc.Page{b.Page()}, Markdown: true})
			})
		})
	}
}
