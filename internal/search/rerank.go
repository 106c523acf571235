package search

import (
	"context"
	"log/slog"
	"time"

	"docqa/internal/engine/rank"
)

const (
	// judged is how many passages a model judges at most: each takes it some 30 ms.
	judged = 24
	// judgeTime is how long it may take for all of them.
	judgeTime = 2 * time.Second
)

// Reranker is a model that reads a question and a passage together. Implementations are
// safe for concurrent use.
type Reranker interface {
	// Score says how well each text answers the question, 0 to 1, in the order of texts.
	Score(ctx context.Context, question string, texts []string) ([]float64, error)
	// Model names the model.
	Model() string
}

// RerankModel names the model that reranks; empty where passages are put in order by
// their features alone.
func (s *Service) RerankModel() string {
	if s.reranker == nil {
		return ""
	}
	return s.reranker.Model()
}

// rerank says how well each passage answers, by the features that the order is made of or
// by the model that reads the best of them for it, and then orders them anew. It tells
// whether it could: where the model fails, nothing is said and the order stays.
func (s *Service) rerank(ctx context.Context, q *Query, passages []Passage) bool {
	if q.Reranking != nil {
		q.Reranking()
	}
	if s.reranker != nil {
		if err := s.judge(ctx, q, passages[:min(len(passages), judged)]); err != nil {
			s.log.WarnContext(ctx, "the passages were not judged by the reranking model, their features alone decide",
				slog.String("model", s.reranker.Model()), slog.Any("error", err))
			return false
		}
	}
	least := 1.0
	for i := range passages { // what the model has not judged is behind what it has
		least = min(least, passages[i].chance)
		passages[i].RerankScore = new(least)
	}
	return true
}

// byFeatures is the order that was learned from the passages' features.
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

// judge puts passages in the order in which the model finds that they answer.
func (s *Service) judge(ctx context.Context, q *Query, passages []Passage) error {
	ctx, cancel := context.WithTimeout(ctx, judgeTime)
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
	for i, place := range inOrder(scores) {
		ordered[i] = passages[place]
		ordered[i].chance = scores[place]
	}
	copy(passages, ordered)
	return nil
}
