package answer

import (
	"strings"

	"docqa/internal/engine/lexical"
)

// mostFollowUps is how many questions are suggested.
const mostFollowUps = 3

// followUps suggests what the passages also tell: their headings first, then the
// titles of documents that were found but not used.
func (x *inquiry) followUps(passages []Passage, chosen []statement) []string {
	used := map[string]bool{}
	for _, s := range chosen {
		p := &passages[s.passage]
		used[strings.ToLower(p.Title)] = true
	}
	out := []string{}
	add := func(topic string) {
		topic = strings.Trim(tidy(strings.TrimLeft(topic, "#0123456789. ")), " :.")
		key := strings.ToLower(topic)
		if len(out) < mostFollowUps && usable(topic) && !used[key] && !x.asks(topic) {
			used[key] = true
			out = append(out, x.phrase(topic))
		}
	}
	for i := range passages {
		if path := passages[i].HeadingPath; len(path) > 0 {
			add(path[len(path)-1])
		}
	}
	for i := range passages {
		for line := range strings.Lines(passages[i].Text) {
			if line = strings.TrimSpace(line); heading(line) {
				add(line)
			}
		}
	}
	for i := range passages {
		add(passages[i].Title)
	}
	return out
}

// usable tells whether a heading reads well in a question.
func usable(topic string) bool {
	words := len(strings.Fields(topic))
	return len(topic) >= 4 && len(topic) <= 80 && words <= 10 && !strings.ContainsAny(topic, "\t|")
}

// asks tells whether the question already held the whole topic.
func (x *inquiry) asks(topic string) bool {
	m := x.find.Find(topic)
	return len(m.Hits) > 0 && len(m.Hits)*2 >= m.Tokens
}

// phrase makes a topic a question, in the question's language where that is English.
func (x *inquiry) phrase(topic string) string {
	switch {
	case strings.HasSuffix(topic, "?"), x.lang != lexical.English:
		return topic
	default:
		return "What about " + topic + "?"
	}
}
