package search

import (
	"context"
	"log/slog"
	"time"

	"docqa/internal/engine/rank"
)

const (
	// maxReranked is how many passages the reranking model scores at most: each takes about 30 ms.
	maxReranked = 24
	// rerankTime is how long the model may take for all of them.
	rerankTime = 2 * time.Second
)

// Reranker is a model that reads a question and a passage together. Implementations are
// safe for concurrent use.
type Reranker interface {
	// Score says how well each text answers the question, 0 to 1, in the order of texts.
	Score(ctx context.Context, question string, texts []string) ([]float64, error)
	// Model names the model.
	Model() string
}

// RerankModel returns the name of the reranking model; empty if passages are ordered by their
// features alone.
func (s *Service) RerankModel() string {
	if s.reranker == nil {
		return ""
	}
	return s.reranker.Model()
}

// rerank gives each passage a RerankScore: how well it answers. With a reranking model the
// best passages get its scores and are ordered by them; without one the score is the chance
// that byFeatures gave. It returns false if the model fails; then the order stays and no
// passage has a RerankScore.
func (s *Service) rerank(ctx context.Context, q *Query, passages []Passage) bool {
	if q.Reranking != nil {
		q.Reranking()
	}
	if s.reranker != nil {
		if err := s.rerankByModel(ctx, q, passages[:min(len(passages), maxReranked)]); err != nil {
			s.log.WarnContext(ctx, "the reranking model failed, passages are ordered by their features alone",
				slog.String("model", s.reranker.Model()), slog.Any("error", err))
			return false
		}
	}
	score := 1.0
	for i := range passages { // passages that the model has not scored follow those that it has
		score = min(score, passages[i].chance)
		passages[i].RerankScore = new(score)
	}
	return true
}

// byFeatures orders passages by the learned ranking.
func (s *Service) byFeatures(f *found, passages []Passage) []Passage {
	candidates := make([]rank.Candidate, len(passages))
	for i := range passages {
		p := &passages[i]
		candidates[i] = rank.Candidate{
			Document: p.DocumentID, Ordinal: int(p.Ordinal), Title: p.Title, HeadingPath: p.HeadingPath, Context: p.Context, Body: p.Body, Places: p.stems,
			Lexical: p.Lexical, Cosine: p.Cosine, Fused: p.fused, Sentences: p.Sentences,
		}
	}
	places, chances := s.ranker.Order(f.question, candidates)
	ordered := make([]Passage, len(passages))
	for i, place := range places {
		ordered[i] = passages[place]
		ordered[i].chance = chances[i]
	}
	return ordered
}

// rerankByModel orders passages by the reranking model's scores.
func (s *Service) rerankByModel(ctx context.Context, q *Query, passages []Passage) error {
	ctx, cancel := context.WithTimeout(ctx, rerankTime)
	defer cancel()
	texts := make([]string, len(passages))
	for i := range passages {
		p := &passages[i]
		texts[i] = ChunkText(p.Title, p.HeadingPath, p.Context, p.Body)
	}
	scores, err := s.reranker.Score(ctx, turns(q), texts)
	if err != nil {
		return err
	}
	ordered := make([]Passage, len(passages))
	for i, place := range descending(scores) {
		ordered[i] = passages[place]
		ordered[i].chance = scores[place]
	}
	copy(passages, ordered)
	return nil
}
