package rank

import "docqa/internal/engine/sentvec"

// Candidate is a passage that a search found.
type Candidate struct {
	Document    string // passages of one document stand together
	Ordinal     int    // place in the document
	Title       string
	HeadingPath []string
	Context     string // the header of a table that began before the body
	Body        string
	Places      []byte          // of the body's words, by lexical.Indexer.Places; nil: they are looked for
	Lexical     float64         // BM25, 0 or more
	Cosine      float64         // of the question's vector and the passage's; 0 without vectors
	Fused       float64         // of both, 0 to 1
	Sentences   []sentvec.Score // none without vectors
}
