package grounded

import (
	"errors"
	"strings"
	"unicode/utf8"

	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/grounded/unwrap"
)

const answerBytes = 64 << 10 // longest text of a model that is read

// filter makes an answer of a reply while it comes, and hands it on.
type filter struct {
	request *llm.Request
	known   *known
	emit    func(string) error
	unwrap  unwrap.Reader
	lexer   lexer
	leak    leak

	read  int    // bytes that came
	cut   string // the first bytes of a character whose last ones have not come
	tail  string // a word with the full stop behind it, which a marker may go in front of
	space string // white space that is not yet written
	skip  bool   // white space that follows is dropped
	glued bool   // a marker was dropped between what stood before and what follows
	fresh bool   // only marks of lists and markers stand on the line

	held     []item          // what is not handed on before it is clear that this is an answer
	sentence strings.Builder // of held, the last one, without markers
	cited    bool            // a marker stands in it
	declined bool            // a sentence says that the passages hold no answer
	said     bool            // a sentence says something else
	released bool            // this is an answer
	refused  bool            // the model said that there is none

	ready strings.Builder // what is handed on at the end of the present fragment
	text  strings.Builder // what was handed on
	marks []placed        // the markers in it
}

// item is a part of the answer: text, or a marker.
type item struct {
	text    string
	passage int  // of a marker, from 1
	code    bool // stays as it is
	listing bool // code of a fenced block
}

// placed is a marker in the answer.
type placed struct {
	at      int // its first byte
	passage int
}

// write adds the next text of the model.
func (f *filter) write(fragment string) error {
	if f.read += len(fragment); f.read > answerBytes {
		return apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model provider answered with an error").
			Wrap(errors.New("the answer is too long"))
	}
	f.cut += fragment
	n := wholeRunes(f.cut)
	fragment, f.cut = f.cut[:n], f.cut[n:]
	f.add(strings.ToValidUTF8(fragment, "�"), false)
	return f.flush()
}

// add unwraps, divides and arranges the next text.
func (f *filter) add(text string, last bool) {
	f.unwrap.Push(text, last, f.divide, f.forget)
	f.lexer.last = last
	f.divide("")
}

// divide divides and arranges the next text of the answer.
func (f *filter) divide(text string) {
	f.lexer.buf += text
	for !f.refused {
		p, ok := f.lexer.next()
		if !ok {
			return
		}
		f.arrange(p)
	}
	f.lexer.buf = ""
}

// forget drops what came, unless it was handed on: it was thoughts.
func (f *filter) forget() {
	if f.released {
		return
	}
	f.lexer = lexer{known: f.known}
	f.leak.tail, f.held, f.tail, f.space = nil, nil, "", ""
	f.sentence.Reset()
	f.cited, f.declined, f.said, f.refused = false, false, false, false
}

// flush hands on what is ready.
func (f *filter) flush() error {
	if f.ready.Len() == 0 {
		return nil
	}
	text := f.ready.String()
	f.ready.Reset()
	return f.emit(text)
}

// end checks and hands on the rest of the text.
func (f *filter) end() error {
	f.add(strings.ToValidUTF8(f.cut, "�"), true)
	if f.refused {
		return f.flush()
	}
	f.writeTail()
	for _, i := range f.leak.rest() {
		f.gate(i)
	}
	f.closeSentence()
	switch {
	case f.released || !f.said:
	case f.request.Strict:
		f.cite()
	default:
		f.release()
	}
	return f.flush()
}

// arrange writes a piece: markers go in front of the full stop, those of no passage vanish with
// the space before them.
func (f *filter) arrange(p piece) {
	switch p.kind {
	case isSpace:
		f.addSpace(p.text)
	case isRefusal:
		if f.refused = !f.released && !f.said && !f.declined && f.tail == "" && f.onlyMarks(); f.refused {
			return
		}
	case isMark:
		f.skip = false
		if len(p.cites) == 0 {
			f.dropMark()
			return
		}
		f.mark(p)
	case isCode, isListing:
		f.skip = false
		f.writeTail()
		f.push(item{text: p.text, code: true, listing: p.kind == isListing})
	case isWord:
		f.skip = false
		f.word(p.text)
	}
}

// onlyMarks tells whether what is held has no word.
func (f *filter) onlyMarks() bool {
	for i := range f.held {
		if plainWord(f.held[i].text) != "" {
			return false
		}
	}
	return len(f.leak.tail) == 0
}

