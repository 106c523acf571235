package answer

import (
	"slices"

	"docqa/internal/engine/lexical"
)

// Passage is a passage that may hold the answer. The first is [1].
type Passage struct {
	DocumentID  string
	Title       string
	HeadingPath []string
	Ordinal     int // place in the document
	Text        string
}

// Answer is what was composed.
type Answer struct {
	Text       string // with [n] markers; empty where Answered is false
	Answered   bool
	Confidence float64 // the chance that the passages answer the question, 0 to 1
	Level      string  // high, medium, low or none
	FollowUps  []string
	Sources    []int // places of the passages that Text names, in its order
}

// Options bound an answer. Zero values stand for the defaults in brackets.
type Options struct {
	Sentences int     // at most [3]
	Words     int     // aimed at: a second sentence must fit in [45]
	Passages  int     // that are read [8]
	Threshold float64 // confidence below which there is no answer [see Threshold]
}

func (o Options) withDefaults() Options {
	if o.Sentences <= 0 {
		o.Sentences = 3
	}
	if o.Words <= 0 {
		o.Words = 45
	}
	if o.Passages <= 0 {
		o.Passages = 8
	}
	if o.Threshold <= 0 {
		o.Threshold = Threshold
	}
	return o
}

// Compose answers question, which q holds in terms, from passages, the best first.
func Compose(question string, q *lexical.Question, passages []Passage, o Options) Answer {
	o = o.withDefaults()
	read := passages[:min(len(passages), o.Passages)]
	asked := newInquiry(question, q)
	statements := asked.judge(read)
	a := Answer{Level: "none", FollowUps: []string{}, Sources: []int{}}
	a.Confidence = asked.confidence(read, statements)
	quotable := slices.DeleteFunc(statements, func(s quotation) bool { return s.asks })
	if a.Confidence < o.Threshold || len(quotable) == 0 {
		return a
	}
	a.Answered, a.Level = true, level(a.Confidence)
	chosen := choose(quotable, o)
	a.Text, a.Sources = write(chosen)
	a.FollowUps = asked.followUps(passages, chosen)
	return a
}

// level names a confidence at or above the threshold.
func level(confidence float64) string {
	switch {
	case confidence >= 0.75:
		return "high"
	case confidence >= 0.5:
		return "medium"
	default:
		return "low"
	}
}
