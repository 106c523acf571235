package doc

import "strings"

// MaxBlocks is how many blocks a document may have: more of them than any reader's
// document has take memory that its text does not.
const MaxBlocks = 500_000

// Kind says what a block is.
type Kind uint8

// The kinds of block. A table is a TableHeader, where it has one, and the TableRows that
// follow. A Term is followed by its Definition, which may have several blocks.
const (
	Paragraph Kind = iota
	Heading
	ListItem
	TableHeader
	TableRow
	Code
	Term       // the name of an entry, such as an option
	Definition // what is said of the term above
	Caption    // the title of a figure or table
	Footnote
	Note     // a remark set apart from the text: note, tip, warning
	Contents // a line of a table of contents
	kinds    // how many there are
)

// Document is the extracted text of one file.
type Document struct {
	Title string // as the file itself states it; may be empty
	Pages []Page // at least one; a file without pages has a single Page with Number 0
	// Markdown says that the blocks' text contains the inline markup of Markdown.
	Markdown bool
	LeftOut  []LeftOut // text of the file that is in no block, each reason once
}

// Page is one page of a document, or the whole of a document without pages.
type Page struct {
	Number int // from 1; 0 = the document has no pages
	Text   string
	Blocks []Block
}

// Block is a piece of text of one kind.
type Block struct {
	Kind  Kind
	Level int    // depth of a Heading, ListItem, Term or Definition, from 1; otherwise 0
	Start int    // first code point in the page's Text
	End   int    // code point after the last
	Text  string // the page's Text from Start to End
}

// Paged tells whether the document has pages that a citation can name.
func (d *Document) Paged() bool { return len(d.Pages) > 0 && d.Pages[0].Number > 0 }

// BlockCount is the number of blocks of all pages.
func (d *Document) BlockCount() int {
	n := 0
	for i := range d.Pages {
		n += len(d.Pages[i].Blocks)
	}
	return n
}

// languageBytes is how much of a document tells its language.
const languageBytes = 20_000

// Beginning is enough of the text to tell its language.
func (d *Document) Beginning() string {
	var b strings.Builder
	for i := 0; i < len(d.Pages) && b.Len() < languageBytes; i++ {
		b.WriteString(d.Pages[i].Text)
		b.WriteByte('\n')
	}
	return b.String()
}
