package quality

import (
	"fmt"
	"slices"

	"docqa/eval/dataset"
	"docqa/eval/score"
)

// The lengths within which an answer should hold what was asked for.
const (
	shortWords     = 45
	shortSentences = 3
)

// scoreReply compares the reply to q with the data. sources are the texts of the documents by name, files their names by id.
func scoreReply(q *dataset.Question, got *reply, sources map[string]*score.Source, files map[string]string) Ask {
	a := Ask{ID: q.ID, Answered: got.answered, Confidence: got.confidence, Answer: got.text, Manual: scoreManual(q, got)}
	if !got.answered {
		return a
	}
	plain := score.Plain(got.text)
	a.InWords = score.HoldsAnswer(q, score.FirstWords(plain, shortWords))
	a.InSentences = score.HoldsAnswer(q, score.FirstSentences(plain, shortSentences))
	a.InAll = score.HoldsAnswer(q, plain)
	var indexes []int
	for i := range got.sources {
		s := &got.sources[i]
		indexes = append(indexes, s.Index)
		a.Sources++
		if problem := verify(sources[files[s.DocumentID]], s); problem != "" {
			a.problems = append(a.problems, fmt.Sprintf("question %s, source %d of %s: %s", q.ID, s.Index, files[s.DocumentID], problem))
			continue
		}
		a.Verbatim++
	}
	for _, n := range score.Markers(got.text) {
		a.Markers++
		if slices.Contains(indexes, n) {
			a.Resolved++
		}
	}
	return a
}
