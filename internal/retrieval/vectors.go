package retrieval

import (
	"context"
	"slices"
	"strings"
)

// Vectors makes the vectors of questions. Implementations are safe for concurrent use.
type Vectors interface {
	// Has tells whether the process has the model.
	Has(model string) bool
	// QueryAll answers a vector of the norm 1 for each text; they must not be changed.
	QueryAll(ctx context.Context, model string, texts []string) ([][]float32, error)
}

// vector is what the passages' vectors are compared with: that of the question, with
// earlier turns half and half with that of all turns as one text. Comparing is linear, so
// that one comparison gives the mean of both.
func (s *Service) vector(ctx context.Context, model string, q *Query) ([]float32, error) {
	texts := []string{q.Text}
	if len(q.History) > 0 {
		texts = append(texts, turns(q))
	}
	vectors, err := s.vectors.QueryAll(ctx, model, texts)
	if err != nil {
		return nil, err
	}
	return mean(vectors), nil
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
