package retrieval

import (
	"math"

	"docqa/internal/engine/lexical"
)

// Relevance turns a BM25 score into the API's score: 0 where no word agrees, 0.82
// where a passage of average length holds each word of the question once, towards 1
// beyond. It depends on the question and the passage alone, never on the other
// passages found, so that a threshold means the same for every question.
//
// Gap: the range of `score`; our choice. The root keeps the good hits of a wordy
// question, which hold a small part of its words, above the default threshold 0.2.
func Relevance(bm25 float64, terms []lexical.Term) float64 {
	full := 0.0
	for _, t := range terms {
		full += float64(t.Weight)
	}
	if full <= 0 || bm25 <= 0 {
		return 0
	}
	share := bm25 / full
	return math.Round(math.Sqrt(share/(share+0.5))*1e4) / 1e4
}
