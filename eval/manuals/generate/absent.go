package generate

import (
	"strings"

	"docqa/eval/manuals"
	"docqa/eval/manuals/source"
)

// nearPerDocument bounds the near-misses of a document.
const nearPerDocument = 3

// absent returns near-misses: the default of an entry that takes a value, where no sentence of the set names both the entry and a default,
// and the version in which an entry was added, where no sentence names both the entry and a version.
func (m *maker) absent(d *Document, set []string) []manuals.Question {
	var list []manuals.Question
	for i := range d.entries {
		e := &d.entries[i]
		if m.names[m.key(d, e.name)] > 1 || len(e.name) <= minName || !isGoodSentence(firstSentence(e.body)) {
			continue
		}
		l := label(d, e)
		q := manuals.Question{Kind: manuals.Near}
		switch {
		case takesValue(e) && !together(set, e, "default", "if not", "otherwise", "omitted", "unset", "not given", "not specified", "initially", "instead", "by blanks", "white space"):
			q.Question = pick(l, "What is the default of "+l+"?", "default of "+l, "What does "+l+" default to?")
		case isNamed(e) && !together(set, e, "version", "added", "since", "new in", "introduced"):
			q.Question = pick(l, "In which version was "+l+" added?", "Since when is there "+l+"?")
		default:
			continue
		}
		list = append(list, q)
	}
	return list
}

// isNamed reports whether an entry is an option, a setting or a variable, not a word that is explained.
func isNamed(e *entry) bool {
	return strings.HasPrefix(e.name, "-") || strings.HasPrefix(e.name, "PRAGMA ") || strings.ContainsAny(e.name, "=_") || e.name == strings.ToUpper(e.name)
}

// takesValue reports whether an entry is an option or a setting with a value.
func takesValue(e *entry) bool {
	return strings.HasPrefix(e.name, "-") && (strings.Contains(e.term, "=") || strings.Contains(e.term, "<") || strings.Contains(e.term, " "+lastWord(e.term)) &&
		!strings.HasPrefix(lastWord(e.term), "-")) || strings.HasSuffix(e.name, "=")
}

// together reports whether a sentence of the set, or the entry itself, names the entry and one of the words.
func together(set []string, e *entry, about ...string) bool {
	body := strings.ToLower(e.term + " " + e.body)
	for _, w := range about {
		if strings.Contains(body, w) {
			return true
		}
	}
	name := strings.ToLower(e.name)
	if _, last, found := cutLast(name, "."); found {
		name = last
	}
	for _, s := range set {
		if !manuals.Holds(s, name) {
			continue
		}
		for _, w := range about {
			if strings.Contains(s, w) {
				return true
			}
		}
	}
	return false
}

func cutLast(text, separator string) (before, after string, found bool) {
	at := strings.LastIndex(text, separator)
	if at < 0 {
		return "", text, false
	}
	return text[:at], text[at+len(separator):], true
}

// lowered returns the sentences of the documents that may say a default or a version.
func lowered(documents []*Document) []string {
	var list []string
	for _, d := range documents {
		for _, s := range sentences(strings.ToLower(source.Normal(d.Text))) {
			if strings.Contains(s, "default") || strings.Contains(s, "version") || strings.Contains(s, "added") || strings.Contains(s, "new in") ||
				strings.Contains(s, "since") || strings.Contains(s, "introduced") {
				list = append(list, s)
			}
		}
	}
	return list
}
