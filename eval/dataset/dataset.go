package dataset

// Set is one collection of documents and the questions about it.
type Set struct {
	Name      string
	Language  string // BCP 47
	Documents []Document
	Passages  []Passage // the paragraphs that the data itself cuts; empty for paged documents
	Questions []Question
	PageSlack int // how many pages behind the named one count too
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

// Question asks something that the documents hold, or do not.
type Question struct {
	ID         string
	Text       string
	History    []string // what the user asked before, oldest first
	Answers    []string // wordings of the answer; with AllAnswers each of them is needed
	AllAnswers bool
	Answerable bool
	Gold       []Gold // where the answer stands; empty when nobody knows
}

// Gold is a place that answers a question: a paragraph, a page, or a whole document.
type Gold struct {
	File string
	Text string // the paragraph; empty for pages and documents
	Page int    // from 1; 0 = no page
}
