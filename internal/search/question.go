package search

import (
	"context"
	"slices"
	"strings"

	"docqa/internal/engine/lexical"
)

// Vectors makes the vectors of questions. Implementations are safe for concurrent use.
type Vectors interface {
	// Has tells whether the process has the model.
	Has(model string) bool
	// QueryAll answers a vector of the norm 1 for each text; they must not be changed.
	QueryAll(ctx context.Context, model string, texts []string) ([][]float32, error)
}

// readings are the texts whose mean vector passages are compared with: what is asked, and
// beside it all of the question with the earlier turns, where that is more. Comparing is
// linear, so that one comparison with the mean gives the mean of both.
func readings(q *Query) []string {
	asked, _ := lexical.Focus(q.Text)
	if all := turns(q); all != asked {
		return []string{asked, all}
	}
	return []string{asked}
}

// turns are the user's turns, the last one first: what a model reads is cut at its end.
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
