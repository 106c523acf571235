package generate

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/eval/manuals"
	"docqa/eval/manuals/source"
)

var (
	followingCommand = regexp.MustCompile(`(?i)^(?:for example,? |e\.g\.,? )?the following (?:command|code|line|statement|example) ((?:will )?[a-z]+ .+?):$`)
	toDoThis         = regexp.MustCompile(`^(?:For example, to|To) ([a-z].+?), (?:you can |you could |you might |just |simply )?(?:use|run|type|enter|say|do|write|issue|try|put|add|place|set)\b.*:$`)
	youCan           = regexp.MustCompile(`^(?:You|One) can (?:also |then |easily )?([a-z].+?)(?: like this| as follows| like so| this way| with this| by doing this)?:$`)
	unclear          = regexp.MustCompile(`(?i)\b(?:this|these|that|those|it|them|above|previous|same|following|below|its)\b`)
)

const (
	maxCode     = 160
	minQuestion = 6
)

// vague matches questions that say what is used, not what for.
var vague = regexp.MustCompile(`^How can I (?:use|write|do|see|get|have) `)

// onExamples asks for commands and code that a sentence announces.
func onExamples(d *Document) []manuals.Question {
	var list []manuals.Question
	for _, x := range d.examples {
		split := sentences(x.lead)
		if len(split) == 0 {
			continue
		}
		lead := split[len(split)-1]
		question := ""
		if m := followingCommand.FindStringSubmatch(lead); m != nil && isVerb(m[1]) {
			question = "Which " + what(lead) + " " + m[1] + "?"
		} else if m := toDoThis.FindStringSubmatch(lead); m != nil {
			question = "How do I " + m[1] + "?"
		} else if m := youCan.FindStringSubmatch(lead); m != nil {
			question = "How can I " + m[1] + "?"
		}
		code := strings.TrimSpace(x.code)
		first := source.Spaces(longestLine(code))
		if question == "" || unclear.MatchString(question) || len(code) > maxCode || strings.Count(code, "\n") > 2 || len(first) < 5 ||
			!strings.ContainsFunc(first, unicode.IsLetter) || strings.Contains(code, "Traceback") || len(strings.Fields(question)) < minQuestion || vague.MatchString(question) {
			continue
		}
		list = append(list, manuals.Question{
			Kind: manuals.Command, Question: question, Quote: lead + " " + source.Spaces(code),
			Facts: []manuals.Fact{{strings.TrimPrefix(strings.TrimPrefix(first, "$ "), ">>> ")}},
		})
	}
	return list
}

func what(lead string) string {
	for _, w := range []string{"command", "code", "line", "statement"} {
		if strings.Contains(lead, "following "+w) {
			return w
		}
	}
	return "code"
}

// isVerb reports whether a text begins with a verb of the third person.
func isVerb(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	return strings.HasSuffix(first, "s") || first == "will"
}

func longestLine(code string) string {
	longest := ""
	for line := range strings.SplitSeq(code, "\n") {
		if line = strings.TrimSpace(line); len(line) > len(longest) {
			longest = line
		}
	}
	return longest
}

const (
	maxHeader = 3
	maxCell   = 60
	maxKey    = 40
)

// onRows asks for cells of tables. A key that two tables of the document have is left out.
func onRows(d *Document) []manuals.Question {
	count := map[string]int{}
	for _, r := range d.rows {
		count[r.key+"\n"+r.header]++
	}
	var list []manuals.Question
	for _, r := range d.rows {
		if count[r.key+"\n"+r.header] > 1 || len(r.key) > maxKey || len(r.cell) > maxCell || len(r.key) < 2 || len(r.cell) < 2 || r.header == "" ||
			r.keyHeader == "" || len(r.header) > maxKey || !strings.ContainsFunc(r.cell, unicode.IsLetter) && !strings.ContainsFunc(r.cell, unicode.IsDigit) ||
			len(strings.Fields(r.header)) > maxHeader || len(strings.Fields(r.keyHeader)) > maxHeader || strings.EqualFold(r.header, "notes") || strings.EqualFold(r.header, "note") || strings.HasPrefix(r.cell, "(") {
			continue
		}
		var others []string
		for _, o := range d.rows {
			if o.header == r.header && o.keyHeader == r.keyHeader && o.cell != r.cell && len(others) < 4 && !slices.Contains(others, o.cell) && len(o.cell) > 2 && len(o.cell) <= maxCell {
				others = append(others, o.cell)
			}
		}
		list = append(list, manuals.Question{
			Kind: manuals.Table, Quote: r.whole, Facts: []manuals.Fact{{r.cell}}, Others: others,
			Question: pick(r.key+r.header, lowerFirst(r.keyHeader)+" "+r.key+": "+lowerFirst(r.header)+"?",
				"What is the "+lowerFirst(r.header)+" of the "+lowerFirst(r.keyHeader)+" "+r.key+"?"),
		})
	}
	return list
}

func lowerFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	second, _ := utf8.DecodeRuneInString(text[size:])
	if unicode.IsUpper(second) {
		return text
	}
	return string(unicode.ToLower(first)) + text[size:]
}

var numbering = regexp.MustCompile(`^(?:\(?\d+(?:\.\d+)*[.:)]?\)?|[A-Z]\.) `)

// clean returns a heading without its number.
func clean(heading string) string { return strings.TrimSpace(numbering.ReplaceAllString(heading, "")) }

// onSections asks the questions that are headings. The answer holds one of the words that only its first sentence has.
func (m *maker) onSections(d *Document) []manuals.Question {
	texts := make([]string, len(d.sections))
	for i, s := range d.sections {
		texts[i] = s.text
	}
	rare := own(texts, words(d.Text))
	var list []manuals.Question
	for i, s := range d.sections {
		heading := clean(s.heading)
		first := firstSentence(s.text)
		if !strings.HasSuffix(heading, "?") || m.headings[strings.ToLower(heading)] > 1 || len(strings.Fields(heading)) < 4 ||
			strings.Contains(heading, "...") || !isGoodSentence(first) || strings.HasPrefix(first, "See ") || unclear.MatchString(lastWord(heading)) {
			continue
		}
		if !isAnswerTo(first, heading) {
			continue
		}
		asked := words(heading)
		fact := slices.DeleteFunc(rare[i], func(w string) bool { return slices.Contains(asked, w) })
		if len(fact) > 0 {
			list = append(list, manuals.Question{Kind: manuals.Heading, Question: heading, Quote: first, Facts: []manuals.Fact{fact}})
		}
	}
	return list
}

// isAnswerTo reports whether a sentence begins as an answer does or is about what the heading asks for. Many sections begin with a remark.
func isAnswerTo(sentence, heading string) bool {
	for _, begin := range []string{"Yes", "No", "Use ", "You can ", "You could ", "To "} {
		if strings.HasPrefix(sentence, begin) {
			return true
		}
	}
	said := content(sentence)
	return slices.ContainsFunc(content(heading), func(w string) bool {
		return slices.ContainsFunc(said, func(s string) bool { return s[:min(stem, len(s))] == w[:min(stem, len(w))] })
	})
}

// stem is how many letters two forms of a word share.
const stem = 6

func lastWord(text string) string {
	fields := strings.Fields(text)
	return strings.Join(fields[max(0, len(fields)-1):], " ")
}
