package grounded_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/llm"
)

func TestModel_saysWhatItCites(t *testing.T) {
	t.Parallel()
	r := manual()
	r.Number = func(passage int) int { return 4 - passage }
	const said = "Delivery takes three days. [3] Both say so [3][1]. Take pay[3], and it lasts 24 months (1)."
	for _, size := range []int{1, 5, 1 << 20} {
		got := reply(t, r, inPieces(said, size)...)
		require.Equal(t, "Delivery takes three days [1]. Both say so [1][3]. Take pay[3], and it lasts 24 months [3].", got.Text)
		cite := func(begin, end, passage, quoteBegin, quoteEnd int) llm.Citation {
			return llm.Citation{Begin: begin, End: end, Passage: passage, QuoteBegin: quoteBegin, QuoteEnd: quoteEnd}
		}
		require.Equal(t, []llm.Citation{cite(0, 30, 3, 0, 26), cite(31, 50, 3, -1, -1), cite(31, 50, 1, -1, -1)}, got.Citations[:3])
		require.Equal(t, 1, got.Citations[3].Passage)
	}
}

func TestModel_confidenceChecksWhatTheModelSaid(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		says       string
		from, upTo float64
	}{
		{"The warranty lasts 24 months [1].", 0.9, 1},
		{"It covers faults in material, and registering is done at https://shop.example/register [1].", 0.75, 1},
		{"Die Garantie gilt 24 Monate [1].", 0.9, 1},
		{"Die Garantie umfasst auch Mängel am Material [1].", 0.55, 0.65},
		{"The warranty lasts 36 months [1].", 0.2, 0.4},
		{"Elephants enjoy dancing on Tuesdays [1].", 0.4, 0.5},
		{"Delivery takes three days [1].", 0.4, 0.6},
		{"The warranty lasts 24 months [1]. Elephants enjoy dancing on Tuesdays.", 0.4, 0.7},
	} {
		got := reply(t, manual(), tt.says)
		require.GreaterOrEqual(t, got.Confidence, tt.from, tt.says)
		require.LessOrEqual(t, got.Confidence, tt.upTo, tt.says)
		require.Contains(t, []string{"high", "medium", "low"}, got.Level)
	}
}
