package measure_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/measure"
)

// The figures are computed by hand: a gain of 1 counts 1 at the first place,
// 1/log2(3) = 0.630930 at the second, 1/2 at the third, 1/log2(5) = 0.430677 at the fourth.
func TestRank(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		found, wanted []string
		want          measure.Ranking
	}{
		"nothing found":        {nil, []string{"a"}, measure.Ranking{}},
		"nothing wanted":       {[]string{"a"}, nil, measure.Ranking{}},
		"the only one":         {[]string{"a"}, []string{"a"}, measure.Ranking{Precision: 1, Recall: 1, MRR: 1, NDCG: 1}},
		"second of two":        {[]string{"x", "a"}, []string{"a"}, measure.Ranking{Precision: .5, Recall: 1, MRR: .5, NDCG: .630930}},
		"third of four":        {[]string{"x", "y", "a", "z"}, []string{"a"}, measure.Ranking{Precision: .25, Recall: 1, MRR: 1. / 3, NDCG: .5}},
		"one of two wanted":    {[]string{"a", "x"}, []string{"a", "b"}, measure.Ranking{Precision: .5, Recall: .5, MRR: 1, NDCG: 1 / 1.630930}},
		"both, with a gap":     {[]string{"a", "x", "b"}, []string{"b", "a"}, measure.Ranking{Precision: 2. / 3, Recall: 1, MRR: 1, NDCG: 1.5 / 1.630930}},
		"second and fourth":    {[]string{"x", "a", "y", "b"}, []string{"a", "b"}, measure.Ranking{Precision: .5, Recall: 1, MRR: .5, NDCG: (.630930 + .430677) / 1.630930}},
		"repeated names":       {[]string{"x", "x", "a", "a"}, []string{"a", "a"}, measure.Ranking{Precision: .5, Recall: 1, MRR: .5, NDCG: .630930}},
		"none that was wanted": {[]string{"x", "y"}, []string{"a"}, measure.Ranking{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := measure.Rank(test.found, test.wanted)
			require.InDelta(t, test.want.Precision, got.Precision, 1e-6)
			require.InDelta(t, test.want.Recall, got.Recall, 1e-6)
			require.InDelta(t, test.want.MRR, got.MRR, 1e-6)
			require.InDelta(t, test.want.NDCG, got.NDCG, 1e-6)
		})
	}
}

func TestMean(t *testing.T) {
	t.Parallel()
	require.Equal(t, measure.Ranking{}, measure.Mean(nil))
	require.Equal(t, measure.Ranking{Precision: .5, Recall: .75, MRR: .5, NDCG: .25}, measure.Mean([]measure.Ranking{
		{Precision: 1, Recall: 1, MRR: .5, NDCG: .5}, {Precision: 0, Recall: .5, MRR: .5, NDCG: 0},
	}))
}

func TestAgreement(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		expected, answer string
		want             float64
	}{
		"stands in it":                {"25 days", "You have 25 days of leave a year.", 1},
		"case and punctuation":        {"Two years.", "The battery is covered for \"two years\"!", 1},
		"other forms and order":       {"The warranty covers batteries", "Batteries are covered by the warranty.", 1},
		"half of it":                  {"warranty battery", "The warranty lasts long.", .5},
		"nothing of it":               {"warranty", "Delivery takes long.", 0},
		"another number":              {"The leave lasts 25 days", "The leave lasts 26 days", .75 * measure.Agrees},
		"a part of a number":          {"25", "It costs 250 euros", 0},
		"stop words that stand in it": {"not at all", "It is not at all.", 1},
		"stop words that do not":      {"not at all", "It is.", 0},
		"an empty expectation":        {"", "Anything", 0},
		"nothing but marks":           {"?!", "Anything", 0},
		"another language":            {"drei Werktage", "Die Lieferung dauert drei Werktage.", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.InDelta(t, test.want, measure.Agreement(test.expected, test.answer), 1e-9)
		})
	}
}
