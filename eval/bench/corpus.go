package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

const (
	documents      = 20
	paragraphs     = 52 // of each document; about one passage each
	paragraphWords = 125
	vocabulary     = 20000
	functionWords  = 60 // the most frequent ones, which a question's search leaves out in a real language
)

// corpus makes documents of invented words with the frequencies of a natural language, always the same.
func corpus() map[string][]byte {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // wants repeatability
	files := make(map[string][]byte, documents)
	for d := range documents {
		var text strings.Builder
		for p := range paragraphs {
			fmt.Fprintf(&text, "## Section %d\n\n", p+1)
			for w := range paragraphWords {
				text.WriteString(word(rank(random)))
				if w%14 == 13 {
					text.WriteString(".")
				}
				text.WriteString(" ")
			}
			text.WriteString("\n\n")
		}
		files[fmt.Sprintf("volume-%02d.md", d+1)] = []byte(text.String())
	}
	return files
}

// paragraph is one of any number of paragraphs.
func paragraph(seed uint64) string {
	random := rand.New(rand.NewPCG(9, seed)) //nolint:gosec // wants repeatability
	var text strings.Builder
	for w := range paragraphWords {
		text.WriteString(word(rank(random)))
		if w%14 == 13 {
			text.WriteString(".")
		}
		text.WriteString(" ")
	}
	return strings.TrimSpace(text.String())
}

// question is made of content words that the corpus has.
func question(i int) string {
	random := rand.New(rand.NewPCG(3, uint64(i))) //nolint:gosec // wants repeatability
	words := make([]string, 7)
	for w := range words {
		r := rank(random)
		for r < functionWords {
			r = rank(random)
		}
		words[w] = word(r)
	}
	return "What does " + strings.Join(words, " ") + " mean?"
}

// rank draws a word's rank: the chance falls with the rank, as Zipf found.
func rank(random *rand.Rand) int { return int(math.Pow(vocabulary, random.Float64())) }

func word(rank int) string {
	const consonants, vowels = "bdfgklmnprst", "aeiou"
	var w strings.Builder
	for n := rank + len(consonants)*len(vowels); n > 0; n /= len(consonants) * len(vowels) {
		w.WriteByte(consonants[n%len(consonants)])
		w.WriteByte(vowels[n/len(consonants)%len(vowels)])
	}
	return w.String()
}
