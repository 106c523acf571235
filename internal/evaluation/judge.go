package evaluation

import (
	"fmt"
	"slices"

	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/score"
)

// The lengths within which an answer should come to the point.
const (
	shortWords     = 45
	shortSentences = 3
)

// judgement is what one answer is worth.
type judgement struct {
	answered          bool
	confidence        float64
	inWords           bool // an answer stands in the first 45 words
	inSentences       bool // or in the first three sentences
	inAll             bool
	citations, exact  int
	markers, resolved int
	problems          []string
}

func judge(q *dataset.Question, got *reply, sources map[string]*score.Source, files map[string]string) judgement {
	plain := score.Plain(got.text)
	j := judgement{
		answered: got.answered, confidence: got.confidence,
		inWords:     got.answered && score.HoldsAnswer(q, score.FirstWords(plain, shortWords)),
		inSentences: got.answered && score.HoldsAnswer(q, score.FirstSentences(plain, shortSentences)),
		inAll:       got.answered && score.HoldsAnswer(q, plain),
	}
	if !got.answered {
		return j
	}
	var known []int
	for i := range got.sources {
		s := &got.sources[i]
		known = append(known, s.Index)
		j.citations++
		if problem := verify(sources[files[s.DocumentID]], s); problem != "" {
			j.problems = append(j.problems, fmt.Sprintf("question %s, source %d of %s: %s", q.ID, s.Index, files[s.DocumentID], problem))
			continue
		}
		j.exact++
	}
	for _, n := range score.Markers(got.text) {
		j.markers++
		if slices.Contains(known, n) {
			j.resolved++
		}
	}
	return j
}
