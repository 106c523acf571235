package score_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/dataset"
	"docqa/eval/score"
)

func TestWords(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"the", "office", "s", "12", "5", "us"}, score.Words("The oﬃce's 12.5% US"))
	require.Equal(t, []string{"东", "京", "2020"}, score.Words("东京2020"))
	require.Equal(t, []string{"हिन्दी"}, score.Words("हिन्दी।"), "marks belong to their word")
}

func TestHolds(t *testing.T) {
	t.Parallel()
	require.True(t, score.Holds("It began in October 1973, when", "october 1973"))
	require.False(t, score.Holds("in 2010", "10"), "half a number is no answer")
	require.False(t, score.Holds("1973 October", "October 1973"))
	require.True(t, score.Holds("grew by 5 %", "%"))
	require.False(t, score.Holds("anything", " "))
}

func TestCoverage(t *testing.T) {
	t.Parallel()
	require.InDelta(t, .5, score.Coverage("a b", "a b c d"), 1e-9)
	require.InDelta(t, .5, score.Coverage("a x", "a a"), 1e-9, "a word counts as often as the text holds it")
	require.InDelta(t, 0, score.Coverage("a", ""), 1e-9)
}

func TestEvaluate_first(t *testing.T) {
	t.Parallel()
	gold := "one two three four five"
	byText := &dataset.Question{Answers: []string{"nine"}, Gold: []dataset.Gold{{File: "a.md", Text: gold}}}
	byPage := &dataset.Question{Gold: []dataset.Gold{{File: "a.pdf", Page: 4}}}
	byFile := &dataset.Question{Gold: []dataset.Gold{{File: "b.txt"}, {File: "c.txt"}}}

	for _, c := range []struct {
		name  string
		q     *dataset.Question
		slack int
		list  []score.Passage
		want  int
	}{
		{"three of five words", byText, 0, []score.Passage{{File: "a.md", Text: "x y"}, {File: "a.md", Text: "one two three"}}, 2},
		{"two of five words", byText, 0, []score.Passage{{File: "a.md", Text: "one two"}}, 0},
		{"another file", byText, 0, []score.Passage{{File: "b.md", Text: gold}}, 0},
		{"an answer", byText, 0, []score.Passage{{File: "a.md", Text: "it is nine"}}, 1},
		{"the page", byPage, 0, []score.Passage{{File: "a.pdf", Page: 5}, {File: "a.pdf", Page: 3}, {File: "a.pdf", Page: 4}}, 3},
		{"the next page", byPage, 1, []score.Passage{{File: "a.pdf", Page: 5}}, 1},
		{"one of several files", byFile, 0, []score.Passage{{File: "x.txt"}, {File: "c.txt"}}, 2},
		{"nothing found", byFile, 0, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, score.Evaluate(c.q, c.slack, 10, c.list).First)
			require.Equal(t, c.want, score.Rank(c.q, c.slack, c.list))
		})
	}
}

// A gain counts 1 at the first place, 1/log2(3) = .630930 at the second, 1/2 at the third.
func TestEvaluate(t *testing.T) {
	t.Parallel()
	q := &dataset.Question{Gold: []dataset.Gold{{File: "a"}, {File: "b"}, {File: "c"}}}
	list := []score.Passage{{File: "x"}, {File: "a"}, {File: "b"}, {File: "a"}}

	got := score.Evaluate(q, 0, 10, list)
	require.Equal(t, 2, got.First)
	require.InDelta(t, .5, got.Reciprocal(), 1e-9)
	require.InDelta(t, .75, got.Precision, 1e-9, "three of four results are of gold files")
	require.InDelta(t, 2./3, got.Recall, 1e-9, "c was not found")
	require.InDelta(t, (.630930+.5)/(1+.630930+.5), got.NDCG, 1e-6, "the second a gains nothing")

	cut := score.Evaluate(q, 0, 2, list)
	require.InDelta(t, 1./3, cut.Recall, 1e-9)
	require.InDelta(t, .630930/1.630930, cut.NDCG, 1e-6, "two places hold two of the three")
	require.InDelta(t, 1, score.Evaluate(q, 0, 1, list[1:]).NDCG, 1e-9)

	require.Equal(t, score.Ranking{}, score.Evaluate(q, 0, 10, list[:1]))
	require.InDelta(t, 0, score.Ranking{}.Reciprocal(), 1e-9)
	require.InDelta(t, 0, got.HitAt(1), 1e-9)
	require.InDelta(t, 1, got.HitAt(2), 1e-9)
}

func TestBestCoverage(t *testing.T) {
	t.Parallel()
	q := &dataset.Question{Gold: []dataset.Gold{{File: "a", Text: "one two three four"}}}
	require.InDelta(t, .5, score.BestCoverage(q, []score.Passage{{File: "b", Text: "one two three"}, {File: "a", Text: "one four"}, {File: "a", Text: "one"}}), 1e-9)
}

func TestHoldsAnswer(t *testing.T) {
	t.Parallel()
	q := &dataset.Question{Answers: []string{"2017", "2018"}}
	require.True(t, score.HoldsAnswer(q, "in 2018"))
	require.False(t, score.HoldsAnswer(q, "in 2019"))
	q.AllAnswers = true
	require.False(t, score.HoldsAnswer(q, "in 2018"))
	require.True(t, score.HoldsAnswer(q, "2018 and 2017"))
	require.False(t, score.HoldsAnswer(&dataset.Question{AllAnswers: true}, "x"))
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	answer := "It lasts two years [1]. Or 700 cycles! [2] More [12]?\nYes."
	require.Equal(t, []int{1, 2, 12}, score.Markers(answer))
	plain := score.Plain(answer)
	require.Equal(t, "It lasts two years. Or 700 cycles! More?\nYes.", plain)
	require.Equal(t, "It lasts two", score.FirstWords(plain, 3))
	require.Equal(t, "It lasts two years. Or 700 cycles!", score.FirstSentences(plain, 2))
	require.Equal(t, "No end", score.FirstSentences("No end", 1))
}

