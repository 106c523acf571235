package manuals

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"docqa/eval/manuals/source"
)

// Reply is an answer to a question.
type Reply struct {
	Text     string // with [n] markers
	Answered bool   // false = the service said that it has no answer
	Quotes   []string
}

// Score is what a reply is worth. Of a question without an answer only Refused and Wrong are set.
type Score struct {
	Complete   bool // all facts are said
	Contains   bool // the first fact is said
	FirstRight bool // the first statement says a fact
	Wrong      bool // answered, but no fact is said; or answered although there is no answer
	OtherEntry bool // the first statement says the value of another entry and no fact
	Refused    bool
	Quoted     bool // a quoted passage holds the first fact
}

// ScoreOf scores a reply. A value such as "no" or "1" is in many texts: it counts as said only in a statement about the subject.
func ScoreOf(q *Question, r *Reply) Score {
	s := Score{Refused: !r.Answered}
	if !r.Answered {
		return s
	}
	if !q.Answerable || len(q.Facts) == 0 {
		s.Wrong = true
		return s
	}
	text := plain(r.Text)
	first := FirstStatement(r.Text)
	said := 0
	for i, f := range q.Facts {
		if !says(q, f, text) {
			continue
		}
		said++
		s.Contains = s.Contains || i == 0
	}
	s.Complete = said == len(q.Facts)
	s.FirstRight = slices.ContainsFunc(q.Facts, func(f Fact) bool { return says(q, f, first) })
	s.Wrong = said == 0
	s.OtherEntry = !s.FirstRight && slices.ContainsFunc(q.Others, func(o string) bool { return saysOther(o, first) })
	s.Quoted = slices.ContainsFunc(r.Quotes, func(quote string) bool {
		return slices.ContainsFunc(q.Facts[0], func(wording string) bool { return Holds(quote, wording) })
	})
	return s
}

// says reports whether text says the fact in one of its wordings.
func says(q *Question, f Fact, text string) bool {
	return slices.ContainsFunc(f, func(wording string) bool {
		switch {
		case q.Kind == YesNo && isVerdict(wording):
			return beginsWith(text, wording)
		case isWeak(wording):
			return slices.ContainsFunc(statements(text), func(one string) bool { return Holds(one, wording) && isAbout(q, one, text) })
		default:
			return Holds(text, wording)
		}
	})
}

// saysOther reports whether a statement says the value of another entry. A weak one counts only where it is called a default.
func saysOther(value, statement string) bool {
	return Holds(statement, value) && (!isWeak(value) || namesDefault(words(statement)) || len(words(statement)) <= shortReply)
}

func namesDefault(list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(w, "default") })
}

func isVerdict(wording string) bool { return wording == "yes" || wording == "no" }

func beginsWith(text, word string) bool {
	have := words(text)
	return len(have) > 0 && have[0] == word
}

// isWeak reports whether a wording is so common that it is in sentences about anything: a single letter or digit, yes, off, none.
func isWeak(wording string) bool {
	switch w := fold(wording); w {
	case "yes", "no", "on", "off", "true", "false", "none", "zero", "one", "auto", "all":
		return true
	default:
		signs := !strings.ContainsFunc(w, isWord)
		return signs && utf8.RuneCountInString(w) == 1 || utf8.RuneCountInString(w) <= 2 && !strings.ContainsFunc(w, func(r rune) bool { return !isWord(r) })
	}
}

// shortReply is the number of words of a reply that says nothing but the value.
const shortReply = 6

// isAbout reports whether a statement is about what q asks for: it says "default" where the question does, shares a word with the question,
// says another of the facts, or is the whole reply. Words cannot be compared with a question in another language.
func isAbout(q *Question, statement, text string) bool {
	have := words(statement)
	if q.Kind == Language || len(words(text)) <= shortReply {
		return true
	}
	asked := words(q.Question)
	for _, turn := range q.History {
		asked = append(asked, words(turn.Text)...)
	}
	if namesDefault(have) && (q.Kind == Default || namesDefault(asked)) {
		return true
	}
	for _, f := range q.Facts {
		if slices.ContainsFunc(f, func(wording string) bool { return !isWeak(wording) && Holds(statement, wording) }) {
			return true
		}
	}
	for _, name := range shortNames(q.Question) {
		if slices.Contains(have, name) {
			return true
		}
	}
	return slices.ContainsFunc(asked, func(w string) bool {
		return len(w) > 3 && !strings.HasPrefix(w, "default") && !isQuestionWord(w) &&
			slices.ContainsFunc(have, func(h string) bool { return h[:min(stem, len(h))] == w[:min(stem, len(w))] })
	})
}

// stem is how many letters two forms of a word share.
const stem = 6

// shortNames returns the short names in a question, such as "O", "PS4" and the letter of "-C", in lower case.
func shortNames(question string) []string {
	var list []string
	for field := range strings.FieldsSeq(question) {
		name := strings.Trim(field, "-?,.\"'")
		if name != "" && len(name) <= 3 && (strings.ToUpper(name) == name || strings.HasPrefix(field, "-")) {
			list = append(list, strings.ToLower(name))
		}
	}
	return list
}

func isQuestionWord(w string) bool {
	return slices.Contains([]string{
		"what", "which", "when", "where", "does", "many", "much", "long", "mean", "there", "have", "that", "this", "with", "from",
		"should", "must", "will", "then", "they", "than", "into", "about", "after", "value", "used",
	}, w)
}

var marker = regexp.MustCompile(`\s*\[\d{1,3}\]`)

func plain(text string) string { return strings.TrimSpace(marker.ReplaceAllString(text, "")) }

var statementEnd = regexp.MustCompile(`[.!?]["')\]]*(?:\s+|$)|\n+`)

// FirstStatement returns the text up to the first marker, or up to the end of the first sentence or line if that comes before it. A line
// that announces what follows ("…:") belongs to the statement behind it.
func FirstStatement(text string) string {
	text = strings.TrimSpace(text)
	if at := marker.FindStringIndex(text); at != nil && at[0] > 0 {
		text = text[:at[0]]
	}
	list := statements(text)
	if len(list) == 0 {
		return text
	}
	return list[0]
}

// statements splits text into sentences and lines, keeping a line that ends with a colon with the next one.
func statements(text string) []string {
	return source.Split(text, statementEnd, func(one string) bool {
		return strings.HasSuffix(one, ":") || source.IsAbbreviated(one) || strings.Trim(one, "0123456789.") == ""
	})
}
