package lexical

import (
	"regexp"
	"slices"
	"strings"
)

// A version is written in several ways: "GPLv3", "GPL 3", "GPL version 3", "GPL-3.0". Passages
// keep what they say; a question is searched for in each of them.
var (
	joined      = regexp.MustCompile(`^(\pL{2,}?)([vV]?)(\d+)$`)
	nameFirst   = regexp.MustCompile(`(?i)(\pL{2,}?)[\s_-]*(?:,\s*)?(?:version|release|v)?[\s_.-]*(\d+(?:\.\d+)*)`)
	numberFirst = regexp.MustCompile(`(?i)\b(?:version|release|v)[\s_.-]*(\d+(?:\.\d+)*)\s+of\s+(?:the\s+)?(\pL{2,})`)
)

// addVersions adds other ways to write a version: the parts of "GPLv3", if the project has no
// such word or the v tells them apart, and "GPLv3" for "GPL 3", if the project has such a word.
func (q *Question) addVersions(st *Stats, t, before asked, weight float64, current bool) {
	switch t.class {
	case word:
		parts := joined.FindStringSubmatch(t.surface)
		if parts == nil || parts[2] == "" && q.counted(st, t) || !q.counted(st, asked{surface: parts[1], class: word}) {
			return
		}
		q.add(st, asked{parts[1], word, t.inside}, weight, current)
		q.add(st, asked{parts[3], number, false}, weight, current)
	case number:
		if before.surface == "" || before.class != word {
			return
		}
		for _, l := range q.langs {
			place, known := q.words[index(l, before.surface, word)]
			for _, whole := range []string{before.surface + "v" + t.surface, before.surface + t.surface} {
				i := index(l, whole, word)
				if _, there := q.words[i]; known && !there && st.Frequency[i] > 0 {
					q.words[i] = place
					q.starts.add(start(whole))
					q.terms.add(uint16(i))
				}
			}
		}
	case gram:
	}
}

// counted reports whether the statistics count a token.
func (q *Question) counted(st *Stats, t asked) bool {
	return slices.ContainsFunc(q.langs, func(l Lang) bool { return st.Frequency[index(l, t.surface, t.class)] > 0 })
}

// Versions returns the numbers that text gives to names: "GPLv3" gives 3 to gpl. Names are in
// lower case, "3.0" is 3.
func Versions(text string) map[string][]string {
	out := map[string][]string{}
	add := func(name, n string) {
		for strings.HasSuffix(n, ".0") {
			n = strings.TrimSuffix(n, ".0")
		}
		out[strings.ToLower(name)] = append(out[strings.ToLower(name)], n)
	}
	for _, m := range numberFirst.FindAllStringSubmatch(text, -1) {
		add(m[2], m[1])
	}
	for _, m := range nameFirst.FindAllStringSubmatch(text, -1) {
		add(m[1], m[2])
	}
	return out
}

// Versions returns the versions that the current question names.
func (q *Question) Versions() map[string][]string { return Versions(q.asked) }
