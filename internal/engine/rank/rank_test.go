package rank_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/rank"
)

func TestOrder(t *testing.T) {
	t.Parallel()
	q := lexical.NewStats().Question("Which vitamin deficiency causes scurvy in Norway?")
	tests := []struct {
		name       string
		candidates []rank.Candidate
		want       []int
	}{
		{"nothing", nil, []int{}},
		{"words side by side win", []rank.Candidate{
			{Body: "Deficiency of sleep is common. A vitamin was found.", BM25: 3},
			{Body: "A vitamin deficiency was found.", BM25: 3},
		}, []int{1, 0}},
		{"names win", []rank.Candidate{
			{Body: "It causes scurvy.", BM25: 3},
			{Body: "It causes trouble in Norway.", BM25: 3},
		}, []int{1, 0}},
		{"headings count", []rank.Candidate{
			{Body: "It causes this.", BM25: 3},
			{Body: "It causes this.", HeadingPath: []string{"Scurvy"}, BM25: 3},
		}, []int{1, 0}},
		{"equals keep their order", []rank.Candidate{{Body: "a", BM25: 2}, {Body: "a", BM25: 2}, {Body: "a", BM25: 9}}, []int{2, 0, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			places, scores := rank.Order(q, tt.candidates)
			require.Equal(t, tt.want, places)
			require.Len(t, scores, len(tt.want))
			require.IsNonIncreasing(t, append(scores, -1))
		})
	}
}

func BenchmarkOrder(b *testing.B) {
	q := lexical.NewStats().Question("When did the Arab countries proclaim the oil embargo?")
	candidates := make([]rank.Candidate, 50)
	for i := range candidates {
		candidates[i] = rank.Candidate{
			Title: "1973 oil crisis", BM25: float64(50 - i),
			Body: strings.Repeat("The members of the organization of Arab countries proclaimed an embargo in October, and prices rose quickly. ", 10),
		}
	}
	for b.Loop() {
		rank.Order(q, candidates)
	}
}
