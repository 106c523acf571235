package doc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/doc"
)

func TestBuilder_Add(t *testing.T) {
	t.Parallel()
	b := doc.NewBuilder(3)
	b.Add(doc.Heading, 1, "Größe")
	b.Skip("page head")
	b.Add(doc.TableHeader, 0, "a\tb")
	b.Add(doc.TableRow, 0, "1\t2")
	b.Add(doc.Paragraph, 0, "")
	b.Add(doc.Paragraph, 0, "Ende 👍.")
	p := b.Page()
	require.Equal(t, "Größe\n\npage head\n\na\tb\n1\t2\n\nEnde 👍.", p.Text)
	require.Len(t, p.Blocks, 4)
	requireInvariant(t, &p)
}

func TestBuilder_Mark(t *testing.T) {
	t.Parallel()
	b := doc.NewSourceBuilder(0, "ä # b\n\nc")
	b.Mark(doc.Paragraph, 0, 0, len("ä #"))
	b.Mark(doc.Paragraph, 0, 1, 3) // reaches back
	b.Mark(doc.Paragraph, 0, 5, 5) // empty
	b.Mark(doc.Heading, 1, len("ä # b\n\n"), len("ä # b\n\nc"))
	b.Mark(doc.Heading, 1, 0, 99) // reaches out
	p := b.Page()
	require.Len(t, p.Blocks, 2)
	require.Equal(t, "c", p.Blocks[1].Text)
	requireInvariant(t, &p)
}

// requireInvariant holds a page to what the package promises.
func requireInvariant(t *testing.T, p *doc.Page) {
	t.Helper()
	runes, end := []rune(p.Text), 0
	for _, b := range p.Blocks {
		require.GreaterOrEqual(t, b.Start, end)
		require.Greater(t, b.End, b.Start)
		require.LessOrEqual(t, b.End, len(runes))
		require.Equal(t, string(runes[b.Start:b.End]), b.Text)
		end = b.End
	}
}
