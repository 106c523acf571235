package ranking

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"docqa/eval/dataset"
	"docqa/eval/learn/corpora"
	"docqa/eval/provenance"
	"docqa/eval/score"
	"docqa/internal/engine/rank"
)

// perSide is how many candidates keywords and vectors find each.
const perSide = 40

// Case is a question with the candidates that the service would rerank.
type Case struct {
	Corpus     *corpora.Corpus
	Question   *dataset.Question
	Found      *corpora.Search // in the order of the fused scores
	Candidates []corpora.Candidate
	Features   []rank.Features
	Labels     []float64 // by candidate: 1 if it answers, between 0 and 1 if it does in part
	Group      string    // cases of one group share a document or a conversation
}

// Collect makes a case of each question that names a place. keywords leaves the vectors out.
func Collect(ctx context.Context, l *corpora.Corpora, sets []string, keywords bool) ([]*Case, error) {
	var cases []*Case
	for _, name := range sets {
		c, err := l.Corpus(ctx, name)
		if err != nil {
			return nil, err
		}
		for i := range c.Set.Questions {
			q := &c.Set.Questions[i]
			if len(q.Gold) == 0 || provenance.Unseen(*q) {
				continue
			}
			found, err := Find(ctx, c, q, SearchOptions{Keywords: keywords})
			if err != nil {
				return nil, fmt.Errorf("%s, question %s: %w", name, q.ID, err)
			}
			found.ComputeFeatures()
			cases = append(cases, found)
		}
		_, _ = fmt.Fprintf(l.Progress, "%s: %d questions\n", name, len(c.Set.Questions))
	}
	return cases, nil
}

// SearchOptions change what a search finds.
type SearchOptions struct {
	Keywords bool   // no vectors, even if there are some
	Without  string // a document that is left out; empty = none
}

// Find searches for a question. The case has no features and labels yet.
func Find(ctx context.Context, c *corpora.Corpus, q *dataset.Question, o SearchOptions) (*Case, error) {
	found, err := c.Search(ctx, corpora.Query{Text: q.Text, History: q.History, Candidates: perSide, Keywords: o.Keywords})
	if err != nil {
		return nil, err
	}
	found.Candidates = slices.DeleteFunc(found.Candidates, func(k corpora.Candidate) bool { return k.File == o.Without })
	return &Case{Corpus: c, Question: q, Found: found, Candidates: found.Candidates, Group: group(c, q)}, nil
}

// ComputeFeatures computes the features and labels of the candidates, which is slow.
func (c *Case) ComputeFeatures() {
	c.Features = rank.FeaturesOf(c.Found.Question, c.Found.RankCandidates())
	c.Labels = make([]float64, len(c.Candidates))
	for i := range c.Candidates {
		c.Labels[i] = label(c.Corpus, c.Question, c.Candidates[i].Chunk)
	}
}

// group names the document or the conversation that a question belongs to. Without either it is the set.
func group(c *corpora.Corpus, q *dataset.Question) string {
	if conversation, turn := cutLast(q.ID, "-t"); turn != "" && len(q.History) > 0 {
		return c.Set.Name + "/" + conversation
	}
	if len(q.Gold) == 0 {
		return c.Set.Name
	}
	return c.Set.Name + "/" + q.Gold[0].File
}

func cutLast(s, sep string) (before, after string) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):]
	}
	return s, ""
}

// label returns how far a chunk answers q. It is 1 for a hit. For part of a gold paragraph it is half of the share that lies in it, since
// the service may join the chunk with its neighbour.
func label(c *corpora.Corpus, q *dataset.Question, k *corpora.Chunk) float64 {
	if c.Hit(q, k) {
		return 1
	}
	largest := 0.0
	for i := range q.Gold {
		if g := &q.Gold[i]; g.File == k.File && g.Page == 0 && g.Text != "" {
			largest = max(largest, score.Coverage(k.Text, g.Text))
		}
	}
	if largest < 0.25 {
		return 0
	}
	return largest / 2
}
