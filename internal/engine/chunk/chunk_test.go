package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
)

// sentences writes n sentences of ten words that all differ.
func sentences(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Sentence number %d has ten words in it, no more. ", i)
	}
	return strings.TrimSpace(b.String())
}

func document(add func(b *doc.Builder)) *doc.Document {
	b := doc.NewBuilder(0)
	add(b)
	return &doc.Document{Pages: []doc.Page{b.Page()}}
}

func TestSplit_cutsAtSentencesWithOverlap(t *testing.T) {
	t.Parallel()
	d := document(func(b *doc.Builder) { b.Add(doc.Paragraph, 0, sentences(60)) })
	chunks := chunk.Split(d, "Guide", chunk.Options{Words: 170, Overlap: 40})
	require.Len(t, chunks, 4)
	for i, c := range chunks {
		require.Equal(t, i, c.Ordinal)
		require.Equal(t, "Guide", c.Title)
		require.True(t, strings.HasPrefix(c.Text, "Sentence number"), c.Text)
		require.True(t, strings.HasSuffix(c.Text, "no more."), c.Text)
		require.LessOrEqual(t, len(strings.Fields(c.Text)), 255)
		if i > 0 {
			require.Less(t, c.Start, chunks[i-1].End, "consecutive chunks overlap")
		}
	}
}

func TestSplit_keepsSectionsApart(t *testing.T) {
	t.Parallel()
	d := document(func(b *doc.Builder) {
		b.Add(doc.Heading, 1, "Guide")
		b.Add(doc.Heading, 2, "Prices")
		b.Add(doc.Paragraph, 0, sentences(8))
		b.Add(doc.Heading, 3, "Discounts")
		b.Add(doc.Paragraph, 0, sentences(7))
		b.Add(doc.Heading, 2, "Hours")
		b.Add(doc.Paragraph, 0, "Nine to five.")
	})
	chunks := chunk.Split(d, "guide", chunk.Options{})
	var paths [][]string
	for _, c := range chunks {
		paths = append(paths, c.HeadingPath)
	}
	require.Equal(t, [][]string{{"Prices"}, {"Prices", "Discounts"}, {"Hours"}}, paths, "a heading that repeats the title is left out")
	require.Equal(t, "Hours\n\nNine to five.", chunks[2].Text, "its own heading stands in it")
}

func TestSplit_joinsSmallSections(t *testing.T) {
	t.Parallel()
	d := document(func(b *doc.Builder) {
		for i := range 4 {
			b.Add(doc.Heading, 2, fmt.Sprintf("Question %d", i))
			b.Add(doc.Paragraph, 0, "A short answer.")
		}
	})
	chunks := chunk.Split(d, "FAQ", chunk.Options{})
	require.Len(t, chunks, 1)
	require.Contains(t, chunks[0].Text, "Question 3")
}

func TestSplit_losesNoHeading(t *testing.T) {
	t.Parallel()
	d := document(func(b *doc.Builder) {
		for i := range 90 {
			b.Add(doc.Heading, 1, fmt.Sprintf("Menu item %d", i))
		}
		b.Add(doc.Paragraph, 0, sentences(8))
	})
	chunks := chunk.Split(d, "menu", chunk.Options{})
	require.Greater(t, len(chunks), 1, "a long run of headings is a chunk of its own")
	require.True(t, strings.HasPrefix(chunks[0].Text, "Menu item 0\n\nMenu item 1"))
	require.Equal(t, []string{"Menu item 89"}, chunks[len(chunks)-1].HeadingPath)
	for i, c := range chunks[1:] {
		require.LessOrEqual(t, c.Start-chunks[i].End, 2, "neighbours leave nothing out")
	}
}

func TestSplit_givesTableRowsNoOtherTablesHeader(t *testing.T) {
	t.Parallel()
	rows := func(b *doc.Builder, name string) {
		for i := range 80 {
			b.Add(doc.TableRow, 0, fmt.Sprintf("%s %d\t%d\t%d", name, i, i*3, i*2))
		}
	}
	d := document(func(b *doc.Builder) {
		b.Add(doc.TableHeader, 0, "\tYears ended")
		b.Add(doc.TableHeader, 0, "Region\t2018\t2017")
		rows(b, "Region")
		b.Add(doc.Paragraph, 0, "Staff by office:")
		rows(b, "Office")
	})
	seen := map[string]bool{}
	for _, c := range chunk.Split(d, "", chunk.Options{}) {
		if c.Context != "" {
			seen[c.Context] = true
			require.True(t, strings.HasPrefix(c.Text, "Region "), c.Text)
		}
	}
	require.Equal(t, map[string]bool{"\tYears ended\nRegion\t2018\t2017": true}, seen, "all rows of a header, for the rows of its table alone")
}

func TestSplit_givesTableRowsTheirHeader(t *testing.T) {
	t.Parallel()
	d := document(func(b *doc.Builder) {
		b.Add(doc.TableHeader, 0, "Region\t2018\t2017")
		for i := range 120 {
			b.Add(doc.TableRow, 0, fmt.Sprintf("Region %d\t%d\t%d", i, i*3, i*2))
		}
	})
	chunks := chunk.Split(d, "", chunk.Options{})
	require.Greater(t, len(chunks), 2)
	require.Empty(t, chunks[0].Context)
	require.True(t, strings.HasPrefix(chunks[0].Text, "Region\t2018"))
	for _, c := range chunks[1:] {
		require.Equal(t, "Region\t2018\t2017", c.Context)
		require.True(t, strings.HasPrefix(c.Text, "Region "), c.Text)
	}
}

