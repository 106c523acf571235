package chunk

// Chunk is one piece of a document.
type Chunk struct {
	Ordinal     int      // from 0, in reading order
	Page        int      // from 1; 0 = the document has no pages
	Start       int      // first code point in the text of the page, or of the document without pages
	End         int      // code point after the last
	Title       string   // of the document, as it stands before the passage in the index
	HeadingPath []string // the headings above the passage, outermost first; never nil
	Context     string   // the header of a table that began in an earlier chunk; searched, not shown
	Text        string   // verbatim
	Lead        string   // the page's text between the chunk before and this one, where that is no longer than longestLead
}

// Options are the sizes of a chunk. The zero value means 180 words with 40 overlap.
type Options struct {
	Words      int // aimed at; a table or a long sentence may bring it to 1.5 times that
	Characters int // in place of Words: the most that a chunk holds; two thirds of it are aimed at
	Overlap    int // words, or characters, repeated from the chunk before, within a section; at most half of the size
}
