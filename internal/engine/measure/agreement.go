package measure

import (
	"strings"

	"docqa/internal/engine/lexical"
)

// Agrees is the agreement from which an answer says what was expected.
const Agrees = 0.7

// Agreement is the share of the expected text that answer holds, 0 to 1: 1 where it
// stands in it, else the share of its words, in any form, stop words left out. A
// number of the expected text that the answer lacks makes the answer a different one:
// the agreement is then less than Agrees. An expected text of stop words alone must
// stand in the answer.
func Agreement(expected, answer string) float64 {
	if within(plain(expected), plain(answer)) {
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

// within tells whether expected stands in answer as whole words.
func within(expected, answer string) bool {
	return expected != "" && strings.Contains(" "+answer+" ", " "+expected+" ")
}

// plain is text in lower case without punctuation at its words.
func plain(text string) string {
	words := strings.Fields(strings.ToLower(text))
	for i, w := range words {
		words[i] = strings.Trim(w, ".,;:!?\"'()[]«»„“”‚‘’…")
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
