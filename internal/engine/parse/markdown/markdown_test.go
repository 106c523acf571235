package markdown_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse/markdown"
)

const sample = `---
title: "Care guide"
---
# Washing

Wash at *30 degrees*,
never hotter.

- wool
  - by hand
- silk

> quoted words

| Fabric | Degrees |
| --- | --- |
| Wool | 30 |
| **Silk** | 20 |

` + "```sh\nwash --cold\n```" + `

<div><img src="x"></div>

<p>Raw words</p>

Setext
------

Ä last line.
`

func TestParse(t *testing.T) {
	t.Parallel()
	d := markdown.Parse(sample)
	require.Equal(t, "Care guide", d.Title)
	require.Equal(t, sample, d.Pages[0].Text, "the extracted text is the source")
	var got []doc.Block
	for _, b := range d.Pages[0].Blocks {
		require.Equal(t, string([]rune(sample)[b.Start:b.End]), b.Text)
		b.Start, b.End = 0, 0
		got = append(got, b)
	}
	require.Equal(t, []doc.Block{
		{Kind: doc.Code, Text: "title: \"Care guide\""},
		{Kind: doc.Heading, Level: 1, Text: "Washing"},
		{Kind: doc.Paragraph, Text: "Wash at *30 degrees*,\nnever hotter."},
		{Kind: doc.ListItem, Level: 1, Text: "wool"},
		{Kind: doc.ListItem, Level: 2, Text: "by hand"},
		{Kind: doc.ListItem, Level: 1, Text: "silk"},
		{Kind: doc.Paragraph, Text: "quoted words"},
		{Kind: doc.TableHeader, Text: "| Fabric | Degrees |"},
		{Kind: doc.TableRow, Text: "| Wool | 30 |"},
		{Kind: doc.TableRow, Text: "| **Silk** | 20 |"},
		{Kind: doc.Code, Text: "wash --cold"},
		{Kind: doc.Paragraph, Text: "<p>Raw words</p>"},
		{Kind: doc.Heading, Level: 2, Text: "Setext"},
		{Kind: doc.Paragraph, Text: "Ä last line."},
	}, got)
}

