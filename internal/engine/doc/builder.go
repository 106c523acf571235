package doc

import "unicode/utf8"

// Builder makes one Page. Its two ways must not be mixed: Add writes text of its
// own, Mark points into a source text that is kept as it is.
type Builder struct {
	page  Page
	text  []byte
	runes int // code points in text, or up to byte at of a marked source
	at    int
}

// NewBuilder returns a builder of page number (0 = no pages) that collects text with Add.
func NewBuilder(number int) *Builder { return &Builder{page: Page{Number: number}} }

// NewSourceBuilder returns a builder whose text is source, for use with Mark.
func NewSourceBuilder(number int, source string) *Builder {
	return &Builder{page: Page{Number: number, Text: source}}
}

// Add appends a block: rows of one table stand on lines of their own, other blocks
// are set apart by an empty line. Empty text adds nothing.
func (b *Builder) Add(kind Kind, level int, text string) {
	if text == "" {
		return
	}
	sep := "\n\n"
	if n := len(b.page.Blocks); n > 0 && sameTable(b.page.Blocks[n-1].Kind, kind) {
		sep = "\n"
	}
	b.separate(sep)
	start := b.runes
	b.text = append(b.text, text...)
	b.runes += utf8.RuneCountInString(text)
	b.page.Blocks = append(b.page.Blocks, Block{Kind: kind, Level: level, Start: start, End: b.runes, Text: text})
}

// Skip appends text that belongs to no block, such as a running head.
func (b *Builder) Skip(text string) {
	if text == "" {
		return
	}
	b.separate("\n\n")
	b.text = append(b.text, text...)
	b.runes += utf8.RuneCountInString(text)
}

func (b *Builder) separate(sep string) {
	if len(b.text) > 0 {
		b.text = append(b.text, sep...)
		b.runes += len(sep)
	}
}

// Mark adds the block that lies in the source from byte start up to byte end. Marks
// must come in order; one that is empty, reaches back or reaches out is dropped.
func (b *Builder) Mark(kind Kind, level, start, end int) {
	if start < b.at || end <= start || end > len(b.page.Text) {
		return
	}
	b.runes += utf8.RuneCountInString(b.page.Text[b.at:start])
	first := b.runes
	b.runes += utf8.RuneCountInString(b.page.Text[start:end])
	b.at = end
	b.page.Blocks = append(b.page.Blocks, Block{Kind: kind, Level: level, Start: first, End: b.runes, Text: b.page.Text[start:end]})
}

// Size is the number of bytes of text so far.
func (b *Builder) Size() int { return max(len(b.text), len(b.page.Text)) }

// Page returns what was built.
func (b *Builder) Page() Page {
	p := b.page
	if b.text != nil {
		p.Text = string(b.text)
	}
	return p
}

// sameTable tells whether a block of kind k goes on with the table of the one before.
func sameTable(before, k Kind) bool {
	return k == TableRow && (before == TableRow || before == TableHeader) || k == TableHeader && before == TableHeader
}