func TestSource_Verify(t *testing.T) {
	t.Parallel()
	text := score.Source{Pages: []string{"Über alles. The of\u00adfice opens at nine."}}
	pages := score.Source{Paged: true, Pages: []string{"", "A long-\nterm office plan.\n" + score.ReadingSeparator + "Price 5\nWeight 7\n"}}
	for _, c := range []struct {
		name   string
		source score.Source
		cited  score.Citation
		want   string
	}{
		{"at its span", text, score.Citation{Excerpt: "The office opens", Start: 12, End: 29, Spanned: true}, ""},
		{"beside its span", text, score.Citation{Excerpt: "The office opens", Start: 11, End: 27, Spanned: true}, "the excerpt is not at its span"},
		{"not in the text", text, score.Citation{Excerpt: "The office closes", Start: 0, End: 17, Spanned: true}, "the excerpt is not in the document"},
		{"beyond the text", text, score.Citation{Excerpt: "The office opens", Start: 12, End: 290, Spanned: true}, "the span lies outside the document"},
		{"without a span", text, score.Citation{Excerpt: "The office opens"}, "the span is missing"},
		{"a page where there are none", text, score.Citation{Excerpt: "nine", Page: 1}, "it names a page, but the document has no pages"},
		{"nothing", text, score.Citation{Excerpt: " "}, "the excerpt is empty"},
		{"joined over lines", pages, score.Citation{Excerpt: "longterm oﬃce plan.", Page: 2, Start: 7, End: 26, Spanned: true}, ""},
		{"on another page", pages, score.Citation{Excerpt: "office plan.", Page: 1, Spanned: true}, "the excerpt is not on the page: office plan."},
		{"lines in another order", pages, score.Citation{Excerpt: "Weight 7\nPrice 5", Page: 2, Start: 20, End: 36, Spanned: true}, ""},
		{"a line of two halves", pages, score.Citation{Excerpt: "Price 7", Page: 2, Spanned: true}, "the excerpt is not on the page: Price 7"},
		{"on no page", pages, score.Citation{Excerpt: "office plan.", Page: 3, Spanned: true}, "the page does not exist"},
		{"too short a span", pages, score.Citation{Excerpt: "office plan.", Page: 2, Start: 4, End: 9, Spanned: true}, "the span and the excerpt differ in length"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, c.source.Verify(&c.cited))
		})
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	values := make([]bool, 400)
	for i := range values {
		values[i] = i%4 != 0
	}
	got := score.Share(values)
	require.InDelta(t, .75, got.Value, 1e-9)
	require.InDelta(t, .707, got.Low, .012, "1.96 standard errors of .0217 below")
	require.InDelta(t, .793, got.High, .012)
	require.Equal(t, got, score.Share(values))
	require.Equal(t, score.Estimate{}, score.Share(nil))
}

// The mean of the values 0 and 4, when two are drawn: 0, 2 or 4. Each of 0 and 4 comes a quarter of the time.
func TestMean(t *testing.T) {
	t.Parallel()
	require.Equal(t, score.Estimate{Value: 2, Low: 0, High: 4, N: 2}, score.Mean([]float64{0, 4}))
	require.Equal(t, score.Estimate{Value: 3, Low: 3, High: 3, N: 1}, score.Mean([]float64{3}))
}

// Both samples are drawn again, so the difference varies by both: sqrt(2)/sqrt(100)/2 in each direction.
func TestBootstrap(t *testing.T) {
	t.Parallel()
	coins := make([]float64, 100)
	for i := range coins {
		coins[i] = float64(i % 2)
	}
	got := score.Bootstrap(func(s ...[]float64) float64 {
		sum := 0.
		for i := range s[0] {
			sum += s[0][i] - s[1][i]
		}
		return sum / 100
	}, coins, coins)
	require.InDelta(t, 0, got.Value, 1e-9)
	require.InDelta(t, -.139, got.Low, .02)
	require.InDelta(t, .139, got.High, .02)
	require.Equal(t, score.Estimate{}, score.Bootstrap(nil, coins, nil))
}

func TestAUC(t *testing.T) {
	t.Parallel()
	require.Equal(t, score.Estimate{Value: 1, Low: 1, High: 1, N: 4}, score.AUC([]float64{.8, .9}, []float64{.1, .2}))
	require.InDelta(t, .5, score.AUC([]float64{.5}, []float64{.5}).Value, 1e-9, "a tie counts half")
	require.InDelta(t, .75, score.AUC([]float64{.3, .9}, []float64{.2, .4}).Value, 1e-9, "three of four pairs")
	require.InDelta(t, 8./12, score.AUC([]float64{.2, .2, .4, .6}, []float64{.1, .2, .5}).Value, 1e-9, "1.5+1.5+2+3 of 12")
	require.Equal(t, score.Estimate{}, score.AUC(nil, []float64{1}))
}

func TestRefusedAt(t *testing.T) {
	t.Parallel()
	own := []float64{.1, .5, .6, .7, .8, .9, .9, .9, .9, .9}
	got := score.RefusedAt(.9, own, []float64{.2, .6})
	require.InDelta(t, .5, got.Value, 1e-9, "one of ten own may fall below .5")
	require.Equal(t, 2, got.N)
	require.InDelta(t, 1, score.RefusedAt(.9, own, []float64{.1, .4}).Value, 1e-9)
	require.Equal(t, score.Estimate{}, score.RefusedAt(.9, nil, []float64{.2}))
}
