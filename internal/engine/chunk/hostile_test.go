package chunk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
)

func TestSplit_boundsWhatAChunkHolds(t *testing.T) {
	t.Parallel()
	const size, maxBytes = 1 << 20, 20 << 10 // bytes of the file, and of a chunk with all that stands around it
	long := strings.Repeat("very long heading ", 5000)
	for name, fill := range map[string]func(b *doc.Builder){
		"letters without white space": func(b *doc.Builder) { b.Add(doc.Paragraph, 0, strings.Repeat("a", size)) },
		"a listing of one line":       func(b *doc.Builder) { b.Add(doc.Code, 0, strings.Repeat("{};", size/3)) },
		"a row of many cells":         func(b *doc.Builder) { b.Add(doc.TableRow, 0, strings.Repeat("|x", size/2)) },
		"headings alone": func(b *doc.Builder) {
			for i := range size / 20 {
				b.Add(doc.Heading, i%6+1, fmt.Sprintf("heading number %d", i))
			}
		},
		"headings as long as books": func(b *doc.Builder) {
			for level := range 6 {
				b.Add(doc.Heading, level+1, fmt.Sprint(level, long))
			}
			b.Add(doc.Paragraph, 0, sentences(100))
		},
		"levels without end": func(b *doc.Builder) {
			for level := range 1000 {
				b.Add(doc.Heading, level+1, fmt.Sprint("level ", level))
			}
			b.Add(doc.Paragraph, 0, sentences(100))
		},
		"a table under a long header": func(b *doc.Builder) {
			b.Add(doc.TableHeader, 0, long)
			for range 100 {
				b.Add(doc.TableRow, 0, sentences(3))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := document(fill)
			chunks := chunk.Split(d, "Guide", chunk.Options{})
			require.NotEmpty(t, chunks)
			for _, c := range chunks {
				require.LessOrEqual(t, len(c.Text)+len(c.Context)+len(strings.Join(c.HeadingPath, "")), maxBytes)
				require.Equal(t, c.Text, string([]rune(d.Pages[0].Text)[c.Start:c.End]))
			}
		})
	}
}
