package doc_test

import (
	"bytes"
	"encoding/gob"
	"strings"
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

func TestDecode_returnsWhatEncodeWrote(t *testing.T) {
	t.Parallel()
	b := doc.NewBuilder(1)
	b.Add(doc.ListItem, 2, "日本語")
	b.Add(doc.Code, 0, "x := 1\ny")
	want := &doc.Document{Title: "T", Pages: []doc.Page{b.Page(), doc.NewBuilder(2).Page()}}
	want.Pages[1].Blocks = []doc.Block{}
	var buf bytes.Buffer
	require.NoError(t, doc.Encode(&buf, want))
	got, err := doc.Decode(&buf)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.True(t, got.Paged())
	require.Equal(t, len(b.Page().Text), got.TextBytes())
}

func TestDecode_refusesBrokenPromises(t *testing.T) {
	t.Parallel()
	page := func(blocks ...doc.Block) *doc.Document {
		return &doc.Document{Pages: []doc.Page{{Text: "four", Blocks: blocks}}}
	}
	for name, d := range map[string]*doc.Document{
		"reaches out":    page(doc.Block{Start: 0, End: 5}),
		"reaches back":   page(doc.Block{Start: 0, End: 3}, doc.Block{Start: 2, End: 4}),
		"is empty":       page(doc.Block{Start: 1, End: 1}),
		"is negative":    page(doc.Block{Start: -1, End: 2}),
		"unknown kind":   page(doc.Block{Kind: 99, Start: 0, End: 1}),
		"negative level": page(doc.Block{Level: -1, Start: 0, End: 1}),
		"invalid text":   {Pages: []doc.Page{{Text: "\xff"}}},
		"negative page":  {Pages: []doc.Page{{Number: -1}}},
		"no pages":       {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var buf bytes.Buffer
			require.NoError(t, doc.Encode(&buf, d))
			_, err := doc.Decode(&buf)
			require.Error(t, err)
		})
	}
}

func FuzzDecode(f *testing.F) {
	b := doc.NewBuilder(1)
	b.Add(doc.Paragraph, 0, "ein Wört")
	var buf bytes.Buffer
	require.NoError(f, doc.Encode(&buf, &doc.Document{Title: "t", Pages: []doc.Page{b.Page()}}))
	f.Add(buf.Bytes())
	buf.Reset()
	require.NoError(f, gob.NewEncoder(&buf).Encode("only a title"))
	f.Add(buf.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := doc.Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i := range d.Pages {
			requireInvariant(t, &d.Pages[i])
		}
	})
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

func TestDecode_tooManyBlocks(t *testing.T) {
	t.Parallel()
	page := doc.Page{Text: strings.Repeat("a", doc.MaxBlocks+1), Blocks: make([]doc.Block, doc.MaxBlocks+1)}
	for i := range page.Blocks {
		page.Blocks[i] = doc.Block{Start: i, End: i + 1}
	}
	var wire bytes.Buffer
	require.NoError(t, doc.Encode(&wire, &doc.Document{Pages: []doc.Page{page}}))
	_, err := doc.Decode(&wire)
	require.Error(t, err)
}
