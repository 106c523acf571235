package retrieval

import (
	"context"

	"docqa/internal/engine/rank"
)

// Reranker reads a question and a passage together. Implementations are safe for
// concurrent use and bound their own time.
type Reranker interface {
	// Score says how well each text answers the question, 0 to 1, in the order of texts.
	Score(ctx context.Context, question string, texts []string) ([]float64, error)
}

// rerank puts the passages in the order of what they say.
func (s *Service) rerank(_ context.Context, f *found, _ *Query, passages []Passage) []Passage {
	candidates := make([]rank.Candidate, len(passages))
	for i := range passages {
		p := &passages[i]
		candidates[i] = rank.Candidate{
			Document: p.DocumentID, Ordinal: int(p.Ordinal), Title: p.Title, HeadingPath: p.HeadingPath, Context: p.Context, Body: p.Body,
			Lexical: p.Lexical, Cosine: p.Cosine, Fused: p.fused, Sentences: p.Sentences,
		}
	}
	places, scores := s.ranker.Order(f.question, candidates)
	ordered := make([]Passage, len(passages))
	for i, place := range places {
		ordered[i] = passages[place]
		ordered[i].RerankScore = &scores[i]
	}
	return ordered
}
