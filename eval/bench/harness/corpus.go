package harness

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

const (
	documents     = 20
	paragraphs    = 52 // in each document; each becomes about one chunk
	vocabulary    = 20000
	functionWords = 60 // the most frequent words; in a real language a search ignores them
)

// ParagraphWords is the number of words in a paragraph.
const ParagraphWords = 125

// corpus makes documents of invented words whose frequencies are those of a natural language. Every call returns the same ones.
func corpus() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // must be repeatable
	files := make(map[string][]byte, documents)
	for d := range documents {
		var text strings.Builder
		for p := range paragraphs {
			fmt.Fprintf(&text, "## Section %d\n\n", p+1)
			writeParagraph(&text, random)
			text.WriteString("\n\n")
		}
		files[fmt.Sprintf("volume-%02d.md", d+1)] = []byte(text.String())
	}
	return files
}

func writeParagraph(text *strings.Builder, random *rand.Rand) {
	for w := range ParagraphWords {
		text.WriteString(word(randomRank(random)))
		if w%14 == 13 {
			text.WriteString(".")
		}
		text.WriteString(" ")
	}
}

// Paragraph returns a paragraph of invented words. The same seed gives the same one.
func Paragraph(seed uint64) string {
	random := rand.New(rand.NewPCG(9, seed)) //nolint:gosec // must be repeatable
	var text strings.Builder
	writeParagraph(&text, random)
	return strings.TrimSpace(text.String())
}

// Question returns question number i, made of content words of the corpus.
func Question(i int) string {
	random := rand.New(rand.NewPCG(3, uint64(i))) //nolint:gosec // must be repeatable
	words := make([]string, 7)
	for w := range words {
		r := randomRank(random)
		for r < functionWords {
			r = randomRank(random)
		}
		words[w] = word(r)
	}
	return "What does " + strings.Join(words, " ") + " mean?"
}

// randomRank draws the rank of a word. Frequencies fall with the rank by Zipf's law.
func randomRank(random *rand.Rand) int { return int(math.Pow(vocabulary, random.Float64())) }

func word(rank int) string {
	const consonants, vowels = "bdfgklmnprst", "aeiou"
	var w strings.Builder
	for n := rank + len(consonants)*len(vowels); n > 0; n /= len(consonants) * len(vowels) {
		w.WriteByte(consonants[n%len(consonants)])
		w.WriteByte(vowels[n/len(consonants)%len(vowels)])
	}
	return w.String()
}
