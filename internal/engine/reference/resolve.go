package reference

import (
	"regexp"
	"slices"
	"strings"
)

// The bounds of what is read and of what counts as a short question, in words.
const (
	maxAnswer   = 2_000 // bytes of the last answer
	maxEllipsis = 7
	maxPronoun  = 10
	maxContext  = 60
)

// Resolved is a question with what it refers to.
type Resolved struct {
	Text    string   // the question; in place of a part of one, the whole
	Earlier []string // what else counts, like earlier questions, the oldest first
}

// Resolve resolves a question. earlier are the user's earlier questions, the oldest first; answer
// is the answer to the last one, or empty.
func Resolve(question string, earlier []string, answer string) Resolved {
	r := Resolved{question, earlier}
	if len(earlier) == 0 {
		return r
	}
	if len(answer) > maxAnswer {
		answer = strings.ToValidUTF8(answer[:maxAnswer], "")
	}
	if text, ok := pick(question, answer); ok {
		r.Text = text
		return r
	}
	if text, ok := complete(question, earlier); ok {
		return Resolved{text, earlier[:len(earlier)-1]}
	}
	if n := len(strings.Fields(question)); answer != "" && n <= maxPronoun && pronoun.MatchString(question) {
		words := strings.Fields(marker.ReplaceAllString(answer, ""))
		r.Earlier = append(append([]string{}, earlier...), strings.Join(words[:min(len(words), maxContext)], " "))
	}
	return r
}

var (
	marker  = regexp.MustCompile(`\s?\[\d{1,3}\]`)
	pronoun = regexp.MustCompile(`(?i)(^|[^\pL])(it|its|that|this|they|them|their|these|those|one|das|dies|davon|damit|dafür|dessen|deren|es|sie|cela|ça|celui|celle|eso|esto|ello|ese|esa|questo|quello|isso|isto|dat|deze|det)([^\pL]|$)`)
)

// complete returns the last question with the words of a partial one in place: "And of tabsize?"
// ok is false if the question is whole.
func complete(question string, earlier []string) (text string, ok bool) {
	rest, ok := partial(question)
	if !ok {
		return "", false
	}
	base := earlier[0]
	for _, q := range earlier[1:] {
		if part, ok := partial(q); ok {
			base = replace(base, part)
		} else {
			base = q
		}
	}
	return replace(base, rest), true
}

var lead = regexp.MustCompile(`(?i)^\s*(?:(?:and|but|or|und|aber|et|mais|y|e|o|och|og|en|ja)\s+)?((?:what|how) about|was ist mit|wie ist es mit|et pour|qué tal|e per)?\s*`)

// partial returns what a question such as "And the frame?" is about.
func partial(question string) (rest string, ok bool) {
	at := lead.FindStringSubmatchIndex(question)
	about := at[2] >= 0
	if at[1] == 0 {
		return "", false
	}
	rest = strings.TrimSpace(strings.TrimRight(strings.TrimSpace(question[at[1]:]), "?!？؟ "))
	fields := strings.Fields(rest)
	if len(fields) == 0 || len(fields) > maxEllipsis || strings.TrimSpace(question[:at[1]]) == "" || pronoun.MatchString(rest) {
		return "", false
	}
	return rest, about || !opens(strings.ToLower(fields[0]))
}

// opens reports whether a word opens a whole question.
func opens(w string) bool {
	switch w {
	case "what", "who", "whom", "whose", "when", "where", "why", "which", "how", "is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "must",
		"should", "will", "would", "has", "have", "had", "if", "then",
		"wie", "wer", "wen", "wem", "wann", "wo", "warum", "welche", "welcher", "welches", "ist", "sind", "kann", "gibt", "hat", "darf", "muss",
		"qui", "que", "quoi", "quand", "où", "pourquoi", "comment", "quel", "quelle", "combien", "est-ce", "qué", "quién", "cuándo", "dónde", "cómo", "cuál", "cuánto", //nolint:misspell // Spanish
		"chi", "cosa", "quando", "dove", "come", "quale", "quanto":
		return true
	}
	return false
}

