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
	var got []doc.Block
	for _, b := range d.Pages[0].Blocks {
		b.Start, b.End = 0, 0
		got = append(got, b)
	}
	require.Equal(t, []doc.Block{
		{Kind: doc.Heading, Level: 1, Text: "Opening Hours"},
		{Kind: doc.Paragraph, Text: "Monday to Friday,\nnine to five."},
		{Kind: doc.Paragraph, Text: "A list:"},
		{Kind: doc.Paragraph, Text: "Last\tcell"},
	}, got)
}

func FuzzParse(f *testing.F) {
	f.Add("a\n\nb\fc")
	f.Fuzz(func(t *testing.T, source string) {
		d := plain.Parse(source)
		require.Len(t, d.Pages, 1)
		require.Equal(t, source, d.Pages[0].Text)
	})
}
