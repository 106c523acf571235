package wordpiece

import (
	"io"
	"unicode/utf8"
)

// The bounds of Options.MaxTokens.
const (
	MinTokens = 3
	MaxTokens = 8192
)

const maxWordRunes = 100 // a longer word becomes [UNK]

// Options say how a model was trained.
type Options struct {
	Cased     bool // do not change letters; otherwise they become lower case without accents
	MaxTokens int  // including start and end, from MinTokens to MaxTokens; other values become the nearest of these
}

// Tokenizer turns texts into ids. Safe for concurrent use.
type Tokenizer struct {
	vocabulary *vocabulary
	classes    classes
	cased      bool
	maxTokens  int
}

// New reads a vocabulary with one token on each line. It fails if [UNK], [CLS], [SEP] or [PAD]
// is missing.
func New(vocab io.Reader, o Options) (*Tokenizer, error) {
	v, err := readVocabulary(vocab)
	if err != nil {
		return nil, err
	}
	maxTokens := min(max(o.MaxTokens, MinTokens), MaxTokens)
	return &Tokenizer{vocabulary: v, classes: newClasses(), cased: o.Cased, maxTokens: maxTokens}, nil
}

// Padding is the id that fills the shorter texts of a batch.
func (t *Tokenizer) Padding() int64 { return t.vocabulary.padding }

// Size is one more than the largest id.
func (t *Tokenizer) Size() int { return t.vocabulary.size }

// Encode appends the ids of text to ids: the start, at most MaxTokens-2 tokens, the end. Bytes
// that are not UTF-8 are ignored.
func (t *Tokenizer) Encode(ids []int64, text string) []int64 {
	return append(t.tokens(append(ids, t.vocabulary.start), text, t.maxTokens-2), t.vocabulary.end)
}

// EncodePair is Encode for two texts that are read together: the start, the first text, an
// end, the second text, an end. kinds says for each id to which text it belongs, 0 or 1. If
// both together are too long, the longer one is cut.
func (t *Tokenizer) EncodePair(first, second string) (ids, kinds []int64) {
	maxTokens := max(0, t.maxTokens-3)
	a, b := t.tokens(nil, first, MaxTokens), t.tokens(nil, second, MaxTokens) // not cut yet: share compares their lengths
	a, b = share(a, b, maxTokens)
	ids = append(append([]int64{t.vocabulary.start}, a...), t.vocabulary.end)
	ids = append(append(ids, b...), t.vocabulary.end)
	kinds = make([]int64, len(ids))
	for i := len(a) + 2; i < len(ids); i++ {
		kinds[i] = 1
	}
	return ids, kinds
}

// share cuts the longer of a and b until both together have at most maxTokens. If the shorter
// one has more than half of maxTokens, both are cut.
func share(a, b []int64, maxTokens int) (first, second []int64) {
	if len(a)+len(b) <= maxTokens {
		return a, b
	}
	if len(a) > len(b) {
		second, first = share(b, a, maxTokens)
		return first, second
	}
	short := min(len(a), maxTokens/2)
	return a[:short], b[:maxTokens-short]
}

// tokens appends at most maxTokens tokens of text to ids.
func (t *Tokenizer) tokens(ids []int64, text string, maxTokens int) []int64 {
	e := encoder{Tokenizer: t, ids: ids, limit: len(ids) + maxTokens}
	e.read(text)
	return e.ids
}

// encoder is the state of one text.
type encoder struct {
	*Tokenizer

	ids    []int64
	limit  int // the largest length of ids
	word   []byte
	runes  int // in word
	buffer [128]byte
}

func (e *encoder) full() bool { return len(e.ids) >= e.limit }

func (e *encoder) read(text string) {
	e.word = e.buffer[:0]
	for i := 0; i < len(text) && !e.full(); {
		c := text[i]
		if c == '[' {
			if s, ok := e.vocabulary.specialAt(text[i:]); ok {
				e.endWord()
				e.emit(s.id)
				i += len(s.text)
				continue
			}
		}
		if c < utf8.RuneSelf {
			e.ascii(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		e.other(r)
		i += size
	}
	e.endWord()
}

func (e *encoder) ascii(c byte) {
	switch {
	case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
		e.put(rune(c))
	case 'A' <= c && c <= 'Z':
		if !e.cased {
			c += 'a' - 'A'
		}
		e.put(rune(c))
	case c == ' ', c == '\t', c == '\n', c == '\r':
		e.endWord()
	case c < ' ', c == 0x7f: // removed
	default:
		e.alone(rune(c))
	}
}

// put adds a rune to the word. After maxWordRunes it only counts, because the word becomes
// [UNK].
func (e *encoder) put(r rune) {
	if e.runes++; e.runes <= maxWordRunes {
		e.word = utf8.AppendRune(e.word, r)
	}
}

// alone adds r as a word of its own.
func (e *encoder) alone(r rune) {
	e.endWord()
	e.put(r)
	e.endWord()
}

func (e *encoder) emit(id int64) {
	if !e.full() {
		e.ids = append(e.ids, id)
	}
}

// endWord emits the tokens of the word: it repeatedly takes the longest token that fits. If a
// part of the word is no token, the whole word becomes [UNK].
func (e *encoder) endWord() {
	word, runes, v := e.word, e.runes, e.vocabulary
	e.word, e.runes = e.word[:0], 0
	if runes == 0 {
		return
	}
	if runes > maxWordRunes {
		e.emit(v.unknown)
		return
	}
	begin, tokens := len(e.ids), v.first
	for len(word) > 0 {
		id, size := longest(tokens, word[:min(len(word), v.longest)])
		if size == 0 {
			e.ids = e.ids[:begin]
			e.emit(v.unknown)
			return
		}
		e.ids = append(e.ids, id)
		word, tokens = word[size:], v.inner
	}
	e.ids = e.ids[:min(len(e.ids), e.limit)]
}

// longest finds the longest token with which word begins. size is 0 if there is none.
func longest(tokens map[string]int64, word []byte) (id int64, size int) {
	for size = len(word); size > 0; size-- {
		if size < len(word) && !utf8.RuneStart(word[size]) {
			continue
		}
		if id, ok := tokens[string(word[:size])]; ok {
			return id, size
		}
	}
	return 0, 0
}
