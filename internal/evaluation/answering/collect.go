package answering

import (
	"context"
	"fmt"
	"unicode/utf8"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/lab"
)

const (
	candidates = 32 // of each side, as the service takes them
	passages   = 8  // that an answer is made of
	strangers  = 200
)

// kind is what a question is to a set.
type kind int

const (
	own     kind = iota // its documents answer it
	lacking             // they do not, though it is about them
	foreign             // it is about something else
)

// example is a question with what the search found for it.
type example struct {
	set      string
	group    string // the document that it is about, or seems to be
	kind     kind
	question *dataset.Question
	terms    *lexical.Question
	passages []answer.Passage
	hit      []bool // which passages hold the answer, as retrieval is judged
}

// collect asks a set its own questions and those of others.
func collect(ctx context.Context, l *lab.Lab, name string, words bool) ([]example, error) {
	c, err := l.Corpus(ctx, name)
	if err != nil {
		return nil, err
	}
	var list []example
	for i := range c.Set.Questions {
		e := example{set: name, question: &c.Set.Questions[i]}
		if !e.question.Answerable {
			e.kind = lacking
		}
		list = append(list, e)
	}
	for _, q := range l.Foreign(c.Set, strangers) {
		list = append(list, example{set: name, kind: foreign, question: &q})
	}
	for i := range list {
		if err := list[i].search(ctx, c, words); err != nil {
			return nil, fmt.Errorf("search for question %s: %w", list[i].question.ID, err)
		}
	}
	return list, nil
}

func (e *example) search(ctx context.Context, c *lab.Corpus, words bool) error {
	found, err := c.Search(ctx, lab.Query{Text: e.question.Text, History: e.question.History, Candidates: candidates, Words: words})
	if err != nil {
		return err
	}
	e.terms = found.Question
	var runs []joined
	for i := range found.Candidates {
		runs = join(runs, &found.Candidates[i])
	}
	if len(runs) > 0 {
		e.group = name(e, runs[0].first.File)
	}
	for i := range runs {
		p := runs[i].passage()
		e.passages = append(e.passages, p)
		hit := c.Hit(e.question, runs[i].first.Chunk)
		if runs[i].second != nil {
			hit = hit || c.Hit(e.question, runs[i].second.Chunk)
		}
		e.hit = append(e.hit, hit && e.kind == own)
	}
	return nil
}

// name is the document that a question is about.
func name(e *example, found string) string {
	if e.kind == own && len(e.question.Gold) > 0 {
		return e.set + "/" + e.question.Gold[0].File
	}
	return e.set + "/" + found
}

// joined is one candidate, or two that follow each other.
type joined struct{ first, second *lab.Candidate }

// join adds a candidate as the service does: to its neighbour, or as the next passage.
func join(runs []joined, k *lab.Candidate) []joined {
	for i, r := range runs {
		switch {
		case r.second != nil:
		case follows(r.first, k):
			runs[i].second = k
			return runs
		case follows(k, r.first):
			runs[i].first, runs[i].second = k, r.first
			return runs
		}
	}
	if len(runs) == passages {
		return runs
	}
	return append(runs, joined{first: k})
}

func follows(a, b *lab.Candidate) bool {
	return a.File == b.File && a.Page == b.Page && a.Ordinal+1 == b.Ordinal && b.Start >= a.Start && b.End >= a.End && b.Start <= a.End+8
}

func (r joined) passage() answer.Passage {
	p := answer.Passage{
		DocumentID: r.first.File, Title: r.first.Title, HeadingPath: r.first.HeadingPath, Context: r.first.Context, Ordinal: r.first.Ordinal,
		Text: r.first.Text, Score: r.first.Fused, Lexical: r.first.Lexical, Cosine: r.first.Cosine, Sentences: r.first.Sentences,
	}
	if r.second == nil {
		return p
	}
	p.Score, p.Lexical, p.Cosine = max(p.Score, r.second.Fused), max(p.Lexical, r.second.Lexical), max(p.Cosine, r.second.Cosine)
	shift := r.second.Start - r.first.Start
	if overlap := r.first.End - r.second.Start; overlap > 0 {
		p.Text += behind(r.second.Text, overlap)
	} else {
		p.Text += "\n\n"[:min(2, -overlap)] + r.second.Text
	}
	p.Sentences = append([]sentvec.Score(nil), p.Sentences...)
	for _, s := range r.second.Sentences {
		s.Start, s.End = s.Start+shift, s.End+shift
		p.Sentences = append(p.Sentences, s)
	}
	return p
}

// behind is text without its first n code points.
func behind(text string, n int) string {
	for ; n > 0 && text != ""; n-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}