func TestParse_paragraphs(t *testing.T) {
	t.Parallel()
	paragraph := func(text string) doc.Block { return doc.Block{Kind: doc.Paragraph, Text: text} }
	item := func(text string) doc.Block { return doc.Block{Kind: doc.ListItem, Level: 1, Text: text} }
	header := func(text string) doc.Block { return doc.Block{Kind: doc.TableHeader, Text: text} }
	row := func(text string) doc.Block { return doc.Block{Kind: doc.TableRow, Text: text} }
	tests := []struct {
		name, source string
		want         []doc.Block
	}{
		{"definitions are no text", "[a]: /x\n[b]: </y z> 'Title'\n  [c]:\n/z\n\"Long\ntitle\"\nWords.", []doc.Block{paragraph("Words.")}},
		{"definitions in a list", "- [a]: /x\n  words\n", []doc.Block{item("words")}},
		{"definitions alone", "words\n\n[a]: /x\n", []doc.Block{paragraph("words")}},
		{"no definition after words", "words\n[a]: /x", []doc.Block{paragraph("words\n[a]: /x")}},
		{"no definition with more on the line", "[a]: /x y", []doc.Block{paragraph("[a]: /x y")}},
		{"no definition with a title that goes on", "[a]: /x 't' y", []doc.Block{paragraph("[a]: /x 't' y")}},
		{"a definition before a title that does not end", "[a]: /x\n'words", []doc.Block{paragraph("'words")}},
		{"no definition without a label", "[ ]: /x", []doc.Block{paragraph("[ ]: /x")}},
		{"no definition without an address", "[a]:\n\nwords", []doc.Block{paragraph("[a]:"), paragraph("words")}},
		{"an escaped bracket in a label", "[a\\]b]: /x\nwords", []doc.Block{paragraph("words")}},
		{"a table below words", "words\na | b\n- | -\n", []doc.Block{paragraph("words\na | b"), item("| -")}},
		{"a table with colons", "words\na | b\n:-: | -\n1 | 2\n", []doc.Block{paragraph("words"), header("a | b"), row("1 | 2")}},
		{"a table in a list", "- |a|\n  |-|\n  |1|\n", []doc.Block{header("- |a|"), row("|1|")}},
		{"a table above a line", "|a|\n|-|\n|1|\n----\n", []doc.Block{header("|a|"), row("|1|")}},
		{"another number of columns", "|a|b|\n|-|\n", []doc.Block{paragraph("|a|b|\n|-|")}},
		{"an escaped bar", "|a\\|b|\n|-|\n", []doc.Block{header("|a\\|b|")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := markdown.Parse(tt.source).Pages[0].Blocks
			for i := range got {
				got[i].Start, got[i].End = 0, 0
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// TestParse_keepsWhatIsTooDeep: too deep a quote or list is text.
func TestParse_keepsWhatIsTooDeep(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"> ", "- ", "1. "} {
		blocks := markdown.Parse(strings.Repeat(mark, 1000) + "words").Pages[0].Blocks
		require.Len(t, blocks, 1, mark)
		require.True(t, strings.HasSuffix(blocks[0].Text, mark+"words"), mark)
	}
	blocks := markdown.Parse(strings.Repeat("> ", 20) + "words").Pages[0].Blocks
	require.Equal(t, "words", blocks[0].Text)
}

func TestParse_readsLinesOfEitherEnd(t *testing.T) {
	t.Parallel()
	unix, dos := markdown.Parse(sample), markdown.Parse(strings.ReplaceAll(sample, "\n", "\r\n"))
	require.Equal(t, unix.Title, dos.Title)
	require.Len(t, dos.Pages[0].Blocks, len(unix.Pages[0].Blocks))
	for i, b := range dos.Pages[0].Blocks {
		require.Equal(t, unix.Pages[0].Blocks[i].Kind, b.Kind)
		require.Equal(t, unix.Pages[0].Blocks[i].Text, strings.ReplaceAll(b.Text, "\r\n", "\n"))
	}
}

func TestParse_takesTheFirstHeadingForTheTitle(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Guide", markdown.Parse("# Guide\n\n# Other\n").Title)
	require.Empty(t, markdown.Parse("words only").Title)
	require.Empty(t, markdown.Parse("---\nno end").Title)
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("|a|\n|-|\n||\n")
	f.Add("- > # x\n\t\tcode\r\n\x00")
	f.Fuzz(func(t *testing.T, source string) {
		p := markdown.Parse(source).Pages[0]
		require.Equal(t, source, p.Text)
		for _, b := range p.Blocks {
			require.Contains(t, source, b.Text)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	source := strings.Repeat(sample[strings.Index(sample, "# W"):], 2000)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		markdown.Parse(source)
	}
}

func TestParse_readsTermsAndNotes(t *testing.T) {
	t.Parallel()
	d := markdown.Parse("# Options\n\n- **port** – The port to listen on.\n\n  The default is 80.\n  - one\n- `--host`: The host.\n- `-v` Say more.\n- **Depth:** three\n- plain - item\n- **bold** words\n\n" +
		"> **Note**\n> Save often.\n\n> [!TIP]\n> Save now.\n\n> A quotation.\n\n```\n# make\n```\n\n    # make too\n")
	names := map[doc.Kind]string{
		doc.Paragraph: "p", doc.Heading: "h", doc.ListItem: "li", doc.Code: "pre", doc.Term: "term", doc.Definition: "def", doc.Note: "note",
	}
	var got []string
	for _, b := range d.Pages[0].Blocks {
		got = append(got, names[b.Kind]+" "+b.Text)
	}
	require.Equal(t, []string{
		"h Options", "term **port**", "def The port to listen on.", "def The default is 80.", "li one", "term `--host`", "def The host.", "term `-v`", "def Say more.",
		"term **Depth:**", "def three", "li plain - item", "li **bold** words",
		"note **Note**\n> Save often.", "note [!TIP]\n> Save now.", "p A quotation.", "pre # make", "pre # make too",
	}, got)
}
