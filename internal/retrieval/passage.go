package retrieval

import (
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/lexical"
)

// Query is what is looked for.
type Query struct {
	Text      string
	History   []string // the user's earlier turns, the oldest first; their words count a quarter
	TopK      int      // 1 to 50
	Threshold float64  // passages that score less are left out; 0 to 1
	// Filters name metadata values that a document must have. Documents carry no
	// metadata yet, so that any filter leaves nothing.
	Filters map[string]any
}

// Passage is a chunk that was found, or two neighbours of which both were.
type Passage struct {
	ChunkID     int64
	DocumentID  string
	Title       string // the file name without extension
	Filename    string
	SourceURL   *string // of a crawled page
	Page        *int32  // from 1; nil where the file has no pages
	Ordinal     int32   // place in the document
	Start       int32   // first code point in the page's text, or the document's without pages
	End         int32   // code point after the last
	HeadingPath []string
	Body        string  // verbatim
	BM25        float64 // above 0, without an upper bound
	Score       float64 // relevance, 0 to 1; it falls with the order

	more int // chunks that were joined to the first one
}

func (p *Passage) chunks() int { return 1 + p.more }

// Result is what was found, the best first.
type Result struct {
	Passages []Passage
	Question *lexical.Question // the question in terms; finds its words again in a passage
	Took     time.Duration
}

func fromRow(r *dbsqlc.ChunkSearchRow) Passage {
	return Passage{
		ChunkID: r.ChunkID, DocumentID: r.DocumentID, Title: r.Title, Filename: r.Filename, SourceURL: r.SourceURL,
		Page: r.Page, Ordinal: r.Ordinal, Start: r.StartOffset, End: r.EndOffset, HeadingPath: r.HeadingPath,
		Body: r.Body, BM25: r.Score,
	}
}
