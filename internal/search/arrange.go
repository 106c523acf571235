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

// arrange puts the candidates in their order and keeps the passages that count.
func (s *Service) arrange(ctx context.Context, f *found, q *Query) Result {
	res := Result{Question: f.question, Mode: f.mode}
	full := full(f.question)
	bm25, cosines := sides(f)
	for i := range f.rows {
		res.Signals.BestLexical = max(res.Signals.BestLexical, f.rows[i].Bm25/full)
		res.Signals.BestCosine = max(res.Signals.BestCosine, f.rows[i].Cosine)
	}
	var fused []float64
	fused, res.Signals.SemanticWeight = fusion.Scores(bm25, cosines)
	passages := make([]Passage, len(f.rows))
	for i, place := range inOrder(fused) {
		p := fromRow(&f.rows[place])
		p.Score, p.fused = f.relevance(&f.rows[place], full), fused[place]
		if f.last != nil {
			p.Sentences = sentvec.Cosines(f.rows[place].Sentences, f.last)
		}
		passages[i] = p
	}
	if f.mode != Semantic || q.Rerank {
		passages = s.byFeatures(f, passages)
	}
	res.Reranked = q.Rerank && len(passages) > 0 && s.rerank(ctx, q, passages)
	res.Passages = keep(passages, q)
	return res
}

// sides are the scores that the mode goes by; nil for a side that has no say.
func sides(f *found) (bm25, cosines []float64) {
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

// inOrder are the places of scores, the highest first.
func inOrder(scores []float64) []int {
	places := make([]int, len(scores))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return places
}

// full is what a passage of average length scores that holds each word of the
// question once.
func full(question *lexical.Question) float64 {
	sum := 0.0
	for _, t := range question.Vector() {
		sum += float64(t.Weight)
	}
	return max(sum, 1e-9)
}

// relevance is a chunk's score by what the search went by, 0 to 1, to four digits.
func (f *found) relevance(r *dbsqlc.ChunkSearchRow, full float64) float64 {
	words, meaning := fusion.Words(r.Bm25/full), fusion.Meaning(r.Cosine)
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

// keep leaves out what scores too little, joins neighbours and takes as many passages as
// were asked for. A passage then shows at least the score of those behind it: the order
// knows more than the score.
func keep(passages []Passage, q *Query) []Passage {
	kept := make([]Passage, 0, min(len(passages), q.TopK))
	for i := range passages {
		p := &passages[i]
		if p.Score < q.Threshold || p.Score <= 0 || join(kept, p) {
			continue
		}
		if len(kept) == q.most() {
			break
		}
		kept = append(kept, *p)
	}
	for i := len(kept) - 2; i >= 0; i-- {
		kept[i].Score = max(kept[i].Score, kept[i+1].Score)
	}
	return kept
}
