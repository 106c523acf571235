package answer

import (
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
)

// Passage is a passage that may hold the answer. The first is [1].
type Passage struct {
	DocumentID  string
	Title       string
	HeadingPath []string
	Context     string // what its first block needs and stands above it, see chunk.Chunk; searched, not shown
	Ordinal     int    // place in the document
	Text        string
	Marks       doc.Marks       // the blocks of Text
	Lexical     float64         // BM25, without an upper bound
	Cosine      float64         // with the question; 0 without vectors
	Sentences   []sentvec.Score // nil without vectors
}

// Answer is what was composed.
type Answer struct {
	Text       string // with [n] markers; empty if Answered is false
	Answered   bool
	Confidence float64    // the chance that the passages answer the question, 0 to 1
	Level      string     // high, medium, low or none
	Citations  []Citation // in the order of Text
}

// Citation says what a statement of an answer quotes. All places are in bytes.
type Citation struct {
	Begin      int // first byte of the statement in the answer's text
	End        int // byte after its last, its marker and its full stop included
	Passage    int // index of its passage
	QuoteBegin int // first byte of what is quoted in the passage's text
	QuoteEnd   int // byte after its last
}

// Options bound an answer. A zero value means the default in brackets.
type Options struct {
	Sentences int      // maximum number of sentences [3]
	Words     int      // maximum number of words; the first sentence may be longer [130]
	Aim       int      // the answer should stand within so many words [45]
	Passages  int      // number of passages that are read [8]
	Threshold *float64 // below this confidence there is no answer [nil: the composer's own]

	// Number returns the number that a marker shows for the passage with this index [index + 1].
	Number func(passage int) int
}

func (o Options) withDefaults(threshold float64) Options {
	if o.Sentences <= 0 {
		o.Sentences = 3
	}
	if o.Words <= 0 {
		o.Words = 130
	}
	if o.Aim <= 0 {
		o.Aim = 45
	}
	if o.Passages <= 0 {
		o.Passages = 8
	}
	if o.Threshold == nil {
		o.Threshold = &threshold
	}
	if o.Number == nil {
		o.Number = func(passage int) int { return passage + 1 }
	}
	return o
}

// Compose answers question from passages, the best first. q holds the terms of question.
func (c *Composer) Compose(question string, q *lexical.Question, passages []Passage, o Options) Answer {
	r := c.read(question, q, passages, o)
	a := Answer{Level: "none", Confidence: r.confidence}
	o = o.withDefaults(r.models.Threshold)
	if r.confidence < *o.Threshold || len(r.chosen) == 0 {
		return a
	}
	a.Answered, a.Level = true, level(r.confidence)
	r.asked.showAddresses(passages, r.chosen)
	a.Text, a.Citations = write(r.chosen, o.Number)
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
