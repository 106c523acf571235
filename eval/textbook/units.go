package textbook

import (
	"path"
	"strings"
)

// Unit is a paragraph or a page. Its score is that of its best window.
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

// windows cuts text into pieces of at most windowWords. Each begins with the last windowOverlap words of the one before.
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

// Title returns the name of the file without its extension, with spaces in place of hyphens and underscores.
func Title(file string) string {
	return strings.Join(strings.FieldsFunc(strings.TrimSuffix(path.Base(file), path.Ext(file)), func(r rune) bool {
		return r == '_' || r == '-' || r == ' '
	}), " ")
}
