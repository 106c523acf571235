package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/fusion"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
)

// arrange orders the candidates and selects the passages.
func (s *Service) arrange(ctx context.Context, f *found, q *Query) Result {
	res := Result{Question: f.question, Mode: f.mode}
	reference := referenceScore(f.question)
	bm25, cosines := modeScores(f)
	for i := range f.rows {
		res.Signals.BestLexical = max(res.Signals.BestLexical, f.rows[i].Bm25/reference)
		res.Signals.BestCosine = max(res.Signals.BestCosine, f.rows[i].Cosine)
	}
	var fused []float64
	fused, res.Signals.SemanticWeight = fusion.Scores(bm25, cosines)
	passages := make([]Passage, len(f.rows))
	for i, place := range descending(fused) {
		p := fromRow(&f.rows[place])
		p.Score, p.fused = f.relevance(&f.rows[place], reference), fused[place]
		if f.last != nil {
			p.Sentences = sentvec.Cosines(f.rows[place].Sentences, f.last)
		}
		passages[i] = p
	}
	if f.mode != Semantic || q.Rerank {
		passages = s.byFeatures(f, passages)
	}
	res.Reranked = q.Rerank && len(passages) > 0 && s.rerank(ctx, q, passages)
	res.Passages = selectPassages(passages, q)
	return res
}

// modeScores returns the scores that the mode uses; nil for a side that it does not use.
func modeScores(f *found) (bm25, cosines []float64) {
	for i := range f.rows {
		if f.mode != Semantic {
			bm25 = append(bm25, f.rows[i].Bm25)
		}
		if f.mode != Keyword {
			cosines = append(cosines, f.rows[i].Cosine)
		}
	}
	return bm25, cosines
}

// descending returns the indexes of scores, the highest score first.
func descending(scores []float64) []int {
	places := make([]int, len(scores))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return places
}

// referenceScore is the BM25 score of a passage of average length that holds each word of the
// question once.
func referenceScore(question *lexical.Question) float64 {
	sum := 0.0
	for _, t := range question.Vector() {
		sum += float64(t.Weight)
	}
	return max(sum, 1e-9)
}

// relevance returns a chunk's score from the scores that the mode uses: 0 to 1, rounded to four
// digits.
func (f *found) relevance(r *dbsqlc.ChunkSearchRow, reference float64) float64 {
	words, meaning := fusion.Words(r.Bm25/reference), fusion.Meaning(r.Cosine)
	score := words
	switch f.mode {
	case Semantic:
		score = meaning
	case Hybrid:
		score = fusion.Both(words, meaning)
	case Keyword:
	}
	return math.Round(score*1e4) / 1e4
}

// selectPassages leaves out passages below the threshold, joins neighbours and returns as many
// as were asked for. A passage gets at least the score of those after it: the learned order is
// more reliable than the score.
func selectPassages(passages []Passage, q *Query) []Passage {
	selected := make([]Passage, 0, min(len(passages), q.TopK))
	for i := range passages {
		p := &passages[i]
		if p.Score < q.Threshold || p.Score <= 0 || join(selected, p) {
			continue
		}
		if len(selected) == q.limit() {
			break
		}
		selected = append(selected, *p)
	}
	for i := len(selected) - 2; i >= 0; i-- {
		selected[i].Score = max(selected[i].Score, selected[i+1].Score)
	}
	return selected
}
