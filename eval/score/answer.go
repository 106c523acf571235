package score

import (
	"regexp"
	"strconv"
	"strings"
)

// Markers returns the numbers of the [n] markers in answer, in order.
func Markers(answer string) []int {
	var list []int
	for _, m := range markers().FindAllStringSubmatch(answer, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// Plain returns answer without its markers.
func Plain(answer string) string {
	return strings.TrimSpace(markers().ReplaceAllString(answer, ""))
}

// FirstWords returns the first n words of text, which white space separates.
func FirstWords(text string, n int) string {
	words := strings.Fields(text)
	return strings.Join(words[:min(n, len(words))], " ")
}

// FirstSentences returns the first n sentences of text. A sentence ends with . ! or ? before white space, with 。 ！ or ？, or with
// the line.
func FirstSentences(text string, n int) string {
	ends := sentenceEnds().FindAllStringIndex(text, n)
	if len(ends) < n {
		return text
	}
	return strings.TrimSpace(text[:ends[n-1][1]])
}

func markers() *regexp.Regexp      { return regexp.MustCompile(`\s*\[(\d{1,3})\]`) }
func sentenceEnds() *regexp.Regexp { return regexp.MustCompile(`[.!?]["')\]]*\s+|[。！？]|\n+`) }
