package pdf

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

const (
	edgeRows    = 4   // rows from the top or bottom of a page that may be running heads or feet
	edgePages   = 3   // pages that must have one at the same height
	edgeShare   = 0.2 // of all pages, too
	edgeUsual   = 0.6 // of the lines at one height that are repeated: the others are heads as well
	edgeHeight  = 2.0 // points that the height of a head may differ
	longestHead = 16  // words

	wordsOfSentence = 6 // fewer are no sentence
)

// edge is a height near the top or bottom of pages where lines stand.
type edge struct {
	bottom bool
	height int // in steps of edgeHeight, from the top
}

// head is a line that may be a running head or foot.
type head struct {
	page int
	line *line
	at   edge
	keys []string
}

// setMargins finds the running heads and feet: lines at the same height of at least edgePages pages with the same
// text but for its numbers, as the outermost rows of their pages. Where the greater part of the lines at a height is
// repeated so, the others are heads, too: the titles of short chapters.
func setMargins(pages []page) {
	var all []head
	for i := range pages {
		all = append(all, edges(&pages[i], i)...)
	}
	type place struct {
		at  edge
		key string
	}
	repeated, lines, usual := map[place]int{}, map[edge]int{}, map[edge]int{}
	for _, h := range all {
		for d := -1; d <= 1; d++ { // the line may stand a little higher or lower
			for _, key := range h.keys {
				repeated[place{edge{h.at.bottom, h.at.height + d}, key}]++
			}
		}
	}
	often := func(h head) bool {
		return slices.ContainsFunc(h.keys, func(key string) bool {
			n := repeated[place{h.at, key}]
			return n >= edgePages && float64(n) >= edgeShare*float64(len(pages))
		})
	}
	for _, h := range all {
		lines[h.at]++
		if often(h) {
			usual[h.at]++
		}
	}
	for _, h := range all {
		h.line.margin = often(h) || usual[h.at] >= edgePages && float64(usual[h.at]) >= edgeUsual*float64(lines[h.at])
	}
	for i := range pages {
		keepInner(&pages[i])
	}
}

// edges returns the lines of the outermost rows of a page.
func edges(p *page, number int) []head {
	var out []head
	rows := visualRows(p)
	for i, r := range rows {
		bottom := i >= len(rows)-edgeRows && i >= len(rows)/2
		if !bottom && i >= edgeRows {
			continue
		}
		for _, c := range r.cells {
			l := &p.lines[c]
			if len(l.words) > longestHead {
				continue
			}
			height := l.middle()
			out = append(out, head{number, l, edge{bottom, int(height / edgeHeight)}, headKeys(text(l.words), number)})
		}
	}
	return out
}

// keepInner makes lines of the text again what stands farther inside than a row that is no head.
func keepInner(p *page) {
	rows := visualRows(p)
	whole := func(r row) bool {
		return !slices.ContainsFunc(r.cells, func(c int) bool { return !p.lines[c].margin })
	}
	first, last := 0, len(rows)-1
	for first < len(rows) && whole(rows[first]) {
		first++
	}
	for last > first && whole(rows[last]) {
		last--
	}
	for i := first; i <= last; i++ {
		for _, c := range rows[i].cells {
			p.lines[c].margin = false
		}
	}
}

// headKeys is what lines that are the same head have in common: the text with its numbers made equal, or a number at
// the beginning or end that counts the pages. Of a sentence it is the text as it stands.
func headKeys(text string, page int) []string {
	if strings.HasSuffix(text, ".") && strings.Count(text, " ") >= wordsOfSentence {
		return []string{text}
	}
	if romanNumber(strings.Trim(text, "-– ")) {
		return []string{"0"}
	}
	keys := []string{strings.Join(strings.FieldsFunc(" "+text+" ", unicode.IsDigit), "0")}
	words := strings.Fields(text)
	for _, w := range []string{words[0], words[len(words)-1]} {
		if n, err := strconv.Atoi(w); err == nil {
			return append(keys, "page "+strconv.Itoa(n-page))
		}
	}
	return keys
}

// romanNumber reports whether a text is a small Roman number, as prefaces have them.
func romanNumber(text string) bool {
	return text != "" && len(text) <= 6 && strings.Trim(text, "ivxl") == ""
}
