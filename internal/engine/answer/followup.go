package answer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/statement"
)

const (
	maxSuggested = 6    // how many questions are returned
	maxTried     = 9    // how many are asked
	triedOfOne   = 4    // how many of them about one passage
	suggestFrom  = 5    // how many passages they are about
	rareAmong    = 1000 // passages among which each word of a suggested question stands in one
)

// Suggestion is a question that a passage answers.
type Suggestion struct {
	Question string
	Passage  int // index of the passage
	Begin    int // the statement that answers, in bytes of the passage's text
	End      int // byte after its last
}

// suggestion is a question that the statement s is expected to answer.
type suggestion struct {
	question string
	rank     int // 0 is the most natural
	s        *quotation
}

// Suggest returns questions about other things in the passages than the given question: those that
// the documents ask themselves, and those about their entries and headings. Each of them was
// asked: the passage answers it with the statement that it is about.
func (c *Composer) Suggest(question string, q *lexical.Question, passages []Passage, o Options) []Suggestion {
	passages = passages[:min(len(passages), suggestFrom)]
	x := newQuestion(question, q)
	var out []Suggestion
	seen, tried := map[string]bool{}, 0
	for i := range passages {
		alone := passages[i]
		alone.Sentences, alone.Cosine = nil, 0 // they are about another question
		list := x.suggestions(&alone)
		for _, one := range list[:min(len(list), triedOfOne)] {
			if seen[one.question] || tried == maxTried || len(out) == maxSuggested {
				continue
			}
			seen[one.question], tried = true, tried+1
			if c.answers(one, &alone, o) {
				out = append(out, Suggestion{Question: one.question, Passage: i, Begin: one.s.Start, End: one.s.End})
			}
		}
	}
	return out
}

// answers asks a suggested question of its passage.
func (c *Composer) answers(one suggestion, p *Passage, o Options) bool {
	q := (&lexical.Stats{Passages: rareAmong}).Question(one.question)
	passages := []Passage{*p}
	passages[0].Lexical = bestLexical(q, p)
	r := c.read(one.question, q, passages, o)
	o = o.withDefaults(r.models.Threshold)
	if len(r.chosen) == 0 || r.confidence < *o.Threshold {
		return false
	}
	first := &r.chosen[0]
	return first.Term == one.s.Term && first.Section == one.s.Section && first.Asked == one.s.Asked
}

// bestLexical estimates the BM25 score of a passage: every word of the question that it has counts
// its idf once.
func bestLexical(q *lexical.Question, p *Passage) float64 {
	sum, seen := 0.0, make([]bool, len(q.Words))
	for _, h := range q.Find(p.Title + "\n" + strings.Join(p.HeadingPath, "\n") + "\n" + p.Text).Hits {
		if !seen[h.Word] {
			seen[h.Word] = true
			sum += q.Words[h.Word].IDF
		}
	}
	return sum
}

// suggestions returns questions about a passage, the most natural first: one for each question of
// the document, entry and heading that the user's question does not ask about.
func (x *question) suggestions(p *Passage) []suggestion {
	var out []suggestion
	last := ""
	all := x.quotations(0, p)
	for i := range all {
		s := &all[i]
		section := x.section([]Passage{*p}, s)
		about := s.Asked + "\n" + s.Term + "\n" + section
		if about == last || !s.quotable() {
			continue
		}
		last = about
		one := suggestion{s: s}
		switch {
		case s.Asked != "":
			one.question, one.rank = x.ofQuestion(s.Asked), 0
		case s.Term != "" && x.lang == lexical.English:
			one.question, one.rank = x.ofTerm(s.Term), 1
		case s.Term == "":
			one.question, one.rank = x.ofHeading(section, all)
		}
		if one.question != "" {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b suggestion) int { return cmp.Compare(a.rank, b.rank) })
	return out
}

// ofQuestion returns a question of the document if it is understood by itself.
func (x *question) ofQuestion(asked string) string {
	asked = strings.TrimLeft(asked, "#0123456789.() ")
	words := strings.Fields(strings.ToLower(asked))
	if len(words) < 4 || len(asked) > 120 || x.asks(asked) || slices.ContainsFunc(words, pointsBack) {
		return ""
	}
	if x.lang == lexical.English && !interrogative(words[0]) && !interrogative(words[1]) && !slices.Contains(auxiliaries(), words[0]) {
		return ""
	}
	return asked
}

// pointsBack reports whether a word stands for something that was said before.
func pointsBack(w string) bool {
	switch strings.Trim(w, ".,?!") {
	case "it", "its", "this", "that", "these", "those", "they", "them", "he", "she":
		return true
	}
	return false
}

// ofTerm returns a question about an entry: what an option does, or what a name means.
func (x *question) ofTerm(term string) string {
	if x.matchEntry(term) != notNamed || x.asks(term) {
		return ""
	}
	names := namesOfTerm(term)
	if len(names) == 0 {
		return ""
	}
	name := names[0]
	for _, n := range names {
		if strings.HasPrefix(n, "--") {
			name = n
			break
		}
	}
	if letter := strings.HasPrefix(name, "-") && len(name) <= 2; letter || !strings.ContainsFunc(name, unicode.IsLetter) {
		return "" // many programs have that one
	}
	if exactForm(name) && len(name) <= 40 {
		return "What does " + name + " do?"
	}
	if fields := strings.Fields(term); len(fields) >= 2 && len(fields) <= 5 && usable(term) && !strings.ContainsFunc(term, symbol) {
		return "What does “" + strings.Trim(term, " :.") + "” mean?"
	}
	return ""
}

