package measure

import (
	"strings"

	"docqa/internal/engine/lexical"
)

// Agrees is the agreement from which an answer says what was expected.
const Agrees = 0.7

// Agreement returns how much of the expected text an answer holds, 0 to 1: 1 if the answer
// contains it, else the share of its words that the answer has in any form, without stop
// words. If the answer lacks a number of the expected text, the agreement is less than
// Agrees. An expected text of only stop words must be contained as it is.
func Agreement(expected, answer string) float64 {
	if holdsWords(plain(expected), plain(answer)) {
		return 1
	}
	q := lexical.NewStats().Question(expected)
	if len(q.Words) == 0 {
		return 0
	}
	held := make([]bool, len(q.Words))
	for _, hit := range q.Find(answer).Hits {
		held[hit.Word] = true
	}
	count, lacking := 0, false
	for i, ok := range held {
		if ok {
			count++
		} else if q.Words[i].Number {
			lacking = true
		}
	}
	share := float64(count) / float64(len(held))
	if lacking {
		return share * Agrees // share is below 1
	}
	return share
}

// holdsWords tells whether answer contains expected as whole words.
func holdsWords(expected, answer string) bool {
	return expected != "" && strings.Contains(" "+answer+" ", " "+expected+" ")
}

// plain returns text in lower case without the punctuation around its words.
func plain(text string) string {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		words[i] = strings.Trim(w, ".,;:!?\"'()[]«»„“”‚‘’…")
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
