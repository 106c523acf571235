package corpora

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"docqa/internal/engine/fusion"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/rank"
	"docqa/internal/engine/reference"
	"docqa/internal/engine/sentvec"
)

// Query says what to search for.
type Query struct {
	Text       string
	History    []string // the user's earlier questions, the oldest first
	Answer     string   // the answer to the last of them
	Candidates int      // of keywords and of vectors each
	Keywords   bool     // no vectors, even if there are some
}

// Candidate is a chunk that a search found.
type Candidate struct {
	*Chunk

	Lexical   float64         // BM25; 0 if no word is in common
	Cosine    float64         // with the question and its history
	Fused     float64         // half of each, normalised over the candidates, from 0 to 1
	Sentences []sentvec.Score // nil = keyword search only
}

// Search is a question with its candidates, in the order of their fused scores.
type Search struct {
	Text       string // the question without spelling mistakes
	Question   *lexical.Question
	Vector     []float32 // of the question and its history; nil = keyword search only
	Last       []float32 // of the current question only
	Candidates []Candidate
}

// Search finds the best chunks by keywords and by vectors.
func (c *Corpus) Search(ctx context.Context, q Query) (*Search, error) {
	whole := reference.Resolve(q.Text, q.History, q.Answer)
	q.Text, q.History = whole.Text, whole.Earlier
	s := &Search{Text: q.Text, Question: c.Stats.Question(q.Text, q.History...)}
	if text := c.respell(s); text != q.Text {
		q.Text, s.Text, s.Question = text, text, c.Stats.Question(text, q.History...)
	}
	words := make([]float64, len(c.Chunks))
	for _, t := range s.Question.Vector() {
		for _, p := range c.postings[t.Index] {
			words[p.chunk] += float64(t.Weight) * float64(p.weight)
		}
	}
	found := best(words, q.Candidates)
	found = slices.DeleteFunc(found, func(i int) bool { return words[i] < 1e-3 })
	cosines := make([]float64, len(c.Chunks))
	if c.vectors != nil && !q.Keywords {
		if err := c.embedQuery(ctx, s, q); err != nil {
			return nil, err
		}
		for i, k := range c.Chunks {
			cosines[i] = dot(s.Vector, k.Vector)
		}
		for _, i := range best(cosines, q.Candidates) {
			if !slices.Contains(found, i) {
				found = append(found, i)
			}
		}
	}
	for _, i := range found {
		s.Candidates = append(s.Candidates, Candidate{Chunk: c.Chunks[i], Lexical: words[i], Cosine: cosines[i], Sentences: sentvec.Cosines(c.Chunks[i].Sentences, s.Last)})
	}
	s.fuse()
	return s, nil
}

// respell corrects the words of the question that no chunk holds, as the service does.
func (c *Corpus) respell(s *Search) string {
	var unseen []lexical.Suspect
	for _, p := range s.Question.Suspects(s.Text) {
		known := func(t lexical.Term) bool { return len(c.postings[t.Index]) > 0 }
		if !slices.ContainsFunc(c.Stats.Question(s.Text[p.Start:p.End]).Vector(), known) {
			unseen = append(unseen, p)
		}
	}
	if len(unseen) == 0 {
		return s.Text
	}
	if c.lexicon == nil {
		c.lexicon = lexical.NewLexicon()
		for _, k := range c.Chunks {
			for _, text := range append([]string{k.Title, k.Context, k.Text}, k.HeadingPath...) {
				c.lexicon.Add(text)
			}
		}
	}
	return lexical.Respell(s.Text, unseen, c.lexicon)
}

// RankCandidates returns the candidates in the form that package rank takes.
func (s *Search) RankCandidates() []rank.Candidate {
	list := make([]rank.Candidate, len(s.Candidates))
	for i := range s.Candidates {
		k := &s.Candidates[i]
		list[i] = rank.Candidate{
			Document: k.File, Ordinal: k.Ordinal, Title: k.Title, HeadingPath: k.HeadingPath, Context: k.Context, Body: k.Text,
			Lexical: k.Lexical, Cosine: k.Cosine, Fused: k.Fused, Sentences: k.Sentences,
		}
	}
	return list
}

// embedQuery computes the vector of a question: the mean of the vector of the current question and that of all questions together.
func (c *Corpus) embedQuery(ctx context.Context, s *Search, q Query) error {
	asked, _ := lexical.Focus(q.Text)
	turns := append([]string{q.Text}, q.History...)
	slices.Reverse(turns[1:])
	texts := []string{asked, strings.Join(turns, "\n")}
	made, err := c.vectors.get(ctx, texts)
	if err != nil {
		return err
	}
	s.Last, s.Vector = made[0], mean(made[0], made[len(made)-1])
	return nil
}

// fuse orders the candidates as the service does before it reranks them.
func (s *Search) fuse() {
	var words, cosines []float64
	for i := range s.Candidates {
		words, cosines = append(words, s.Candidates[i].Lexical), append(cosines, s.Candidates[i].Cosine)
	}
	if s.Vector == nil {
		cosines = nil
	}
	scores, _ := fusion.Scores(words, cosines)
	for i := range s.Candidates {
		s.Candidates[i].Fused = scores[i]
	}
	slices.SortStableFunc(s.Candidates, func(a, b Candidate) int { return cmp.Compare(b.Fused, a.Fused) })
}

// best returns the indexes of the n highest scores, the highest first.
func best(scores []float64, n int) []int {
	places := make([]int, len(scores))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return places[:min(n, len(places))]
}

func dot(a, b []float32) float64 {
	var sum float32
	for i, x := range a {
		sum += x * b[i]
	}
	return float64(sum)
}

func mean(a, b []float32) []float32 {
	out := make([]float32, len(a))
	for i := range a {
		out[i] = (a[i] + b[i]) / 2
	}
	return out
}