// replace puts new words into a question in place of those of the same kind: a name for a name, a
// number for a number, "for the frame" for "for the battery". If it has none, they follow it.
func replace(base, words string) string {
	base = strings.TrimRight(strings.TrimSpace(base), "?!？؟. ")
	fields := strings.Fields(words)
	preposition := prepositions(strings.ToLower(fields[0]))
	about := fields
	if preposition && len(fields) > 1 {
		about = fields[1:]
	}
	old := strings.Fields(base)
	if at := sameKind(old, about); at >= 0 {
		old[at] = about[len(about)-1]
		return strings.Join(old, " ") + "?"
	}
	if preposition || article(strings.ToLower(fields[0])) {
		if at := lastFold(old, fields[0]); at > 0 {
			end := at + 1
			for end < len(old) && (end == at+1 || !prepositions(strings.ToLower(old[end]))) {
				end++
			}
			return strings.Join(append(append(append([]string{}, old[:at]...), fields...), old[end:]...), " ") + "?"
		}
	}
	if between := action.FindStringSubmatchIndex(base); between != nil && !preposition {
		return base[:between[2]] + words + base[between[3]:] + "?"
	}
	return base + " " + words + "?"
}

// action finds what a question such as "What does restart do?" is about.
var action = regexp.MustCompile(`(?i)\b(?:does|do|macht|bedeutet|hace|fait)\s+(\S+)(?:\s+(?:do|mean|hold|return|contain|stand)\b|$)`)

// sameKind returns the place of the last word of base that about's last word replaces, -1 for
// none: a name for a name, or a number that follows the same word.
func sameKind(base, about []string) int {
	last := about[len(about)-1]
	if len(about) > 1 && !article(strings.ToLower(about[0])) {
		at := lastFold(base, about[len(about)-2])
		if at >= 0 && at+1 < len(base) && digits(last) && digits(base[at+1]) {
			return at + 1
		}
		return -1
	}
	if !name(last) {
		return -1
	}
	found := -1
	for i, w := range slices.Backward(base) {
		if !name(w) {
			continue
		}
		if form(w) == form(last) {
			return i
		}
		found = max(found, i)
	}
	return found
}

// form returns what tells names of one kind from those of another: the marks in them, and
// whether they are in capitals.
func form(w string) string {
	marks := strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_$/.:", r) {
			return r
		}
		return -1
	}, w)
	if strings.ToUpper(w) == w {
		marks += "A"
	}
	return marks
}

func lastFold(list []string, w string) int {
	for i, old := range slices.Backward(list) {
		if strings.EqualFold(old, w) {
			return i
		}
	}
	return -1
}

// name reports whether a word has the form of a name in code: an option, a variable.
func name(w string) bool {
	w = strings.Trim(w, "`'\"?!.,;:()")
	return len(w) > 1 && (w[0] == '-' || w[0] == '$' || strings.ContainsAny(w[1:], "_-$/.:0123456789") || strings.ToUpper(w) == w && strings.ToLower(w) != w)
}

func digits(w string) bool { return w != "" && strings.Trim(w, "0123456789.") == "" }

func prepositions(w string) bool {
	switch w {
	case "of", "for", "in", "with", "without", "from", "to", "on", "at", "by", "under", "during", "after", "before", "between",
		"für", "von", "mit", "ohne", "bei", "nach", "aus", "im", "pour", "avec", "sans", "dans", "de", "du", "para", "con", "sin", "per", "di":
		return true
	}
	return false
}

func article(w string) bool {
	switch w {
	case "the", "a", "an", "my", "our", "der", "die", "das", "den", "dem", "ein", "eine", "le", "la", "les", "el", "los", "las", "il", "lo", "gli":
		return true
	}
	return false
}
