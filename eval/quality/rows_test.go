package quality

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/dataset"
	"docqa/eval/manuals"
	"docqa/eval/score"
)

func find(t *testing.T, rows []Row, measure string) Row {
	t.Helper()
	for _, r := range rows {
		if r.Measure == measure {
			return r
		}
	}
	require.Fail(t, "no row", measure)
	return Row{}
}

func sample4() *SetReport {
	at := func(place int) score.Ranking { return score.Ranking{First: place} }
	return &SetReport{Set: "squad2", Foreign: map[string][]Ask{"tatqa": {{Confidence: .2}, {Answered: true, Confidence: .6, Markers: 1, Resolved: 1}}}, Questions: []Record{
		{
			Answerable: true, Located: true, Plain: at(1), Reranked: at(1), Textbook: at(7), BestScore: 9,
			Ask: Ask{Answered: true, Confidence: .9, InAll: true, Sources: 2, Verbatim: 2, Markers: 1, Resolved: 1},
		},
		{
			Answerable: true, Located: true, Plain: at(6), Reranked: at(5), Textbook: at(1), BestScore: 3,
			Ask: Ask{Answered: true, Confidence: .4, Sources: 1, problems: []string{"wrong"}},
		},
		{Ask: Ask{Confidence: .1}, BestScore: 5},
		{Ask: Ask{Answered: true, Confidence: .5, Markers: 1, Resolved: 1}},
	}}
}

func TestRetrievalRows(t *testing.T) {
	t.Parallel()
	rows := retrievalRows(sample4())
	plain := find(t, rows, "hit@5")
	require.Equal(t, 2, plain.Service.N)
	require.InDelta(t, .5, plain.Service.Value, 1e-9)
	require.InDelta(t, .5, *plain.Textbook, 1e-9)
	require.InDelta(t, .98, *plain.Target, 1e-9)
	require.False(t, *plain.Met)
	require.InDelta(t, 1, find(t, rows, "hit@10").Service.Value, 1e-9)
	require.InDelta(t, 7./12, find(t, rows, "MRR@10").Service.Value, 1e-9)
	require.True(t, *find(t, rows, "hit@5, reranked").Met)
	require.Nil(t, find(t, rows, "hit@1").Met)
	require.Empty(t, retrievalRows(&SetReport{Questions: []Record{{Answerable: true}}}))
}

func TestOtherRows(t *testing.T) {
	t.Parallel()
	s := sample4()
	require.InDelta(t, .5, find(t, answerRows(s), "in the whole").Service.Value, 1e-9)

	foreign := offTopicRows(s)
	require.InDelta(t, .5, find(t, foreign, "tatqa, calibrated").Service.Value, 1e-9, ".2 lies below the threshold .4, .6 does not")
	require.InDelta(t, .5, find(t, foreign, "tatqa, as it is").Service.Value, 1e-9)

	without := unanswerableRows(s)
	auc := find(t, without, "AUC of the confidence")
	require.InDelta(t, .75, auc.Service.Value, 1e-9, ".9 exceeds both, .4 one of two")
	require.InDelta(t, .75, *auc.Textbook, 1e-9, "9 exceeds both, 3 one of two")
	require.True(t, *auc.Met)
	require.True(t, *find(t, without, "answerable answered").Met)
	require.InDelta(t, .5, find(t, without, "unanswerable refused").Service.Value, 1e-9)

	cited := citationRows(s)
	require.Equal(t, score.Estimate{Value: 1, Low: 1, High: 1, N: 3}, find(t, cited, "markers that name a source").Service)
	verbatim := find(t, cited, "excerpts verbatim at their place")
	require.InDelta(t, 2./3, verbatim.Service.Value, 1e-9)
	require.False(t, *verbatim.Met)
	require.InDelta(t, .75, find(t, cited, "answers with a marker").Service.Value, 1e-9)
	require.Equal(t, []string{"wrong"}, s.Problems)
}

func TestReport_addRows_seenInTraining(t *testing.T) {
	t.Parallel()
	r := &Report{Sets: []*SetReport{sample4()}}
	r.Sets[0].Seen = true
	r.addRows(map[string]map[string]float64{"squad2": {"hit@5": .97, "AUC of the confidence": .8}})
	hit := find(t, r.Rows, "hit@5, reranked")
	require.InDelta(t, 1, hit.Service.Value, 1e-9)
	require.InDelta(t, .97, *hit.CrossValidated, 1e-9)
	require.False(t, *hit.Met, "the models know these questions: what they do on others counts")
	require.True(t, *find(t, r.Rows, "AUC of the confidence").Met)
	require.Nil(t, find(t, r.Rows, "within three sentences").Met, "nothing to compare with the target")
	require.NotNil(t, find(t, r.Rows, "answers with a marker").Met, "citations are not learned")
}

