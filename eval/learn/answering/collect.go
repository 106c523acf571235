package answering

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"docqa/eval/dataset"
	"docqa/eval/learn/lab"
	"docqa/eval/learn/ranking"
	"docqa/internal/engine/answer"
	"docqa/internal/engine/fusion"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
)

const (
	passages   = 4   // that an answer is made of by a project's default settings
	relevant   = 0.2 // what they score at least
	mostJoined = 3   // chunks of a passage
	widestGap  = 16  // code points of white space within one
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
	found    *ranking.Case
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
		e := &list[i]
		if e.found, err = ranking.Find(ctx, c, e.question, e.withheld, words); err != nil {
			return nil, fmt.Errorf("search for question %s: %w", e.question.ID, err)
		}
		e.terms, e.group = e.found.Found.Question, name
		if len(e.found.Candidates) > 0 {
			e.group = about(e, e.found.Candidates[0].File)
		}
	}
	each(len(list), func(i int) { list[i].found.Read() })
	return list, nil
}

// about is the document that a question is about.
func about(e *example, found string) string {
	if e.kind == own && len(e.question.Gold) > 0 {
		return e.set + "/" + e.question.Gold[0].File
	}
	return e.set + "/" + found
}

// arrange gives the examples the passages that the service would answer from: candidates
// in the learned order, neighbours joined. Each is put in order by what was learned from
// other documents than its own.
func arrange(list []example) {
	var cases []*ranking.Case
	for i := range list {
		if list[i].kind != foreign {
			cases = append(cases, list[i].found)
		}
	}
	orders := ranking.Cross(cases)
	each(len(list), func(i int) { list[i].arrange(orders) })
}

func (e *example) arrange(orders *ranking.Orders) {
	c := e.found
	full := 0.0
	for _, t := range e.terms.Vector() {
		full += float64(t.Weight)
	}
	var runs []run
	for _, place := range orders.Order(c) {
		k := &c.Candidates[place]
		if relevance(k, full, c.Found.Vector != nil) < relevant || join(runs, k) {
			continue
		}
		if len(runs) == passages {
			break
		}
		runs = append(runs, run{k})
	}
	for _, r := range runs {
		e.passages = append(e.passages, r.passage())
		e.hit = append(e.hit, e.kind == own && slices.ContainsFunc(r, func(k *lab.Candidate) bool { return c.Corpus.Hit(e.question, k.Chunk) }))
	}
}

// relevance is what a project's threshold is compared with; meant says that there are
// vectors.
func relevance(k *lab.Candidate, full float64, meant bool) float64 {
	words := fusion.Words(k.Lexical / max(full, 1e-9))
	if !meant {
		return words
	}
	return fusion.Both(words, fusion.Meaning(k.Cosine))
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

// run is a candidate with neighbours that follow each other.
type run []*lab.Candidate

// join adds a candidate to the passage that it continues or leads up to, as the service
// does, and tells whether there is one.
func join(runs []run, k *lab.Candidate) bool {
	for i, r := range runs {
		switch {
		case len(r) == mostJoined:
		case follows(r[len(r)-1], k):
			runs[i] = append(r, k)
			return true
		case follows(k, r[0]):
			runs[i] = append(run{k}, r...)
			return true
		}
	}
	return false
}

func follows(a, b *lab.Candidate) bool {
	return a.File == b.File && a.Page == b.Page && a.Ordinal+1 == b.Ordinal && b.Start >= a.Start && b.End >= a.End && b.Start <= a.End+widestGap
}

func (r run) passage() answer.Passage {
	first := r[0]
	p := answer.Passage{
		DocumentID: first.File, Title: first.Title, HeadingPath: first.HeadingPath, Context: first.Context, Ordinal: first.Ordinal,
		Text: first.Text, Lexical: first.Lexical, Cosine: first.Cosine, Sentences: slices.Clone(first.Sentences),
	}
	for i, k := range r[1:] {
		known := utf8.RuneCountInString(p.Text)
		if overlap := r[i].End - k.Start; overlap > 0 {
			p.Text += behind(k.Text, overlap)
		} else {
			p.Text += "\n\n"[:min(2, -overlap)] + k.Text
		}
		p.Lexical, p.Cosine = max(p.Lexical, k.Lexical), max(p.Cosine, k.Cosine)
		shift := utf8.RuneCountInString(p.Text) - utf8.RuneCountInString(k.Text) // both end together
		for _, s := range k.Sentences {
			if s.Start+shift >= known {
				p.Sentences = append(p.Sentences, sentvec.Score{Start: s.Start + shift, End: s.End + shift, Cosine: s.Cosine})
			}
		}
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
