package grounded

import (
	"strings"

	"docqa/internal/provider/llm/grounded/refusal"
)

// fewWords is how many words of a sentence tell that it is no refusal, if none of them belongs
// to one.
const fewWords = 4

// gate hands an item on as soon as it is clear that the text is an answer: with strict grounding
// when a sentence cites a passage, else when a sentence says something. A sentence that may say
// that the passages hold no answer is read to its end.
func (f *filter) gate(i item) {
	if f.released {
		f.put(i)
		return
	}
	if len(f.held) == 0 && strings.TrimSpace(i.text) == "" {
		return
	}
	f.held = append(f.held, i)
	switch blank := strings.TrimSpace(i.text) == ""; {
	case i.passage > 0:
		f.cited = true
	case blank && (strings.Contains(i.text, "\n") || endsSentence(f.sentence.String())):
		f.closeSentence()
		return
	default:
		f.sentence.WriteString(i.text)
	}
	if i.passage == 0 && f.request.Strict {
		return
	}
	s := f.sentence.String()
	words := len(strings.Fields(s))
	if f.request.Strict && words >= 2 && !refusal.MayDecline(s) || !f.request.Strict && words > fewWords && !refusal.MayDecline(s) {
		f.release()
	}
}

func endsSentence(text string) bool {
	_, stop := cutStop(strings.TrimSpace(text))
	return stop != ""
}

// closeSentence decides at the end of a sentence.
func (f *filter) closeSentence() {
	s := strings.TrimSpace(f.sentence.String())
	f.sentence.Reset()
	cited := f.cited
	f.cited = false
	switch {
	case f.released || plainWord(s) == "":
		f.cited = cited && !f.released
	case refusal.Declines(s):
		f.declined = true
	default:
		f.said = true
		if cited || !f.request.Strict {
			f.release()
		}
	}
}

// release hands on what was held.
func (f *filter) release() {
	f.released = true
	for _, i := range f.held {
		f.put(i)
	}
	f.held = nil
}

// put hands an item on.
func (f *filter) put(i item) {
	text := i.text
	if i.passage > 0 {
		text = f.request.Marker(i.passage)
		f.marks = append(f.marks, placed{at: f.text.Len(), passage: i.passage})
	}
	f.text.WriteString(text)
	f.ready.WriteString(text)
}