func symbol(r rune) bool { return !unicode.IsLetter(r) && r != ' ' && r != '-' && r != '\'' }

// ofHeading returns a question about what stands under a heading.
func (x *question) ofHeading(heading string, all []quotation) (asked string, rank int) {
	topic := topicOf(heading)
	if !usable(topic) || x.asks(topic) {
		return "", 0
	}
	var text strings.Builder
	for i := range all {
		text.WriteString(all[i].text + "\n")
	}
	return phrase(topic, text.String(), x.lang == lexical.English)
}

// asks tells whether the question already asks about the topic.
func (x *question) asks(topic string) bool {
	if strings.Contains(x.text, strings.ToLower(topic)) {
		return true
	}
	m := x.find.Find(topic)
	return len(m.Hits) > 0 && len(m.Hits)*2 >= m.Tokens
}

// usable tells whether a topic reads well in a question: a few words, not in capitals,
// without digits, and not a general heading.
func usable(topic string) bool {
	words := strings.Fields(topic)
	if len(topic) < 4 || len(topic) > 80 || len(words) > 10 || strings.ContainsAny(topic, "\t|") {
		return false
	}
	if !strings.ContainsFunc(topic, unicode.IsLower) && strings.ContainsFunc(topic, unicode.IsUpper) {
		return false
	}
	return !strings.ContainsFunc(topic, unicode.IsDigit) && !general(topic)
}

// general tells whether a heading could stand in any document.
func general(topic string) bool {
	switch strings.ToLower(topic) {
	case "overview", "introduction", "conclusion", "summary", "contents", "table of contents", "general", "notes", "references", "exceptions", "examples",
		"tips", "details", "other", "appendix", "index", "abstract", "background", "einleitung", "zusammenfassung", "introducción", "resumen", "conclusión",
		"note", "tip", "warning", "caution", "important", "hint", "example", "see also", "description", "synopsis", "name", "options", "author", "authors",
		"copyright", "bugs", "history", "files", "usage", "caveats", "parameters", "return value", "return values", "remarks", "notice", "miscellaneous":
		return true
	}
	return false
}

// Ask turns a heading into a question. ok is false if it would not read well.
func Ask(heading string, english bool) (asked string, ok bool) {
	topic := topicOf(heading)
	if !usable(topic) {
		return "", false
	}
	asked, _ = phrase(topic, "", english)
	return asked, asked != ""
}

// topicOf returns a heading without its number and marks.
func topicOf(heading string) string {
	return strings.Trim(statement.Plain(strings.TrimLeft(heading, "#0123456789. ")), " :.")
}

// phrase turns a topic into a question. A topic that is not English stays as it is, or gives none
// if it does not ask. text is what stands under it.
func phrase(topic, text string, english bool) (asked string, rank int) {
	first, rest, _ := strings.Cut(topic, " ")
	switch {
	case strings.HasSuffix(topic, "?"):
		return topic, 0
	case !english || clause(topic):
		return "", 0
	case strings.EqualFold(first, "how") && strings.HasPrefix(rest, "to "):
		return "How do I " + strings.TrimPrefix(rest, "to ") + "?", 0
	case interrogative(topic):
		return topic + "?", 0
	case strings.HasSuffix(first, "ing") && rest != "":
		if verb := baseOf(strings.ToLower(first), text); verb != "" {
			return "How do I " + verb + " " + inText(rest, text) + "?", 0
		}
	}
	return "What about " + inText(topic, text) + "?", 2
}

// inText writes the words of a heading in lower case, except for names: they have several
// capital letters, or the text has them in no other way.
func inText(topic, text string) string {
	words := strings.Fields(topic)
	for i, w := range words {
		l := strings.ToLower(w)
		if capitals := len(w) - len(strings.TrimLeftFunc(w, unicode.IsUpper)); capitals > 1 || strings.ToLower(w[capitals:]) != w[capitals:] {
			continue
		}
		if text != "" && (holdsExactly(text, l) || !holdsExactly(text, w)) {
			words[i] = l
		}
	}
	return strings.Join(words, " ")
}

// baseOf returns the verb of which a word is the form with -ing, if the text has it; "" if not.
func baseOf(gerund, text string) string {
	stem := strings.TrimSuffix(gerund, "ing")
	if len(stem) < 3 {
		return ""
	}
	forms := []string{stem, stem + "e"}
	if n := len(stem); stem[n-1] == stem[n-2] {
		forms = append(forms, stem[:n-1])
	}
	for _, verb := range forms {
		if holdsExactly(text, verb) {
			return verb
		}
	}
	return ""
}

// holdsExactly reports whether text has a word in exactly this form.
func holdsExactly(text, w string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(w)
		if (start == 0 || !letter(text[start-1])) && (end == len(text) || !letter(text[end])) {
			return true
		}
		from = end
	}
}

func letter(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b == '-' || b >= 0x80
}

// interrogative tells whether an English heading begins with a question word.
func interrogative(topic string) bool {
	word, _, _ := strings.Cut(strings.ToLower(topic), " ")
	switch word {
	case "what", "who", "when", "where", "why", "which", "how":
		return true
	}
	return false
}

// clause tells whether an English heading begins like a question and is none: "What we
// promise". "What is covered" is a question, as the verb follows the question word.
func clause(topic string) bool {
	words := strings.Fields(strings.ToLower(topic))
	if len(words) < 2 || !interrogative(topic) || strings.HasSuffix(topic, "?") {
		return false
	}
	switch words[1] {
	case "is", "are", "was", "were", "do", "does", "did", "can", "may", "will", "should", "must", "has", "have", "happens", "to", "many", "much", "long", "often":
		return false
	}
	return true
}
