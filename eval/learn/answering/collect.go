package answering

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"docqa/eval/dataset"
	"docqa/eval/learn/corpora"
	"docqa/eval/learn/ranking"
	"docqa/internal/engine/answer"
	"docqa/internal/engine/fusion"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/sentvec"
)

const (
	maxPassages = 4   // of an answer, by a project's default settings
	minScore    = 0.2 // of a passage, by the same
	maxJoined   = 3   // chunks of a passage
	maxGap      = 16  // code points of white space between two chunks of a passage
	offTopicN   = 200 // questions that a set gets from others
)

// kind says how a question relates to the documents of a set.
type kind int

const (
	answerable   kind = iota // they answer it
	unanswerable             // they do not, though it is about them
	offTopic                 // it is about something else
)

// example is a question with the passages that a search found for it.
type example struct {
	set      string
	group    string // the document that it is about, or that was found first
	kind     kind
	question *dataset.Question
	without  string // a document that is left out of its search
	withheld bool   // the passages that answer it are left out of its search
	found    *ranking.Case
	terms    *lexical.Question
	passages []answer.Passage
	hit      []bool // by passage: whether it answers, by the rules of the evaluation
}

// collect searches a set for its own questions and for those of others. keywords leaves the vectors out.
func collect(ctx context.Context, l *corpora.Corpora, name string, keywords bool) ([]example, error) {
	c, err := l.Corpus(ctx, name)
	if err != nil {
		return nil, err
	}
	var list []example
	for i := range c.Set.Questions {
		e := example{set: name, question: &c.Set.Questions[i]}
		if !e.question.Answerable {
			e.kind = unanswerable
		}
		list = append(list, e)
	}
	list = append(list, withheldExamples(c.Set)...)
	list = append(list, offTopicExamples(l, c.Set)...)
	for i := range list {
		e := &list[i]
		if e.found, err = ranking.Find(ctx, c, e.question, ranking.SearchOptions{Keywords: keywords, Without: e.without}); err != nil {
			return nil, fmt.Errorf("search for question %s: %w", e.question.ID, err)
		}
		if e.withheld {
			e.found.Candidates = slices.DeleteFunc(e.found.Candidates, func(k corpora.Candidate) bool { return c.Hit(e.question, k.Chunk) })
			e.found.Found.Candidates = e.found.Candidates
		}
		e.terms, e.group = e.found.Found.Question, name
		if len(e.found.Candidates) > 0 {
			e.group = groupOf(e, e.found.Candidates[0].File)
		}
	}
	inParallel(len(list), func(i int) { list[i].found.ComputeFeatures() })
	return list, nil
}

// groupOf returns the document that a question is about, or else the one that was found.
func groupOf(e *example, found string) string {
	if (e.kind == answerable || e.withheld) && len(e.question.Gold) > 0 {
		return e.set + "/" + e.question.Gold[0].File
	}
	return e.set + "/" + found
}

// setPassages gives each example the passages that the service would answer from: the candidates in the order of a model, with neighbours
// joined. The model was trained on other documents than that of the example.
func setPassages(list []example) {
	var cases []*ranking.Case
	for i := range list {
		if list[i].kind != offTopic && !list[i].withheld {
			cases = append(cases, list[i].found)
		}
	}
	orders := ranking.Cross(cases)
	inParallel(len(list), func(i int) { list[i].setPassages(orders) })
}

func (e *example) setPassages(orders *ranking.Orders) {
	c := e.found
	full := 0.0
	for _, t := range e.terms.Vector() {
		full += float64(t.Weight)
	}
	var runs []run
	for _, place := range orders.Order(c) {
		k := &c.Candidates[place]
		if relevance(k, full, c.Found.Vector != nil) < minScore || join(runs, k) {
			continue
		}
		if len(runs) == maxPassages {
			break
		}
		runs = append(runs, run{k})
	}
	for _, r := range runs {
		e.passages = append(e.passages, r.passage())
		e.hit = append(e.hit, e.kind == answerable && slices.ContainsFunc(r, func(k *corpora.Candidate) bool { return c.Corpus.Hit(e.question, k.Chunk) }))
	}
}

// relevance returns the score that a project's threshold is compared with. full is the highest possible BM25 of the question.
func relevance(k *corpora.Candidate, full float64, vectors bool) float64 {
	keywords := fusion.Words(k.Lexical / max(full, 1e-9))
	if !vectors {
		return keywords
	}
	return fusion.Both(keywords, fusion.Meaning(k.Cosine))
}

// withheldExamples are questions about manuals whose answer is left out of the search: their subject is there, what they ask for is not.
func withheldExamples(set *dataset.Set) []example {
	var list []example
	for i := range set.Questions {
		if q := &set.Questions[i]; q.Manual != nil && q.Answerable {
			list = append(list, example{set: set.Name, kind: unanswerable, question: q, withheld: true})
		}
	}
	return list
}

// offTopicExamples are questions of other sets. If the set has conversations, half of them come in the middle of one. If the set is not in
// English, they are its own questions, searched for without the document that answers them.
func offTopicExamples(l *corpora.Corpora, set *dataset.Set) []example {
	var list []example
	if set.Language != "en" {
		sample := dataset.Sample(set.Questions, offTopicN)
		for i := range sample {
			list = append(list, example{set: set.Name, kind: offTopic, question: &sample[i], without: sample[i].Gold[0].File})
		}
		return list
	}
	for i, q := range l.Foreign(set, offTopicN) {
		if before := &set.Questions[i%len(set.Questions)]; len(before.History) > 0 && i%2 == 0 {
			q.History = before.History
		}
		list = append(list, example{set: set.Name, kind: offTopic, question: &q})
	}
	return list
}

// run is a number of candidates that follow each other.
type run []*corpora.Candidate

// join adds a candidate to the run that it follows or precedes, as the service does, and reports whether there is one.
func join(runs []run, k *corpora.Candidate) bool {
	for i, r := range runs {
		switch {
		case len(r) == maxJoined:
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

func follows(a, b *corpora.Candidate) bool {
	return a.File == b.File && a.Page == b.Page && a.Ordinal+1 == b.Ordinal && b.Start >= a.Start && b.End >= a.End && b.Start <= a.End+maxGap
}

func (r run) passage() answer.Passage {
	first := r[0]
	p := answer.Passage{
		DocumentID: first.File, Title: first.Title, HeadingPath: first.HeadingPath, Context: first.Context, Marks: first.Marks, Ordinal: first.Ordinal,
		Text: first.Text, Lexical: first.Lexical, Cosine: first.Cosine, Sentences: slices.Clone(first.Sentences),
	}
	for i, k := range r[1:] {
		known := utf8.RuneCountInString(p.Text)
		if overlap := r[i].End - k.Start; overlap > 0 {
			p.Text += skip(k.Text, overlap)
		} else {
			p.Text += "\n\n"[:min(2, -overlap)] + k.Text
		}
		p.Marks = p.Marks.Join(k.Marks, len(p.Text)-len(k.Text))
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

// skip returns text without its first n code points.
func skip(text string, n int) string {
	for ; n > 0 && text != ""; n-- {
		_, size := utf8.DecodeRuneInString(text)
		text = text[size:]
	}
	return text
}
