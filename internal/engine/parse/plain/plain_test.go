package plain_test

import (
	"strings"
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
	require.Len(t, d.LeftOut, 1)
	require.Equal(t, doc.RunningHead, d.LeftOut[0].Reason)
}

func FuzzParse(f *testing.F) {
	f.Add("a\n\nb\fc")
	f.Fuzz(func(t *testing.T, source string) {
		d := plain.Parse(source)
		require.Len(t, d.Pages, 1)
		require.Equal(t, source, d.Pages[0].Text)
	})
}

// TestParse_kinds: what the layout of a text tells.
func TestParse_kinds(t *testing.T) {
	t.Parallel()
	const page = "NAME\n       pack - put together\n\nTEXT\n"
	for name, tt := range map[string]struct {
		source string
		want   []string
	}{
		"entries on one line": {
			page + "       LISTS  All of them\n              at once.\n\n       FOLD   Folds.\n\n       SHO(S) shows one of them or\n              two.\n\n       LONGNAME\n              Is long.\n\n       LONGNAME\n              Is long.\n",
			[]string{"term LISTS", "def All of them at once.", "term FOLD", "def Folds.", "term SHO(S)", "def shows one of them or two.", "term LONGNAME", "def Is long.", "term LONGNAME", "def Is long."},
		},
		"terms on two lines": {
			page + "       A=, B=, C=,\n       D=\n           Letters.\n",
			[]string{"term A=, B=, C=", "term D=", "def Letters."},
		},
		"a listing without an announcement": {
			page + "       You may now write\n\n           my $x = 3;   # three\n           print $x;\n\n           done\n\n       and rest.\n",
			[]string{"p You may now write", "pre my $x = 3; # three print $x;", "pre done", "p and rest."},
		},
		"headings that ask and wrap": {
			page + strings.Repeat("       Text.\n", 12) + "\n   Is it blue and is it\n     round?\n       Yes.\n",
			[]string{strings.TrimSpace("p " + strings.Repeat("Text. ", 12)), "h Is it blue and is it round?", "p Yes."},
		},
		"a box": {
			"Table 1. Sizes\n┌────┬─────┐\n│Name│ Size│\n├────┼─────┤\n│a   │ 1   │\n├────┼─────┤\n│b   │ 2   │\n│    │ or 3│\n└────┴─────┘\nThat is all.\n",
			[]string{"cap Table 1. Sizes", "th │Name│ Size│", "tr │a │ 1 │", "tr │b │ 2 │ │ │ or 3│", "p That is all."},
		},
		"a box of dashes":     {"+--+--+\n|a |b |\n|c |d |\n+--+--+\n", []string{"tr |a |b |", "tr |c |d |"}},
		"underlined headings": {"Pumps\n=====\n\nThey hum.\n\nBlue ones\n---------\nThey hum, too.\n", []string{"h Pumps", "p They hum.", "h Blue ones", "p They hum, too."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			names := map[doc.Kind]string{
				doc.Paragraph: "p", doc.Heading: "h", doc.TableHeader: "th", doc.TableRow: "tr", doc.Code: "pre", doc.Term: "term", doc.Definition: "def",
				doc.Caption: "cap",
			}
			var got []string
			for _, b := range blocks(plain.Parse(tt.source)) {
				got = append(got, names[b.Kind]+" "+strings.Join(strings.Fields(b.Text), " "))
			}
			if strings.HasPrefix(tt.source, page) {
				got = got[3:]
			}
			require.Equal(t, tt.want, got)
		})
	}
}
