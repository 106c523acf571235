package wordpiece

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	unknownToken = "[UNK]"
	startToken   = "[CLS]"
	endToken     = "[SEP]"
	paddingToken = "[PAD]"
	maskToken    = "[MASK]"

	innerPrefix = "##"
	maxEntries  = 2_000_000 // four times the largest known vocabulary
)

// vocabulary holds the ids of the tokens, by their place in a word.
type vocabulary struct {
	first   map[string]int64 // tokens that begin a word
	inner   map[string]int64 // tokens inside of a word, without their prefix
	longest int              // bytes of the longest token
	size    int

	unknown, start, end, padding int64
	special                      []special
}

// special is a token, such as [SEP], that is recognised when a text contains it.
type special struct {
	text string
	id   int64
}

// readVocabulary reads one token from each line. The number of the line, from 0, is the id.
func readVocabulary(r io.Reader) (*vocabulary, error) {
	v := &vocabulary{first: make(map[string]int64, 1<<15), inner: make(map[string]int64, 1<<13)}
	lines := bufio.NewScanner(r)
	id := int64(0)
	for ; lines.Scan(); id++ {
		if id == maxEntries {
			return nil, fmt.Errorf("the vocabulary has more than %d tokens", maxEntries)
		}
		v.add(lines.Text(), id)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the vocabulary: %w", err)
	}
	v.size = int(id)
	return v, v.findSpecial()
}

func (v *vocabulary) add(token string, id int64) {
	v.longest = max(v.longest, len(token))
	if rest, ok := strings.CutPrefix(token, innerPrefix); ok && rest != "" {
		v.inner[rest] = id
	}
	v.first[token] = id
}

func (v *vocabulary) findSpecial() error {
	var missing []error
	for _, s := range []struct {
		text string
		id   *int64
	}{{unknownToken, &v.unknown}, {startToken, &v.start}, {endToken, &v.end}, {paddingToken, &v.padding}} {
		id, ok := v.first[s.text]
		if !ok {
			missing = append(missing, fmt.Errorf("the vocabulary has no token %s", s.text))
		}
		*s.id = id
		v.special = append(v.special, special{s.text, id})
	}
	if id, ok := v.first[maskToken]; ok {
		v.special = append(v.special, special{maskToken, id})
	}
	return errors.Join(missing...)
}

// specialAt returns the special token with which text begins.
func (v *vocabulary) specialAt(text string) (special, bool) {
	for _, s := range v.special {
		if strings.HasPrefix(text, s.text) {
			return s, true
		}
	}
	return special{}, false
}