func (f *filter) addSpace(text string) {
	if f.skip && !strings.Contains(text, "\n") {
		return
	}
	if strings.Count(text, "\n") >= strings.Count(f.space, "\n") {
		f.space = text
	}
}

// dropMark drops a marker that names no passage.
func (f *filter) dropMark() {
	f.glued = true
	if strings.Contains(f.space, "\n") || f.space == "" && len(f.held) == 0 && f.text.Len() == 0 {
		f.skip = true
		return
	}
	f.space = ""
}

// mark writes a marker.
func (f *filter) mark(p piece) {
	behindStop := f.tail != "" && (p.alone || !strings.Contains(f.space, "\n"))
	raised := p.text != "" && (superDigitAt(p.text) || p.text[0] == '<')
	switch {
	case behindStop:
		body, stop := cutStop(f.tail)
		f.push(item{text: body})
		f.gap(body)
		f.tail, f.space = stop, ""
	case p.alone && strings.Contains(f.space, "\n"):
		f.space = ""
		f.gap("")
	default:
		f.writeTail()
		if raised {
			f.gap("")
		}
	}
	for _, n := range p.cites {
		f.push(item{text: "[]", passage: n})
	}
}

// gap writes the space before a marker behind text, if there is none.
func (f *filter) gap(text string) {
	last := f.leak.last
	if text != "" {
		last = item{text: text}
	}
	if r, _ := utf8.DecodeLastRuneInString(last.text); last.passage == 0 && last.text != "" && !unspaced(r) && strings.TrimSpace(last.text) != "" {
		f.push(item{text: " "})
	}
}

// word writes a word. One with a full stop waits for what follows.
func (f *filter) word(text string) {
	if text == "" { // nothing is left of an address
		f.glued = true
		return
	}
	if noAnswerWord(text) && !f.known.has(noAnswer) {
		f.dropMark()
		return
	}
	f.writeTail()
	behind := strings.HasSuffix(f.leak.last.text, "]")
	if behind && (text[0] == '(' || text[0] == ':' && f.fresh) {
		text = " " + text // a bracket and a target would be a link
	}
	if body, stop := cutStop(text); stop != "" && !listMark(text) && !abbreviated(body) {
		f.tail = text
		return
	}
	f.push(item{text: text})
}

// noAnswerWord tells whether a word is the one for no answer, with marks around it.
func noAnswerWord(text string) bool {
	return strings.EqualFold(strings.Trim(text, lineMarks), noAnswer)
}

// abbreviated tells whether a full stop behind text is that of an abbreviation.
func abbreviated(text string) bool {
	text = strings.TrimLeft(text, "(\"'“‘")
	switch strings.ToLower(text) {
	case "e.g", "i.e", "z.b", "d.h", "p.ex", "etc", "approx", "ca", "no", "vs", "cf", "fig", "sec", "nr", "abs", "art", "bzw", "incl", "usw", "al":
		return true
	}
	return false
}

// writeTail writes what waited.
func (f *filter) writeTail() {
	if f.tail != "" {
		f.push(item{text: f.tail})
		f.tail = ""
	}
	if f.space != "" {
		f.push(item{text: f.space})
		f.space = ""
	}
}

// push removes what must not be repeated, and passes the rest on.
func (f *filter) push(i item) {
	if i.text == "" {
		return
	}
	if f.glued && i.text[0] == '`' && strings.HasSuffix(f.leak.last.text, "`") {
		i.text = " " + i.text // they would pair in another way
	}
	f.glued = false
	if strings.Contains(i.text, "\n") {
		f.fresh = true
	} else if bare := strings.Trim(i.text, " \t>"); i.passage == 0 && bare != "" && !listMark(bare) {
		f.fresh = false
	}
	for _, clean := range f.leak.push(i) {
		f.gate(clean)
	}
}

// cutStop splits a word from the full stop at its end, with the marks behind that.
func cutStop(text string) (body, stop string) {
	inner := strings.TrimRight(text, "\"'”’»)*_`")
	r, size := utf8.DecodeLastRuneInString(inner)
	if strings.ContainsRune(".!?。！？।؟…", r) && r != utf8.RuneError {
		return inner[:len(inner)-size], text[len(inner)-size:]
	}
	return text, ""
}
