package dataset

import (
	"strings"

	"docqa/eval/manuals"
)

// Set is one collection of documents and the questions about it.
type Set struct {
	Name      string
	Language  string // BCP 47
	Documents []Document
	Passages  []Passage // the paragraphs of the data; empty for paged documents
	Questions []Question
	PageSlack int // how many pages after the named one also count
}

// Document is a file to upload.
type Document struct {
	Name string // unique in the set, without folders
	Data []byte
}

// Passage is a paragraph of a document.
type Passage struct {
	ID   string
	File string // the document's Name
	Text string
}

// Question is a question about the documents of a set.
type Question struct {
	ID         string
	Text       string
	History    []string // the user's earlier questions, oldest first
	Answers    []string // wordings of the answer; with AllAnswers all of them are needed
	AllAnswers bool
	Answerable bool
	Gold       []Gold            // where the answer is; empty if the data does not say
	Manual     *manuals.Question // what else is known of a question about manuals; else nil
}

// Query is the question followed by the earlier questions, each on a line.
func (q *Question) Query() string {
	return strings.Join(append([]string{q.Text}, q.History...), "\n")
}

// Gold is a place that answers a question: a paragraph, a page or a whole document.
type Gold struct {
	File string
	Text string // the paragraph; empty for pages and documents
	Page int    // from 1; 0 = no page
}
