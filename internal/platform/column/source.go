package column

import "slices"

// Span is a range of Unicode code points, End exclusive.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Source is a passage that an answer cites, as it is stored with the message.
//
// Source: main API section 2 (Citation source); docs/decisions.md#sources.
type Source struct {
	Index         int     `json:"index"` // the n of a [n] marker in the answer
	DocumentID    string  `json:"documentId"`
	DocumentTitle string  `json:"documentTitle"`
	Location      string  `json:"location"` // file name
	Excerpt       string  `json:"excerpt"`  // verbatim in the document's extracted text
	ExcerptSpan   Span    `json:"excerptSpan"`
	PageNumber    *int    `json:"pageNumber,omitempty"`
	SourceURL     *string `json:"sourceUrl,omitempty"`
	Score         float64 `json:"score"`              // relevance, 0 to 1
	Spans         []Span  `json:"spans"`              // the statements of the answer that rest on it
	Quotes        []Span  `json:"quotes,omitempty"`   // the statements that the answer quotes, as places in the excerpt, in the order of the answer
	ChunkIDs      []int64 `json:"chunkIds,omitempty"` // the chunks of the passage; never shown
	Deleted       bool    `json:"deleted,omitempty"`  // the document was deleted: its name, location and excerpt are empty
}

// Quoted returns the statements that the answer quotes.
func (s *Source) Quoted() []string {
	out := make([]string, 0, len(s.Quotes))
	excerpt := []rune(s.Excerpt)
	for _, q := range s.Quotes {
		out = append(out, string(excerpt[q.Start:q.End]))
	}
	return out
}

// Sources is the list of a message's sources; never null.
type Sources []Source

// Redacted returns the sources without the content of documents that are not in stay. The
// database function sources_redacted does the same to stored sources.
func (s Sources) Redacted(stay []string) Sources {
	out := slices.Clone(s)
	for i := range out {
		if d := &out[i]; !slices.Contains(stay, d.DocumentID) {
			out[i] = Source{Index: d.Index, DocumentID: d.DocumentID, Score: d.Score, Spans: d.Spans, Deleted: true}
		}
	}
	return out
}

// Documents lists the documents of the sources, each once, in the order of their ids.
func (s Sources) Documents() []string {
	out := make([]string, len(s))
	for i := range s {
		out[i] = s[i].DocumentID
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Strings is a flat object of strings.
type Strings map[string]string
