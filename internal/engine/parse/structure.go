package parse

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"docqa/internal/engine/doc"
)

const (
	longQuestion = 300 // bytes: what is longer is no question with an answer of its own
	longCaption  = 250 // bytes
)

var (
	noteWord    = regexp.MustCompile(`(?i)^[\s*_>#]*(?:notes?|tips?|hints?|warnings?|important|cautions?|attention|hinweise?|tipps?|achtung|warnung|wichtig)[\s*_:.!]*$`)
	captionWord = regexp.MustCompile(`^[*_]{0,2}(?:Table|Figure|Fig\.|Listing|Example|Tabelle|Abbildung|Beispiel) \d+(?:[-.]\d+)*(?:[.:]|\s[–—-])`)
	asked       = regexp.MustCompile(`^[*_]{0,2}(?:Q|Question|F|Frage)\s?\d{0,3}\s?[:.)][*_]{0,2}\s+`)
	answered    = regexp.MustCompile(`^[*_]{0,2}(?:A|Answer|Antwort)\s?\d{0,3}\s?[:.)][*_]{0,2}\s+`)
	bothInOne   = regexp.MustCompile(`\s[*_]{0,2}(?:A|Answer|Antwort)\s?\d{0,3}\s?:[*_]{0,2}\s`)
	boldAsked   = regexp.MustCompile(`^(?:\*\*|__)[^*_]+\?(?:\*\*|__)$`)
)

// Structure finds what the words of blocks say of them, in a document of any format: headings that only announce a note,
// titles of tables and listings, and questions with their answers.
func Structure(d *doc.Document) {
	for i := range d.Pages {
		blocks := d.Pages[i].Blocks
		for j := range blocks {
			b := &blocks[j]
			switch {
			case b.Kind == doc.Heading && noteWord.MatchString(b.Text), b.Kind == doc.Paragraph && titles(blocks, j):
				b.Kind, b.Level = doc.Caption, 0
			}
		}
		d.Pages[i].Blocks = questions(blocks, d.Markdown)
	}
}

// titles reports whether block i is the title of the table or listing beside it.
func titles(blocks []doc.Block, i int) bool {
	if len(blocks[i].Text) > longCaption || !captionWord.MatchString(blocks[i].Text) {
		return false
	}
	beside := func(j int) bool {
		return j >= 0 && j < len(blocks) && (blocks[j].Kind == doc.TableHeader || blocks[j].Kind == doc.TableRow || blocks[j].Kind == doc.Code)
	}
	return beside(i+1) || beside(i-1)
}

// questions makes terms of questions that are marked as such, by "Q:" or in bold type, and definitions of what answers them.
func questions(blocks []doc.Block, markdown bool) []doc.Block {
	out := make([]doc.Block, 0, len(blocks))
	open := false
	for _, b := range blocks {
		switch {
		case b.Kind == doc.Paragraph && markdown && len(b.Text) <= longQuestion && boldAsked.MatchString(b.Text):
			b.Kind, b.Level, open = doc.Term, 1, true
		case b.Kind == doc.Paragraph && asked.MatchString(b.Text):
			question, answer := halves(b)
			if len(question.Text) > longQuestion {
				open = false
				break
			}
			if out, b, open = append(out, question), answer, true; answer.Text == "" {
				continue
			}
		case b.Kind == doc.Paragraph && open:
			b = behind(b, answered)
			b.Kind, b.Level = doc.Definition, 1
		case b.Kind == doc.Heading, b.Kind == doc.Term:
			open = false
		}
		out = append(out, b)
	}
	return out
}

// halves cuts a block with a question into the question and the answer, which is empty if another block has it.
func halves(b doc.Block) (question, answer doc.Block) {
	question = behind(b, asked)
	question.Kind, question.Level = doc.Term, 1
	at := bothInOne.FindStringIndex(question.Text)
	if at == nil {
		return question, doc.Block{}
	}
	answer = part(question, at[1], len(question.Text))
	answer.Kind = doc.Definition
	return part(question, 0, at[0]), answer
}

// behind is a block without the label that it begins with.
func behind(b doc.Block, label *regexp.Regexp) doc.Block {
	at := label.FindStringIndex(b.Text)
	if at == nil || at[1] == len(b.Text) {
		return b
	}
	return part(b, at[1], len(b.Text))
}

// part is a block's text from one byte to another.
func part(b doc.Block, from, to int) doc.Block {
	text := strings.TrimRight(b.Text[from:to], " \t\r\n")
	b.Start += utf8.RuneCountInString(b.Text[:from])
	b.End = b.Start + utf8.RuneCountInString(text)
	b.Text = text
	return b
}