func TestSplit_keepsHeadingsWithoutText(t *testing.T) {
	t.Parallel()
	d := document(func(b *doc.Builder) { b.Add(doc.Heading, 1, "Only a heading") })
	chunks := chunk.Split(d, "x", chunk.Options{})
	require.Len(t, chunks, 1)
	require.Equal(t, "Only a heading", chunks[0].Text)
	require.Empty(t, chunk.Split(document(func(*doc.Builder) {}), "x", chunk.Options{}))
}

// TestSplit_isVerbatim holds chunks of any document to the package's promise.
func TestSplit_isVerbatim(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := &doc.Document{}
		pages := rapid.IntRange(0, 3).Draw(t, "pages")
		for n := range max(pages, 1) {
			number := 0
			if pages > 0 {
				number = n + 1
			}
			b := doc.NewBuilder(number)
			for range rapid.IntRange(0, 8).Draw(t, "blocks") {
				kind := doc.Kind(rapid.IntRange(0, 5).Draw(t, "kind"))
				text := rapid.StringMatching(`([a-zÄ日🙂]{1,12}[ .!\n\t|]{0,2}){0,60}`).Draw(t, "text")
				b.Add(kind, rapid.IntRange(0, 3).Draw(t, "level"), strings.TrimSpace(text))
			}
			d.Pages = append(d.Pages, b.Page())
		}
		o := chunk.Options{Words: rapid.IntRange(5, 60).Draw(t, "words"), Overlap: rapid.IntRange(0, 20).Draw(t, "overlap")}
		requireSound(t, d, chunk.Split(d, "title", o))
	})
}

func FuzzSplit(f *testing.F) {
	f.Add("One. Two three.\n\nfour", 10, 3)
	f.Add(strings.Repeat("日本語", 200), 20, 5)
	f.Add(strings.Repeat("x", 3000), 5, 0)
	f.Fuzz(func(t *testing.T, text string, words, overlap int) {
		if text = strings.ToValidUTF8(text, "?"); words > 1000 || overlap < 0 || overlap > 1000 {
			return
		}
		d := document(func(b *doc.Builder) { b.Add(doc.Paragraph, 0, text); b.Add(doc.Code, 0, text) })
		requireSound(t, d, chunk.Split(d, "", chunk.Options{Words: words, Overlap: overlap}))
	})
}

// requireSound checks that the chunks are verbatim, and hold every word of every block.
func requireSound(t require.TestingT, d *doc.Document, chunks []chunk.Chunk) {
	pages := map[int][]rune{}
	covered := map[int][]bool{}
	for _, p := range d.Pages {
		pages[p.Number] = []rune(p.Text)
		covered[p.Number] = make([]bool, len(pages[p.Number]))
	}
	for i, c := range chunks {
		require.Equal(t, i, c.Ordinal)
		require.Equal(t, string(pages[c.Page][c.Start:c.End]), c.Text)
		require.NotEmpty(t, strings.TrimSpace(c.Text))
		require.NotNil(t, c.HeadingPath)
		for j := c.Start; j < c.End; j++ {
			covered[c.Page][j] = true
		}
	}
	for _, p := range d.Pages {
		for _, b := range p.Blocks {
			for j := b.Start; j < b.End; j++ {
				if r := pages[p.Number][j]; !covered[p.Number][j] && r > ' ' && r != 0x85 && r != 0xa0 && r < 0x1680 {
					require.Failf(t, "lost text", "%q of %q", string(r), b.Text)
				}
			}
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	d := document(func(b *doc.Builder) {
		for range 400 {
			b.Add(doc.Paragraph, 0, sentences(50))
		}
	})
	text := 0
	for i := range d.Pages {
		text += len(d.Pages[i].Text)
	}
	b.SetBytes(int64(text))
	for b.Loop() {
		chunk.Split(d, "title", chunk.Options{})
	}
}

func TestSplit_boundsTextWithoutSpaces(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("a", 100_000), strings.Repeat("|a", 50_000), strings.Repeat("[", 100_000), "a" + strings.Repeat("\u0301", 100_000)} {
		d := document(func(b *doc.Builder) { b.Add(doc.Paragraph, 0, text) })
		chunks := chunk.Split(d, "Guide", chunk.Options{})
		require.Greater(t, len(chunks), 5)
		for _, c := range chunks {
			require.LessOrEqual(t, len([]rune(c.Text)), 15_000)
		}
	}
}

func TestSplit_characters(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"sentences":           sentences(200),
		"a sentence too long": strings.Repeat("word ", 2000),
		"no white space":      strings.Repeat("a", 9000),
		"no spaces, han":      strings.Repeat("漢字かな", 2500),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, size := range []int{400, 1000, 2000} {
				for _, overlap := range []int{0, size / 5, size/2 - 1} {
					d := document(func(b *doc.Builder) {
						b.Add(doc.Paragraph, 0, text)
						b.Add(doc.Paragraph, 0, text)
					})
					chunks := chunk.Split(d, "title", chunk.Options{Characters: size, Overlap: overlap})
					require.Greater(t, len(chunks), 2)
					page, before := []rune(d.Pages[0].Text), 0
					for i, c := range chunks {
						require.LessOrEqual(t, c.End-c.Start, size, "size %d, overlap %d", size, overlap)
						require.Equal(t, string(page[c.Start:c.End]), c.Text)
						if i > 0 {
							require.LessOrEqual(t, before-c.Start, overlap)
							require.Empty(t, strings.TrimSpace(string(page[min(before, c.Start):c.Start])), "nothing is left out")
						}
						before = c.End
					}
				}
			}
		})
	}
	long := chunk.Split(document(func(b *doc.Builder) { b.Add(doc.Paragraph, 0, sentences(200)) }), "title", chunk.Options{Characters: 1000, Overlap: 200})
	require.Positive(t, long[0].End-long[1].Start, "sentences are repeated")
	require.Greater(t, long[1].End-long[1].Start, 500)
}
