package lexical

import "encoding/binary"

// placesVersion is the first byte that Places writes. It must change when the format changes, and
// with Version, when the terms of words change.
const placesVersion = 1<<4 | Version

// termBytes is the size of a term's index.
const termBytes = 4

// Places encodes the positions and terms of the words of a body, so that a Finder need not
// scan and stem the text again. The format: version, language, words and figures as counted by
// Figures, number of tokens. Then for each token: the distance from the start of the previous
// token, combined with its class and whether it has a term; its length; and the term, if any.
func (x *Indexer) Places(body string) []byte {
	var tokens []byte
	count, before := 0, 0
	for s := (scanner{text: body}); ; count++ {
		t, ok := s.next()
		if !ok {
			break
		}
		i := x.index(body[t.start:t.end], t.class)
		head := uint64(t.start-before)<<3 | uint64(t.class)<<1
		if i >= 0 {
			head |= 1
		}
		tokens = binary.AppendUvarint(tokens, head)
		tokens = binary.AppendUvarint(tokens, uint64(t.end-t.start))
		if i >= 0 {
			tokens = binary.LittleEndian.AppendUint32(tokens, uint32(i))
		}
		before = t.start
	}
	words, figures := Figures(body)
	packed := append(make([]byte, 0, len(tokens)+2+3*binary.MaxVarintLen32), placesVersion, byte(x.lang))
	packed = binary.AppendUvarint(packed, uint64(words))
	packed = binary.AppendUvarint(packed, uint64(figures))
	packed = binary.AppendUvarint(packed, uint64(count))
	return append(packed, tokens...)
}

// places decodes the result of Places for a text of so many bytes.
type places struct {
	rest           []byte
	length         int // of the text
	lang           Lang
	words, figures int
	tokens         int
	at             int // start of the previous token
	broken         bool
}

// open decodes the beginning. ok is false if another version of the program wrote it.
func openPlaces(packed []byte, length int) (p places, ok bool) {
	if len(packed) < 2 || packed[0] != placesVersion || packed[1] >= byte(langs) {
		return p, false
	}
	p = places{rest: packed[2:], length: length, lang: Lang(packed[1])}
	p.words, p.figures, p.tokens = p.number(), p.number(), p.number()
	return p, !p.broken && p.tokens <= len(p.rest)
}

// number decodes a number. A number larger than the text means that the bytes are broken.
func (p *places) number() int {
	n, size := binary.Uvarint(p.rest)
	if size <= 0 || n > uint64(p.length) {
		p.broken = true
		return 0
	}
	p.rest = p.rest[size:]
	return int(n)
}

// next decodes a token with its term, -1 for a stop word. It stops at a token outside of the
// text.
func (p *places) next() (t token, term int32) {
	var head uint64
	var length int
	if len(p.rest) >= 2+termBytes && p.rest[0] < 0x80 && p.rest[1] < 0x80 { // true for almost every token
		head, length = uint64(p.rest[0]), int(p.rest[1])
		p.rest = p.rest[2:]
	} else {
		head, length = p.slowly()
	}
	p.at += int(head >> 3)
	t, term = token{start: p.at, end: p.at + length, class: class(head >> 1 & 3)}, -1
	if head&1 == 1 && len(p.rest) >= termBytes {
		term = int32(binary.LittleEndian.Uint32(p.rest))
		p.rest = p.rest[termBytes:]
	}
	p.broken = p.broken || t.end > p.length || head&1 == 1 && term < 0
	return t, term
}

// slowly reads the beginning of a token whose numbers may be large.
func (p *places) slowly() (head uint64, length int) {
	head, size := binary.Uvarint(p.rest)
	if size <= 0 || head>>3 > uint64(p.length) {
		p.broken = true
		return 0, 0
	}
	p.rest = p.rest[size:]
	return head, p.number()
}

// Figures counts the words of a text, by white space, and those that begin with a digit.
func Figures(text string) (words, figures int) {
	inside := false
	for i := range len(text) {
		c := text[i]
		space := c == ' ' || c == '\n' || c == '\t' || c == '$' || c == '(' || c == '|'
		if !space && !inside {
			words++
			if '0' <= c && c <= '9' {
				figures++
			}
		}
		inside = !space
	}
	return words, figures
}
