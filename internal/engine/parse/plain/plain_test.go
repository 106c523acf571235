package plain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
	"docqa/internal/engine/parse/plain"
)

func TestParse(t *testing.T) {
	t.Parallel()
	d := plain.Parse("\n  Opening Hours \n\nMonday to Friday,\nnine to five.\n \nA list:\f\nLast\tcell\n")
	require.False(t, d.Paged())
	require.Equal(t, []doc.Block{
		{Kind: doc.Heading, Level: 1, Text: "Opening Hours"},
		{Kind: doc.Paragraph, Text: "Monday to Friday,\nnine to five."},
		{Kind: doc.Paragraph, Text: "A list:"},
		{Kind: doc.Paragraph, Text: "Last\tcell"},
	}, blocks(d))
}

func blocks(d *doc.Document) []doc.Block {
	var out []doc.Block
	for _, b := range d.Pages[0].Blocks {
		b.Start, b.End = 0, 0
		out = append(out, b)
	}
	return out
}

func TestParse_readsManualPages(t *testing.T) {
	t.Parallel()
	d := plain.Parse(`PACK(1)                     User Commands                     PACK(1)

NAME
       pack - put files together

DESCRIPTION
       Files go into one. For example:

           # pack a b
           done

       It reads no folders.

   Modes of work
       -c, --create
              Make a new file.

              The default name is out.

       -x
       --extract
              Take it apart.

       -v     Say more than
              usual.

       That is all.

CONTENTS
       1. First ........ 3

pack 1.2                    January 2023                      PACK(1)
`)
	require.Equal(t, []doc.Block{
		{Kind: doc.Heading, Level: 1, Text: "NAME"},
		{Kind: doc.Paragraph, Text: "pack - put files together"},
		{Kind: doc.Heading, Level: 1, Text: "DESCRIPTION"},
		{Kind: doc.Paragraph, Text: "Files go into one. For example:"},
		{Kind: doc.Code, Text: "# pack a b\n           done"},
		{Kind: doc.Paragraph, Text: "It reads no folders."},
		{Kind: doc.Heading, Level: 2, Text: "Modes of work"},
		{Kind: doc.Term, Level: 1, Text: "-c, --create"},
		{Kind: doc.Definition, Level: 1, Text: "Make a new file."},
		{Kind: doc.Definition, Level: 1, Text: "The default name is out."},
		{Kind: doc.Term, Level: 1, Text: "-x"},
		{Kind: doc.Term, Level: 1, Text: "--extract"},
		{Kind: doc.Definition, Level: 1, Text: "Take it apart."},
		{Kind: doc.Term, Level: 1, Text: "-v"},
		{Kind: doc.Definition, Level: 1, Text: "Say more than\n              usual."},
		{Kind: doc.Paragraph, Text: "That is all."},
		{Kind: doc.Heading, Level: 1, Text: "CONTENTS"},
		{Kind: doc.Contents, Text: "1. First ........ 3"},
	}, blocks(d))
}

func FuzzParse(f *testing.F) {
	f.Add("a\n\nb\fc")
	f.Fuzz(func(t *testing.T, source string) {
		d := plain.Parse(source)
		require.Len(t, d.Pages, 1)
		require.Equal(t, source, d.Pages[0].Text)
	})
}
