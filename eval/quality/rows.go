package quality

import (
	"maps"
	"slices"

	"docqa/eval/score"
)

// conclude computes the rows of the table.
func (r *Report) conclude() {
	for _, rowsOf := range []func(*SetReport) []Row{retrievalRows, answerRows, offTopicRows, unanswerableRows, citationRows} {
		for _, s := range r.Sets {
			r.Rows = append(r.Rows, rowsOf(s)...)
		}
	}
}

// row compares with target, where there is one; also says what else has to hold.
func row(section Section, set, measure string, textbook *float64, service score.Estimate, target *float64, also ...bool) Row {
	r := Row{Section: section, Set: set, Measure: measure, Textbook: textbook, Service: service, Target: target}
	if target != nil && service.N > 0 {
		r.Met = new(service.Value >= *target && !slices.Contains(also, false))
	}
	return r
}

func retrievalRows(s *SetReport) []Row {
	located := pick(s.Questions, func(q *Record) bool { return q.Located })
	if len(located) == 0 {
		return nil
	}
	plain := func(q *Record) score.Ranking { return q.Plain }
	reranked := func(q *Record) score.Ranking { return q.Reranked }
	line := func(name string, of func(*Record) score.Ranking, value func(score.Ranking) float64, target *float64) Row {
		textbook := score.Mean(values(located, func(q *Record) float64 { return value(q.Textbook) })).Value
		service := score.Mean(values(located, func(q *Record) float64 { return value(of(q)) }))
		return row(Retrieval, s.Set, name, &textbook, service, target)
	}
	within := func(k int) func(score.Ranking) float64 {
		return func(x score.Ranking) float64 { return x.Within(k) }
	}
	target := targetOf(retrievalTargets(), s.Set)
	return []Row{
		line("hit@1", plain, within(1), nil),
		line("hit@5", plain, within(5), target),
		line("hit@10", plain, within(10), nil),
		line("MRR@10", plain, score.Ranking.Reciprocal, nil),
		line("nDCG@10", plain, func(x score.Ranking) float64 { return x.NDCG }, nil),
		line("recall@10", plain, func(x score.Ranking) float64 { return x.Recall }, nil),
		line("precision@10", plain, func(x score.Ranking) float64 { return x.Precision }, nil),
		line("hit@1, reranked", reranked, within(1), nil),
		line("hit@5, reranked", reranked, within(5), target),
	}
}

func answerRows(s *SetReport) []Row {
	own := answerable(s)
	share := func(name string, of func(*Record) bool, target *float64) Row {
		return row(Answers, s.Set, name, nil, score.Share(values(own, of)), target)
	}
	return []Row{
		share("answered", func(q *Record) bool { return q.Answered }, nil),
		share("holds an answer within 45 words", func(q *Record) bool { return q.InWords }, targetOf(wordsTargets(), s.Set)),
		share("within three sentences", func(q *Record) bool { return q.InSentences }, targetOf(sentencesTargets(), s.Set)),
		share("in the whole", func(q *Record) bool { return q.InAll }, nil),
	}
}

// offTopicRows have two rows for each set of foreign questions: refused by the threshold on the answers'
// confidence that keeps enough of the set's own, and refused by the service as it is.
func offTopicRows(s *SetReport) []Row {
	own := answerable(s)
	if len(own) == 0 {
		return nil
	}
	answered := score.Share(values(own, func(q *Record) bool { return q.Answered })).Value
	confident := values(own, func(q *Record) float64 { return q.Confidence })
	scored := values(own, func(q *Record) float64 { return q.BestScore })
	var rows []Row
	for _, other := range slices.Sorted(maps.Keys(s.Foreign)) {
		foreign := s.Foreign[other]
		textbook := score.RefusedAt(keptShare, scored, values(foreign, func(a *Ask) float64 { return a.bestScore })).Value
		rows = append(rows,
			row(OffTopic, s.Set, other+", calibrated", &textbook,
				score.RefusedAt(keptShare, confident, values(foreign, func(a *Ask) float64 { return a.Confidence })), new(offTopicTarget)),
			row(OffTopic, s.Set, other+", as it is", nil, score.Share(values(foreign, func(a *Ask) bool { return !a.Answered })),
				new(offTopicTarget), answered >= keptShare))
	}
	return rows
}

func unanswerableRows(s *SetReport) []Row {
	own := answerable(s)
	without := pick(s.Questions, func(q *Record) bool { return !q.Answerable })
	if len(own) == 0 || len(without) == 0 {
		return nil
	}
	confidence := func(q *Record) float64 { return q.Confidence }
	best := func(q *Record) float64 { return q.BestScore }
	textbook := score.AUC(values(own, best), values(without, best)).Value
	answered := score.Share(values(own, func(q *Record) bool { return q.Answered }))
	target := targetOf(unanswerableTargets(), s.Set)
	var least *float64
	if target != nil {
		least = new(answeredShare)
	}
	return []Row{
		row(Unanswerable, s.Set, "AUC of the confidence", &textbook, score.AUC(values(own, confidence), values(without, confidence)), target),
		row(Unanswerable, s.Set, "answerable answered", nil, answered, least),
		row(Unanswerable, s.Set, "unanswerable refused", nil, score.Share(values(without, func(q *Record) bool { return !q.Answered })), nil),
	}
}

func citationRows(s *SetReport) []Row {
	var verbatim, resolved, marked []bool
	s.Problems = nil
	count := func(list []bool, right, all int) []bool {
		return append(list, slices.Concat(slices.Repeat([]bool{true}, right), slices.Repeat([]bool{false}, all-right))...)
	}
	for _, a := range s.asks() {
		verbatim, resolved = count(verbatim, a.Verbatim, a.Sources), count(resolved, a.Resolved, a.Markers)
		if a.Answered {
			marked = append(marked, a.Markers > 0)
		}
		s.Problems = append(s.Problems, a.problems[:min(len(a.problems), shownProblems-len(s.Problems))]...)
	}
	return []Row{
		row(Citations, s.Set, "excerpts verbatim at their place", nil, score.Share(verbatim), new(citationTarget)),
		row(Citations, s.Set, "markers that name a source", nil, score.Share(resolved), new(citationTarget)),
		row(Citations, s.Set, "answers with a marker", nil, score.Share(marked), new(citationTarget)),
	}
}

// asks are all answers on the set's documents, to own and to foreign questions.
func (s *SetReport) asks() []*Ask {
	var list []*Ask
	for i := range s.Questions {
		list = append(list, &s.Questions[i].Ask)
	}
	for _, other := range slices.Sorted(maps.Keys(s.Foreign)) {
		for i := range s.Foreign[other] {
			list = append(list, &s.Foreign[other][i])
		}
	}
	return list
}

func answerable(s *SetReport) []Record {
	return pick(s.Questions, func(q *Record) bool { return q.Answerable })
}

func pick[T any](list []T, keep func(*T) bool) []T {
	var kept []T
	for i := range list {
		if keep(&list[i]) {
			kept = append(kept, list[i])
		}
	}
	return kept
}

func values[T, V any](list []T, of func(*T) V) []V {
	out := make([]V, len(list))
	for i := range list {
		out[i] = of(&list[i])
	}
	return out
}
