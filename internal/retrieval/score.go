package retrieval

import (
	"math"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/rank"
)

// order puts the candidates in their order and keeps those that count.
func order(question *lexical.Question, rows []dbsqlc.ChunkSearchRow, q Query) []Passage {
	candidates := make([]rank.Candidate, len(rows))
	best := 0.0
	for i := range rows {
		r := &rows[i]
		candidates[i] = rank.Candidate{Title: r.Title, HeadingPath: r.HeadingPath, Body: r.Body, BM25: r.Score}
		best = max(best, r.Score)
	}
	share := best / full(question)
	places, ranked := rank.Order(question, candidates)
	passages := make([]Passage, 0, min(len(rows), q.TopK))
	for i, place := range places {
		p := fromRow(&rows[place])
		p.Score = relevance(share * ranked[i])
		if p.Score < q.Threshold {
			break
		}
		if join(passages, &p) {
			continue
		}
		if len(passages) == q.TopK {
			break
		}
		passages = append(passages, p)
	}
	return passages
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

// relevance turns a passage's share of what a passage of average length can have,
// each word of the question once, into the API's score: 0 for nothing in common, 0.82
// for all of it, towards 1 beyond. It falls with the order of the passages.
//
// The level is the question's own, so that a threshold means the same for every
// question; the root keeps good hits of a wordy question, which hold a small part of
// its words, above the default threshold 0.2.
//
// Gap: the range of score; our choice.
func relevance(share float64) float64 {
	if share <= 0 {
		return 0
	}
	return math.Round(math.Sqrt(share/(share+0.5))*1e4) / 1e4
}
