package ranking

import (
	"strings"

	"docqa/eval/learn/lab"
	"docqa/eval/score"
	"docqa/eval/textbook"
)

// textbookRanks ranks each case by text-book BM25 over paragraphs or pages.
func textbookRanks(cases []*Case) []int {
	var of *lab.Corpus
	var book *textbook.Index
	return each(cases, func(c *Case) int {
		if c.Corpus != of {
			of, book = c.Corpus, textbook.New(units(c.Corpus), c.Corpus.Set.Language)
		}
		query := strings.Join(append([]string{c.Question.Text}, c.Question.History...), "\n")
		return score.Rank(c.Question, c.Corpus.Set.PageSlack, book.Search(query, 10))
	})
}

// units are the data's own paragraphs, or the pages.
func units(c *lab.Corpus) []textbook.Unit {
	var list []textbook.Unit
	for _, p := range c.Set.Passages {
		list = append(list, textbook.Unit{File: p.File, Text: p.Text})
	}
	if len(list) > 0 {
		return list
	}
	for i := range c.Set.Documents {
		name := c.Set.Documents[i].Name
		for _, page := range c.Documents[name].Pages {
			list = append(list, textbook.Unit{File: name, Page: page.Number, Text: page.Text})
		}
	}
	return list
}
