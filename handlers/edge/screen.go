package edge

import (
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"docqa/internal/platform/apperr"
)

const jsonDepth = 100

// screenJSON refuses JSON that the generated decoders would accept but that no operation
// may get: NUL and lone surrogates in strings, invalid UTF-8, an object that has the same
// member twice, and nesting deeper than jsonDepth. It reads each byte once. Other syntax
// errors are left to the decoder.
func screenJSON(data []byte) error {
	if !utf8.Valid(data) {
		return apperr.Invalid(apperr.CodeInvalidJSON, "the request body is not valid UTF-8")
	}
	s := screener{data: data}
	for s.at < len(s.data) {
		if err := s.step(); err != nil {
			return err
		}
	}
	return nil
}

// container is an object or array whose end the screener has not reached yet.
type container struct {
	members map[string]struct{} // nil for an array
	key     bool                // the next string is a member's name
}

type screener struct {
	data  []byte
	at    int
	stack []container
}

func (s *screener) step() error {
	c := s.data[s.at]
	s.at++
	switch c {
	case '{':
		return s.open(container{members: map[string]struct{}{}, key: true})
	case '[':
		return s.open(container{})
	case '}', ']':
		if len(s.stack) > 0 {
			s.stack = s.stack[:len(s.stack)-1]
		}
	case ',':
		if top := s.top(); top != nil {
			top.key = top.members != nil
		}
	case '"':
		return s.text()
	}
	return nil
}

func (s *screener) open(c container) error {
	if len(s.stack) >= jsonDepth {
		return apperr.Invalid(apperr.CodeInvalidJSON, "the request body is nested deeper than "+strconv.Itoa(jsonDepth)+" levels")
	}
	s.stack = append(s.stack, c)
	return nil
}

func (s *screener) top() *container {
	if len(s.stack) == 0 {
		return nil
	}
	return &s.stack[len(s.stack)-1]
}

// text reads a string to its closing quote.
func (s *screener) text() error {
	start := s.at - 1
	for s.at < len(s.data) {
		c := s.data[s.at]
		s.at++
		switch c {
		case '"':
			return s.member(s.data[start:s.at])
		case '\\':
			if err := s.escape(); err != nil {
				return err
			}
		}
	}
	return nil
}

// escape reads the characters after a backslash.
func (s *screener) escape() error {
	if s.at >= len(s.data) {
		return nil
	}
	c := s.data[s.at]
	s.at++
	if c != 'u' {
		return nil
	}
	r, ok := s.hex(s.at)
	if !ok {
		return nil // not JSON: the decoder refuses it
	}
	s.at += 4
	switch {
	case r == 0:
		return apperr.Invalid(apperr.CodeValidationError, "text must not hold NUL characters")
	case !utf16.IsSurrogate(r):
		return nil
	}
	if s.at+6 <= len(s.data) && s.data[s.at] == '\\' && s.data[s.at+1] == 'u' {
		if low, ok := s.hex(s.at + 2); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			s.at += 6
			return nil
		}
	}
	return apperr.Invalid(apperr.CodeInvalidJSON, "the request body holds half of a surrogate pair")
}

func (s *screener) hex(at int) (rune, bool) {
	if at+4 > len(s.data) {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s.data[at:at+4]), 16, 16)
	return rune(n), err == nil
}

// member records a member's name and refuses a name that the object already has. quoted
// is the string with its quotes.
func (s *screener) member(quoted []byte) error {
	top := s.top()
	if top == nil || !top.key {
		return nil
	}
	top.key = false
	var name string
	if err := json.Unmarshal(quoted, &name); err != nil {
		return nil //nolint:nilerr // not JSON: the decoder refuses it
	}
	if _, twice := top.members[name]; twice {
		return apperr.Invalid(apperr.CodeInvalidJSON, "the request body has a member twice: "+truncate(name))
	}
	top.members[name] = struct{}{}
	return nil
}
