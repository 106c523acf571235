package reference

import (
	"regexp"
	"slices"
	"strings"
)

// maxItem is how many words of a list's item a question gets.
const maxItem = 12

var ordinal = regexp.MustCompile(`(?i)\b(?:the|der|die|das|den|le|la|el|il)\s+(first|second|third|fourth|fifth|last|erste|ersten|zweite|zweiten|dritte|dritten|letzte|letzten|premier|première|deuxième|dernier|dernière|primero|primera|segundo|segunda|último|última|primo|prima|secondo|seconda|ultimo|ultima)(?:\s+(?:one|option|item|point|of (?:them|these|those)))?(\s*[?!.,]|\s+(?:do|does|mean|work|is|are|cost|last)\b|\s*$)`)

// pick replaces "the second one" by the second item of the list in an answer. ok is false if the
// question has no such words or the answer no such item.
func pick(question, answer string) (text string, ok bool) {
	at := ordinal.FindStringSubmatchIndex(question)
	if at == nil {
		return "", false
	}
	items := itemsOf(answer)
	n := place(strings.ToLower(question[at[2]:at[3]]))
	if n < 0 {
		n = len(items) - 1
	}
	if len(items) < 2 || n >= len(items) {
		return "", false
	}
	return question[:at[0]] + items[n] + question[at[4]:], true
}

// place returns the index that an ordinal names, -1 for the last.
func place(w string) int {
	for n, names := range [][]string{
		{"first", "erste", "ersten", "premier", "première", "primero", "primera", "primo", "prima"},
		{"second", "zweite", "zweiten", "deuxième", "segundo", "segunda", "secondo", "seconda"},
		{"third", "dritte", "dritten"},
		{"fourth"},
		{"fifth"},
	} {
		if slices.Contains(names, w) {
			return n
		}
	}
	return -1
}

var bullet = regexp.MustCompile(`(?m)^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$`)

// itemsOf returns the items of the list in an answer: lines with bullets or numbers, or what
// semicolons separate behind a colon, or commas with an "and" at the end.
func itemsOf(answer string) []string {
	answer = marker.ReplaceAllString(answer, "")
	var items []string
	for _, line := range bullet.FindAllStringSubmatch(answer, -1) {
		items = append(items, line[1])
	}
	if len(items) < 2 {
		_, list, there := strings.Cut(answer, ": ")
		if !there {
			list = answer
		}
		items = strings.Split(list, ";")
		if len(items) < 2 && there {
			sentence, _, _ := strings.Cut(list, ". ")
			items = strings.Split(conjunction.ReplaceAllString(sentence, ", "), ",")
		}
	}
	out := items[:0]
	for _, item := range items {
		fields := strings.Fields(strings.Trim(item, " .;,\n"))
		if len(fields) > 0 {
			out = append(out, strings.Join(fields[:min(len(fields), maxItem)], " "))
		}
	}
	return out
}

var conjunction = regexp.MustCompile(`,?\s+(?:and|or|und|oder|et|ou|y|o|e)\s+`)