func TestManualRows(t *testing.T) {
	t.Parallel()
	ask := func(kind manuals.Kind, part string, s manuals.Score) Record {
		return Record{Ask: Ask{Answered: !s.Refused, Manual: &ManualAsk{Score: s, Kind: kind, Part: part, Readable: true}}}
	}
	right := manuals.Score{Complete: true, Contains: true, FirstRight: true}
	rows := manualRows([]*SetReport{{Questions: []Record{
		ask(manuals.Default, manuals.Unseen, right), ask(manuals.Option, manuals.Unseen, manuals.Score{Wrong: true}),
		ask(manuals.Near, manuals.Unseen, manuals.Score{Refused: true}), ask(manuals.Far, manuals.Unseen, manuals.Score{Wrong: true}),
		ask(manuals.Option, manuals.Learn, right),
		{},
	}}})
	for measure, want := range map[string]float64{
		"right and complete": .5, "holds the fact": .5, "first statement right": .5, "not wrong": .5, "default right": 1,
		"default not of another entry": 1, "answered": 1, "near-misses refused": 1, "far questions refused": 0, "readable": 1,
	} {
		row := find(t, rows, measure)
		require.Equal(t, "manuals, unseen", row.Set)
		require.InDelta(t, want, row.Service.Value, 1e-9, measure)
		require.Equal(t, want >= *row.Target, *row.Met, measure)
	}
	require.Equal(t, "manuals, learn", rows[len(rows)-1].Set)
	require.Nil(t, rows[len(rows)-1].Target)
	require.Empty(t, manualRows([]*SetReport{sample4()}))
}

func TestTargetOf(t *testing.T) {
	t.Parallel()
	require.InDelta(t, .97, *targetOf(retrievalTargets(), "xquad-hi"), 1e-9)
	require.InDelta(t, .98, *targetOf(retrievalTargets(), "mtrag-un"), 1e-9)
	require.Nil(t, targetOf(retrievalTargets(), "policyqa"))
}

func TestRunner_offTopicQuestions(t *testing.T) {
	t.Parallel()
	sets := func(name, language string, n int) *dataset.Set {
		set := &dataset.Set{Name: name, Language: language, Questions: make([]dataset.Question, n)}
		for i := range set.Questions {
			set.Questions[i].Answerable = i%2 == 0
		}
		return set
	}
	r := &runner{all: []*dataset.Set{sets("squad2", "en", 600), sets("xquad-de", "de", 600), sets("clapnq", "en", 600), sets("tatqa", "en", 40), sets("mtrag-un", "en", 600)}}
	counts := func(name string) map[string]int {
		n := map[string]int{}
		for _, s := range r.offTopicQuestions(name) {
			n[s.from]++
		}
		return n
	}
	require.Equal(t, map[string]int{"clapnq": 100, "mtrag-un": 100, "tatqa": 20}, counts("xquad-de"), "squad2 is of the same articles")
	require.Equal(t, map[string]int{"squad2": 100, "tatqa": 20}, counts("clapnq"))
}

func TestSample(t *testing.T) {
	t.Parallel()
	list := []dataset.Question{{ID: "0"}, {ID: "1"}, {ID: "2"}, {ID: "3"}}
	require.Equal(t, []dataset.Question{{ID: "0"}, {ID: "2"}}, dataset.Sample(list, 2))
	require.Equal(t, list, dataset.Sample(list, 0))
}

func TestReport_Print(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	r := &Report{Retrieval: "hybrid", Model: "models/small", Sets: []*SetReport{sample4()}}
	r.addRows(nil)
	require.NoError(t, r.Print(&out))
	require.Contains(t, out.String(), "in the mode hybrid (with the model small)")
	require.Regexp(t, `squad2 +hit@5 +2 +0\.500 +0\.5000 +0\.000 to 1\.000 +- +≥ 0\.980 +missed`, out.String())
	require.Contains(t, out.String(), "squad2: wrong")
	require.Contains(t, out.String(), "targets met")
}
