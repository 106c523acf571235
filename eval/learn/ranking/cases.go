package ranking

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"docqa/eval/dataset"
	"docqa/eval/learn/lab"
	"docqa/eval/score"
	"docqa/internal/engine/rank"
)

// perSide is how many candidates words and meaning name each.
const perSide = 40

// Case is a question with the candidates that the service would read.
type Case struct {
	Corpus     *lab.Corpus
	Question   *dataset.Question
	Found      *lab.Search // before any order was learned
	Candidates []lab.Candidate
	Features   []rank.Features
	Labels     []float64 // 1 for the candidates that answer, between 0 and 1 for those that do in part
	Group      string    // cases of one group share documents; of questions without a place, those of the set
}

// Collect makes the cases of the sets; words leaves the vectors out.
func Collect(ctx context.Context, l *lab.Lab, sets []string, words bool, progress io.Writer) ([]*Case, error) {
	var cases []*Case
	for _, name := range sets {
		c, err := l.Corpus(ctx, name)
		if err != nil {
			return nil, err
		}
		for i := range c.Set.Questions {
			q := &c.Set.Questions[i]
			if len(q.Gold) == 0 {
				continue
			}
			one, err := newCase(ctx, c, q, words)
			if err != nil {
				return nil, fmt.Errorf("%s, question %s: %w", name, q.ID, err)
			}
			cases = append(cases, one)
		}
		_, _ = fmt.Fprintf(progress, "%s: %d questions\n", name, len(c.Set.Questions))
	}
	return cases, nil
}

func newCase(ctx context.Context, c *lab.Corpus, q *dataset.Question, words bool) (*Case, error) {
	one, err := Find(ctx, c, q, "", words)
	if err == nil {
		one.Read()
	}
	return one, err
}

// Find searches for a question, withheld being a document that is not there for it: a case
// without features and labels.
func Find(ctx context.Context, c *lab.Corpus, q *dataset.Question, withheld string, words bool) (*Case, error) {
	found, err := c.Search(ctx, lab.Query{Text: q.Text, History: q.History, Candidates: perSide, Words: words})
	if err != nil {
		return nil, err
	}
	found.Candidates = slices.DeleteFunc(found.Candidates, func(k lab.Candidate) bool { return k.File == withheld })
	return &Case{Corpus: c, Question: q, Found: found, Candidates: found.Candidates, Group: group(c, q)}, nil
}

// Read reads the candidates, which is slow.
func (c *Case) Read() {
	c.Features = rank.Of(c.Found.Question, c.Found.Ranked())
	c.Labels = make([]float64, len(c.Candidates))
	for i := range c.Candidates {
		c.Labels[i] = label(c.Corpus, c.Question, c.Candidates[i].Chunk)
	}
}

// group names the document or the conversation that a question is about.
func group(c *lab.Corpus, q *dataset.Question) string {
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

// label is how far a chunk answers q: 1 where it is a hit; else how much of it lies in
// the gold paragraph, up to a half, since the service may join it with its neighbour.
func label(c *lab.Corpus, q *dataset.Question, k *lab.Chunk) float64 {
	if c.Hit(q, k) {
		return 1
	}
	most := 0.0
	for i := range q.Gold {
		if g := &q.Gold[i]; g.File == k.File && g.Page == 0 && g.Text != "" {
			most = max(most, score.Coverage(k.Text, g.Text))
		}
	}
	if most < 0.25 {
		return 0
	}
	return most / 2
}
