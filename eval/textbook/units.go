package textbook

import (
	"path"
	"strings"
)

// Unit is what is found: a paragraph or a page. It is ranked by the best of its windows.
type Unit struct {
	File string
	Page int // 0 = no page
	Text string
}

// The size of a window, in words.
const (
	windowWords   = 170
	windowOverlap = 40
)

// windows cuts text into pieces of at most 170 words, each of which begins with the last 40 of the one before.
func windows(text string) []string {
	words := strings.Fields(text)
	if len(words) <= windowWords {
		return []string{text}
	}
	var list []string
	for start := 0; ; start += windowWords - windowOverlap {
		end := min(start+windowWords, len(words))
		list = append(list, strings.Join(words[start:end], " "))
		if end == len(words) {
			return list
		}
	}
}

// Title is the file's name without its ending, with spaces where it has none.
func Title(file string) string {
	return strings.Join(strings.FieldsFunc(strings.TrimSuffix(path.Base(file), path.Ext(file)), func(r rune) bool {
		return r == '_' || r == '-' || r == ' '
	}), " ")
}
