package textbook

import (
	"path"
	"strings"
)

// Unit is what is ranked: a window of a paragraph or of a page.
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

// Windows cuts text into units of at most 170 words, each of which begins with the last 40 of the one before.
func Windows(file string, page int, text string) []Unit {
	words := strings.Fields(text)
	if len(words) <= windowWords {
		if len(words) == 0 {
			return nil
		}
		return []Unit{{File: file, Page: page, Text: text}}
	}
	var units []Unit
	for start := 0; ; start += windowWords - windowOverlap {
		end := min(start+windowWords, len(words))
		units = append(units, Unit{File: file, Page: page, Text: strings.Join(words[start:end], " ")})
		if end == len(words) {
			return units
		}
	}
}

// Title is the file's name without its ending, with spaces where it has none.
func Title(file string) string {
	return strings.Join(strings.FieldsFunc(strings.TrimSuffix(path.Base(file), path.Ext(file)), func(r rune) bool {
		return r == '_' || r == '-' || r == ' '
	}), " ")
}
