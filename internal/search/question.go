package search

import (
	"context"
	"slices"
	"strings"

	"docqa/internal/engine/lexical"
)

// Vectors embeds questions. Implementations are safe for concurrent use.
type Vectors interface {
	// Has reports whether the process has the model.
	Has(model string) bool
	// QueryAll returns a vector of length 1 for each text. The caller must not change them.
	QueryAll(ctx context.Context, model string, texts []string) ([][]float32, error)
}

// questionTexts returns the texts that are embedded for a question: its core and, if that is
// not all, the whole question with the earlier questions. Chunks are compared with the mean
// of their vectors; since the inner product is linear, that gives the mean of both scores.
func questionTexts(q *Query) []string {
	asked, _ := lexical.Focus(q.Text)
	if all := turns(q); all != asked {
		return []string{asked, all}
	}
	return []string{asked}
}

// turns returns the user's questions. The last one comes first, because a model cuts a long
// text at its end.
func turns(q *Query) string {
	all := append([]string{q.Text}, q.History...)
	slices.Reverse(all[1:])
	return strings.Join(all, "\n")
}

func mean(vectors [][]float32) []float32 {
	if len(vectors) == 1 {
		return vectors[0]
	}
	sum := make([]float32, len(vectors[0]))
	for _, v := range vectors {
		for i, x := range v {
			sum[i] += x / float32(len(vectors))
		}
	}
	return sum
}
