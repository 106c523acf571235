package evaluation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/mainapi"
	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/score"
)

func cited(index int, excerpt string, start int) mainapi.CitationSource {
	return mainapi.CitationSource{
		Index: index, DocumentID: "doc_1", Excerpt: excerpt,
		ExcerptSpan: mainapi.NewOptCitationSpan(mainapi.CitationSpan{Start: start, End: start + len(excerpt)}),
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	sources := map[string]*score.Source{"a.txt": {Pages: []string{"It lasts two years. It costs nothing."}}}
	files := map[string]string{"doc_1": "a.txt"}
	q := &dataset.Question{ID: "7", Answers: []string{"two years"}}

	got := judge(q, &reply{
		text: "It lasts two years [1]. More [2].", answered: true, confidence: .8,
		sources: []mainapi.CitationSource{cited(1, "It lasts two years.", 0), cited(3, "It costs nothing.", 5)},
	}, sources, files)
	require.True(t, got.inWords && got.inSentences && got.inAll)
	require.Equal(t, 2, got.citations)
	require.Equal(t, 1, got.exact)
	require.Equal(t, []string{"question 7, source 3 of a.txt: the excerpt is not at its span"}, got.problems)
	require.Equal(t, 2, got.markers)
	require.Equal(t, 1, got.resolved, "no source is called 2")

	late := judge(q, &reply{text: strings.Repeat("word ", 45) + "two years.", answered: true}, sources, files)
	require.False(t, late.inWords)
	require.True(t, late.inAll)

	refused := judge(q, &reply{text: "The documents do not say how two years pass."}, sources, files)
	require.False(t, refused.inAll, "a refusal holds no answer")
}

func TestSetReport_Conclude(t *testing.T) {
	t.Parallel()
	questions := []dataset.Question{{Answerable: true}, {Answerable: true}, {}, {}}
	judged := []judgement{
		{answered: true, confidence: .9, inAll: true, citations: 2, exact: 2, markers: 1, resolved: 1},
		{answered: true, confidence: .4, citations: 1, problems: []string{"wrong"}},
		{confidence: .1},
		{answered: true, confidence: .5},
	}
	var s SetReport
	s.conclude(questions, judged, []judgement{{confidence: .2}, {answered: true, confidence: .6}})
	require.InDelta(t, 1, s.Answers.Answered.Value, 1e-9)
	require.InDelta(t, .5, s.Answers.Hold.Value, 1e-9)
	require.InDelta(t, .5, s.Refusals.Unanswerable.Value, 1e-9)
	require.InDelta(t, .75, s.Refusals.UnanswerableAUC, 1e-9, ".9 exceeds both, .4 one of two")
	require.InDelta(t, .5, s.Refusals.OffTopic.Value, 1e-9)
	require.InDelta(t, .5, s.Refusals.OffTopicAt95, 1e-9)
	require.Equal(t, Citations{Sources: 3, Verbatim: 2, Markers: 1, MarkersResolved: 1, Unmarked: 3, Problems: []string{"wrong"}}, s.Citations)
}

func TestRunner_Foreign(t *testing.T) {
	t.Parallel()
	many := make([]dataset.Question, 300)
	r := &runner{pools: map[string][]dataset.Question{"squad2": many, "xquad-de": nil, "clapnq": many, "tatqa": many, "mtrag-un": many}}
	require.Len(t, r.foreign("xquad-de"), 99, "33 of each of three, none of the same articles")
	require.Len(t, r.foreign("clapnq"), 100, "mtrag-un is of its kin")
}

func TestSample(t *testing.T) {
	t.Parallel()
	list := []dataset.Question{{ID: "0"}, {ID: "1"}, {ID: "2"}, {ID: "3"}}
	require.Equal(t, []dataset.Question{{ID: "0"}, {ID: "2"}}, sample(list, 2))
	require.Equal(t, list, sample(list, 0))
}

func TestHits(t *testing.T) {
	t.Parallel()
	h := hits([]int{1, 0, 5, 10})
	require.InDelta(t, .25, h.At1.Value, 1e-9)
	require.InDelta(t, .5, h.At5.Value, 1e-9)
	require.InDelta(t, .75, h.At10.Value, 1e-9)
}

func TestReport_Print(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &Report{Sets: []*SetReport{{Set: "squad2", Search: hits([]int{0}), Textbook: hits([]int{1}), Citations: Citations{Problems: []string{"broken"}}}}}
	require.NoError(t, r.Print(&out))
	require.Contains(t, out.String(), "0.000 (below)")
	require.Contains(t, out.String(), "squad2: broken")
}
