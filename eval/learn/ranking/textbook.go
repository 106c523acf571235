package ranking

import (
	"docqa/eval/learn/corpora"
	"docqa/eval/score"
	"docqa/eval/textbook"
	"docqa/internal/engine/doc"
)

// textbookRanks ranks each case by the textbook's BM25 over paragraphs or pages.
func textbookRanks(cases []*Case) []int {
	var corpus *corpora.Corpus
	var index *textbook.Index
	return ranksBy(cases, func(c *Case) int {
		if c.Corpus != corpus {
			corpus = c.Corpus
			index = textbook.OfSet(corpus.Set, func(name string) []textbook.Unit { return pages(name, corpus.Documents[name]) })
		}
		return score.Rank(c.Question, corpus.Set.PageSlack, index.Search(c.Question.Query(), 10))
	})
}

func pages(name string, text *doc.Document) []textbook.Unit {
	list := make([]textbook.Unit, len(text.Pages))
	for i, page := range text.Pages {
		list[i] = textbook.Unit{File: name, Page: page.Number, Text: page.Text}
	}
	return list
}
