package answer

import (
	"strings"
	"unicode"

	"docqa/internal/engine/lexical"
	"docqa/internal/engine/statement"
)

// maxFollowUps is how many questions are suggested.
const maxFollowUps = 3

// followUps suggests questions about other topics of the passages: their headings first,
// then the titles of documents that were found but not used.
func (x *question) followUps(passages []Passage, chosen []quotation) []string {
	used := map[string]bool{}
	for _, s := range chosen {
		p := &passages[s.passage]
		used[strings.ToLower(p.Title)] = true
	}
	out := []string{}
	add := func(topic string) {
		topic = topicOf(topic)
		key := strings.ToLower(topic)
		if len(out) < maxFollowUps && usable(topic) && !clause(topic) && !used[key] && !x.asks(topic) {
			used[key] = true
			out = append(out, phrase(topic, x.lang == lexical.English))
		}
	}
	for i := range passages {
		if path := passages[i].HeadingPath; len(path) > 0 {
			add(path[len(path)-1])
		}
	}
	for i := range passages {
		for line := range strings.Lines(passages[i].Text) {
			if line = strings.TrimSpace(line); statement.IsHeading(line) {
				add(line)
			}
		}
	}
	for title, n := range titles(passages) {
		if n > 1 {
			add(title)
		}
	}
	return out
}

// titles yields the documents' titles in the order of the passages, with the number
// of passages that each has.
func titles(passages []Passage) func(yield func(string, int) bool) {
	count := map[string]int{}
	for i := range passages {
		count[passages[i].Title]++
	}
	return func(yield func(string, int) bool) {
		for i := range passages {
			if !yield(passages[i].Title, count[passages[i].Title]) {
				return
			}
		}
	}
}

// usable tells whether a topic reads well in a question: a few words, not in capitals,
// without digits, and not a general heading.
func usable(topic string) bool {
	words := strings.Fields(topic)
	if len(topic) < 4 || len(topic) > 80 || len(words) > 10 || strings.ContainsAny(topic, "\t|") {
		return false
	}
	if len(words) > 2 && !strings.ContainsFunc(topic, unicode.IsLower) && strings.ContainsFunc(topic, unicode.IsUpper) {
		return false
	}
	return !strings.ContainsFunc(topic, unicode.IsDigit) && !general(topic)
}

// general tells whether a heading could stand in any document.
func general(topic string) bool {
	switch strings.ToLower(topic) {
	case "overview", "introduction", "conclusion", "summary", "contents", "table of contents", "general", "notes", "references", "exceptions", "examples",
		"tips", "details", "other", "appendix", "index", "abstract", "background", "einleitung", "zusammenfassung", "introducción", "resumen", "conclusión":
		return true
	}
	return false
}

// asks tells whether the question already asked about the topic.
func (x *question) asks(topic string) bool {
	if strings.Contains(x.text, strings.ToLower(topic)) {
		return true
	}
	m := x.find.Find(topic)
	return len(m.Hits) > 0 && len(m.Hits)*2 >= m.Tokens
}

// Ask turns a heading into a question. ok is false if it would not read well.
func Ask(heading string, english bool) (asked string, ok bool) {
	topic := topicOf(heading)
	if !usable(topic) {
		return "", false
	}
	return phrase(topic, english), true
}

// topicOf returns a heading without its number and marks.
func topicOf(heading string) string {
	return strings.Trim(statement.Plain(strings.TrimLeft(heading, "#0123456789. ")), " :.")
}

// phrase turns a topic into a question. A topic that is not English stays as it is.
func phrase(topic string, english bool) string {
	switch {
	case strings.HasSuffix(topic, "?"), !english:
		return topic
	case interrogative(topic):
		return topic + "?"
	default:
		return "What about " + topic + "?"
	}
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
