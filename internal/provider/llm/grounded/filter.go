package grounded

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm"
)

const (
	answerBytes = 64 << 10 // longest text of a model that is read
	markerBytes = 32       // longest that an open bracket holds words back
	wordBytes   = 4 << 10  // longest that a word is held back
)

// markerPattern finds [1], [1, 2] and the space before it.
func markerPattern() *regexp.Regexp {
	return regexp.MustCompile(`[ \t]?\[\s*\d{1,9}(?:\s*[,;]\s*\d{1,9})*\s*\]`)
}

// addressPattern finds the target of a Markdown link or image, with what closes it, and
// addresses in the text.
func addressPattern() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\]\([^)]*\)?|(?:[a-z][a-z0-9+.-]*:)//[^\s<>"')\]]*|//[^\s<>"')\]/]*\.[^\s<>"')\]]*|\bwww\.[^\s<>"')\]]+`)
}

// filter checks an answer word by word and hands it on.
type filter struct {
	model    *model
	request  *llm.Request
	passages []llm.Passage // of the request, as many as the prompt holds
	emit     func(string) error
	leak     *leak
	named    map[string]int // the passage of each marker that was written

	read     int    // bytes that came
	pending  string // the beginning of a word, a bracket that is still open
	held     strings.Builder
	cited    bool
	released bool            // whether this is an answer
	refused  bool            // whether the model said that there is none
	text     strings.Builder // what was handed on
}

// write adds the next text of the model.
func (f *filter) write(fragment string) error {
	if f.read += len(fragment); f.read > answerBytes {
		return apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model provider answered with an error").
			Wrap(errors.New("the answer is too long"))
	}
	f.pending += strings.ToValidUTF8(fragment, "�")
	at := whole(f.pending)
	words := f.pending[:at]
	f.pending = f.pending[at:]
	return f.pass(words)
}

// whole returns how many bytes of text can be checked now: those before its last white space,
// unless a bracket is open there. The white space stays for later, as the following text may
// cause its removal.
func whole(text string) int {
	at := strings.LastIndexAny(text, " \t\n")
	if at < 0 {
		if len(text) > wordBytes {
			return len(text)
		}
		return 0
	}
	if open := strings.LastIndexByte(text[:at], '['); open >= 0 && len(text)-open < markerBytes && !strings.Contains(text[open:at], "]") {
		at = open
	}
	return len(strings.TrimRight(text[:at], " \t\n"))
}

// pass checks whole words and hands them on.
func (f *filter) pass(words string) error {
	if strings.ContainsAny(words, "(./") { // or there is no address
		words = f.model.address.ReplaceAllStringFunc(words, f.address)
	}
	if strings.ContainsRune(words, '[') {
		words = f.model.marker.ReplaceAllStringFunc(words, f.marker)
	}
	return f.handOn(f.leak.push(words))
}

// handOn hands words on as soon as it is clear that the text is an answer.
func (f *filter) handOn(words string) error {
	if f.refused || words == "" {
		return nil
	}
	if f.released {
		f.text.WriteString(words)
		return f.emit(words)
	}
	f.held.WriteString(words)
	return f.release(false)
}

// release hands on the text that was held back if it is an answer. last is true if no text
// follows.
func (f *filter) release(last bool) error {
	held := strings.TrimSpace(f.held.String())
	if strings.HasPrefix(held, noAnswer) {
		f.refused = true
		return nil
	}
	if held == "" || (f.request.Strict && !f.cited) || (len(held) < len(noAnswer) && !last) {
		return nil
	}
	f.released = true
	f.text.WriteString(held)
	return f.emit(held)
}

// end checks and hands on the rest of the text.
func (f *filter) end() error {
	rest := strings.TrimRight(f.pending, " \t\n")
	f.pending = ""
	if err := f.pass(rest); err != nil {
		return err
	}
	if err := f.handOn(f.leak.rest()); err != nil || f.released || f.refused {
		return err
	}
	return f.release(true)
}

// marker returns the numbers of a marker that belong to passages, each in its own brackets.
func (f *filter) marker(found string) string {
	var out strings.Builder
	if found[0] != '[' {
		out.WriteByte(found[0])
	}
	before := out.Len()
	for _, digits := range strings.FieldsFunc(found, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(digits); err == nil && n >= 1 && n <= len(f.passages) {
			mark := f.request.Marker(n)
			out.WriteString(mark)
			f.named[mark], f.cited = n, true
		}
	}
	if out.Len() == before {
		return ""
	}
	return out.String()
}

// address removes the target of a link, and an address that no passage holds: it may be made up
// to send the contents of the prompt elsewhere. An address of a passage stays as text without
// its scheme, as only citations are links.
func (f *filter) address(found string) string {
	if strings.HasPrefix(found, "](") {
		return "]"
	}
	target := strings.TrimRight(found, ".,;:!?)")
	for i := range f.passages {
		if target != "" && strings.Contains(f.passages[i].Text, target) {
			if _, bare, ok := strings.Cut(found, "//"); ok {
				found = bare
			}
			return strings.TrimPrefix(found, "www.")
		}
	}
	return ""
}
