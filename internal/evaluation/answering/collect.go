package answering

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/lexical"
	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/lab"
)

const (
	candidates = 32 // of each side, as the service takes them
	passages   = 4  // that an answer is made of by a project's default settings
	mostJoined = 3
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
	withheld string // a document that is not there for it
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
	list = append(list, strange(l, c.Set)...)
	for i := range list {
		if err := list[i].search(ctx, c, words); err != nil {
			return nil, fmt.Errorf("search for question %s: %w", list[i].question.ID, err)
		}
	}
	return list, nil
}

// strange are questions that the set's documents do not answer: those of other sets, half
// of them in the middle of a conversation where the set has such; in a language that no
// other set has, the set's own, whose document is then withheld.
func strange(l *lab.Lab, set *dataset.Set) []example {
	var list []example
	if set.Language != "en" {
		for i := range dataset.Sample(set.Questions, strangers) {
			q := &dataset.Sample(set.Questions, strangers)[i]
			list = append(list, example{set: set.Name, kind: foreign, question: q, withheld: q.Gold[0].File})
		}
		return list
	}
	for i, q := range l.Foreign(set, strangers) {
		if before := &set.Questions[i%len(set.Questions)]; len(before.History) > 0 && i%2 == 0 {
			q.History = before.History
		}
		list = append(list, example{set: set.Name, kind: foreign, question: &q})
	}
	return list
}

func (e *example) search(ctx context.Context, c *lab.Corpus, words bool) error {
	found, err := c.Search(ctx, lab.Query{Text: e.question.Text, History: e.question.History, Candidates: candidates, Words: words})
	if err != nil {
		return err
	}
	e.terms = found.Question
	var runs []run
	for i := range found.Candidates {
		if k := &found.Candidates[i]; k.File != e.withheld {
			runs = join(runs, k)
		}
	}
	if len(runs) > 0 {
		e.group = name(e, runs[0][0].File)
	}
	for _, r := range runs {
		e.passages = append(e.passages, r.passage())
		e.hit = append(e.hit, e.kind == own && slices.ContainsFunc(r, func(k *lab.Candidate) bool { return c.Hit(e.question, k.Chunk) }))
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

// run is a candidate with neighbours that follow each other.
type run []*lab.Candidate

// join adds a candidate as the service does: to its neighbour, or as the next passage.
func join(runs []run, k *lab.Candidate) []run {
	for i, r := range runs {
		switch {
		case len(r) == mostJoined:
		case follows(r[len(r)-1], k):
			runs[i] = append(r, k)
			return runs
		case follows(k, r[0]):
			runs[i] = append(run{k}, r...)
			return runs
		}
	}
	if len(runs) == passages {
		return runs
	}
	return append(runs, run{k})
}

func follows(a, b *lab.Candidate) bool {
	return a.File == b.File && a.Page == b.Page && a.Ordinal+1 == b.Ordinal && b.Start >= a.Start && b.End >= a.End && b.Start <= a.End+16
}

func (r run) passage() answer.Passage {
	first := r[0]
	p := answer.Passage{
		DocumentID: first.File, Title: first.Title, HeadingPath: first.HeadingPath, Context: first.Context, Ordinal: first.Ordinal, Text: first.Text,
	}
	end := first.End
	for i, k := range r {
		p.Lexical, p.Cosine = max(p.Lexical, k.Lexical), max(p.Cosine, k.Cosine)
		for _, s := range k.Sentences {
			s.Start, s.End = s.Start+k.Start-first.Start, s.End+k.Start-first.Start
			p.Sentences = append(p.Sentences, s)
		}
		if i == 0 {
			continue
		}
		if overlap := end - k.Start; overlap > 0 {
			p.Text += behind(k.Text, overlap)
		} else {
			p.Text += "\n\n"[:min(2, -overlap)] + k.Text
		}
		end = k.End
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
