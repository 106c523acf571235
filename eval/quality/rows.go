package quality

import (
	"maps"
	"slices"
	"strings"

	"docqa/eval/score"
)

// addRows computes the rows of the table. figures holds the cross-validated ones, by set and measure.
func (r *Report) addRows(figures map[string]map[string]float64) {
	for _, rowsOf := range []func(*SetReport) []Row{retrievalRows, answerRows, offTopicRows, unanswerableRows, citationRows} {
		for _, s := range r.Sets {
			for _, row := range rowsOf(s) {
				if s.Seen && row.Section != Citations {
					row = row.crossValidated(figures[s.Set])
				}
				r.Rows = append(r.Rows, row)
			}
		}
	}
	r.Rows = append(r.Rows, manualRows(r.Sets)...)
}

// crossValidated compares the target with the cross-validated figure, since the models know the questions. Without such a figure there is
// no verdict.
func (r Row) crossValidated(figures map[string]float64) Row {
	r.Met = nil
	value, known := figures[strings.TrimSuffix(r.Measure, ", reranked")]
	if known && r.Target != nil {
		r.CrossValidated, r.Met = &value, new(value >= *r.Target)
	}
	return r
}

// row is a row without a target.
func (s *SetReport) row(section Section, measure string, service score.Estimate) Row {
	return Row{Section: section, Set: s.Set, Measure: measure, Service: service}
}

// withTextbook adds the same figure of the textbook's ranking.
func (r Row) withTextbook(e score.Estimate) Row {
	r.Textbook = new(e.Value)
	return r
}

// withTarget sets the least value to reach, if there is one.
func (r Row) withTarget(target *float64) Row {
	r.Target = target
	if target != nil && r.Service.N > 0 {
		r.Met = new(r.Service.Value >= *target)
	}
	return r
}

// onlyIf makes the row miss its target if another condition does not hold.
func (r Row) onlyIf(holds bool) Row {
	if r.Met != nil {
		r.Met = new(*r.Met && holds)
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
	line := func(name string, ranking func(*Record) score.Ranking, value func(score.Ranking) float64, target *float64) Row {
		textbook := score.Mean(values(located, func(q *Record) float64 { return value(q.Textbook) }))
		service := score.Mean(values(located, func(q *Record) float64 { return value(ranking(q)) }))
		return s.row(Retrieval, name, service).withTextbook(textbook).withTarget(target)
	}
	atRank := func(k int) func(score.Ranking) float64 {
		return func(x score.Ranking) float64 { return x.HitAt(k) }
	}
	target := targetOf(retrievalTargets(), s.Set)
	return []Row{
		line("hit@1", plain, atRank(1), nil),
		line("hit@5", plain, atRank(5), target),
		line("hit@10", plain, atRank(10), nil),
		line("MRR@10", plain, score.Ranking.Reciprocal, nil),
		line("nDCG@10", plain, func(x score.Ranking) float64 { return x.NDCG }, nil),
		line("recall@10", plain, func(x score.Ranking) float64 { return x.Recall }, nil),
		line("precision@10", plain, func(x score.Ranking) float64 { return x.Precision }, nil),
		line("hit@1, reranked", reranked, atRank(1), nil),
		line("hit@5, reranked", reranked, atRank(5), target),
	}
}

func answerRows(s *SetReport) []Row {
	own := answerable(s)
	share := func(name string, holds func(*Record) bool, target *float64) Row {
		return s.row(Answers, name, score.Share(values(own, holds))).withTarget(target)
	}
	return []Row{
		share("answered", func(q *Record) bool { return q.Answered }, nil),
		share("holds an answer within 45 words", func(q *Record) bool { return q.InWords }, targetOf(wordsTargets(), s.Set)),
		share("within three sentences", func(q *Record) bool { return q.InSentences }, targetOf(sentencesTargets(), s.Set)),
		share("in the whole", func(q *Record) bool { return q.InAll }, nil),
	}
}

// offTopicRows returns two rows for each other set: the share of its questions that a threshold on the confidence would refuse while enough of
// the set's own questions are answered, and the share that the service refuses.
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
		textbook := score.RefusedAt(minPassed, scored, values(foreign, func(a *Ask) float64 { return a.bestScore }))
		calibrated := score.RefusedAt(minPassed, confident, values(foreign, func(a *Ask) float64 { return a.Confidence }))
		refused := score.Share(values(foreign, func(a *Ask) bool { return !a.Answered }))
		rows = append(rows,
			s.row(OffTopic, other+", calibrated", calibrated).withTextbook(textbook).withTarget(new(offTopicTarget)),
			s.row(OffTopic, other+", as it is", refused).withTarget(new(offTopicTarget)).onlyIf(answered >= minPassed))
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
	answered := score.Share(values(own, func(q *Record) bool { return q.Answered }))
	target := targetOf(unanswerableTargets(), s.Set)
	var least *float64
	if target != nil {
		least = new(minAnswered)
	}
	return []Row{
		s.row(Unanswerable, "AUC of the confidence", score.AUC(values(own, confidence), values(without, confidence))).
			withTextbook(score.AUC(values(own, best), values(without, best))).withTarget(target),
		s.row(Unanswerable, "answerable answered", answered).withTarget(least),
		s.row(Unanswerable, "unanswerable refused", score.Share(values(without, func(q *Record) bool { return !q.Answered }))),
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
		s.row(Citations, "excerpts verbatim at their place", score.Share(verbatim)).withTarget(new(citationTarget)),
		s.row(Citations, "markers that name a source", score.Share(resolved)).withTarget(new(citationTarget)),
		s.row(Citations, "answers with a marker", score.Share(marked)).withTarget(new(citationTarget)),
	}
}

// asks are all replies about the documents of the set, to its own questions and to those of other sets.
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

func values[T, V any](list []T, value func(*T) V) []V {
	out := make([]V, len(list))
	for i := range list {
		out[i] = value(&list[i])
	}
	return out
}
