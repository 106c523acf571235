package chat

import (
	"context"
	"fmt"
	"regexp"
	"sync"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/sentence"
	"docqa/internal/provider/llm"
)

// fragmentWords is how many words a fragment of a streamed answer has.
const fragmentWords = 6

// Extractive returns the built-in writer: it composes answers of sentences of the
// passages, and needs nothing outside of the process.
func Extractive() Writer { return extractive{} }

type extractive struct{}

// composer is read when the first answer is written.
var composer = sync.OnceValues(answer.New) //nolint:gochecknoglobals // read once, by all writers

// Write answers a task. It fails where the program was built with broken models.
func (extractive) Write(_ context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	composed, err := compose(&t)
	if err != nil {
		return llm.Answer{}, err
	}
	text := fitting(composed.Text, t.MaxTokens)
	if emit != nil {
		for fragment := range fragments(text) {
			emit(fragment)
		}
	}
	return llm.Answer{
		Text: text, Answered: composed.Answered, Confidence: composed.Confidence, Level: composed.Level,
		FollowUps: composed.FollowUps, Usage: usage(&t.Request, text),
	}, nil
}

func compose(t *Task) (answer.Answer, error) {
	c, err := composer()
	if err != nil {
		return answer.Answer{}, fmt.Errorf("compose an answer: %w", err)
	}
	return c.Compose(t.Question, t.Words, evidence(t), answer.Options{}), nil
}

// evidence are a task's passages as the engine reads them.
func evidence(t *Task) []answer.Passage {
	passages := make([]answer.Passage, len(t.Passages))
	for i, p := range t.Passages {
		passages[i] = answer.Passage{DocumentID: p.DocumentID, Title: p.Title, HeadingPath: p.HeadingPath, Ordinal: p.Ordinal, Text: p.Text}
		if i < len(t.Found) {
			f := &t.Found[i]
			passages[i].Context, passages[i].Lexical, passages[i].Cosine, passages[i].Sentences = f.Context, f.Lexical, f.Cosine, f.Sentences
		}
	}
	return passages
}

var marker = regexp.MustCompile(`\s?\[\d{1,3}\]`)

// fragments cuts text behind every few words; together they are the text.
func fragments(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start, words := 0, 0
		for i, r := range text {
			if r != ' ' {
				continue
			}
			if words++; words == fragmentWords {
				if !yield(text[start : i+1]) {
					return
				}
				start, words = i+1, 0
			}
		}
		if start < len(text) {
			yield(text[start:])
		}
	}
}

// fitting returns the sentences of text that fit into so many tokens, at least the
// first; all of them where most is 0.
func fitting(text string, most int) string {
	if most <= 0 || tokens(len(text)) <= most {
		return text
	}
	end := 0
	for _, s := range sentence.Split(text) {
		if end > 0 && tokens(s.End) > most {
			break
		}
		end = s.End
	}
	return text[:end]
}

// tokens estimates tokens by the length of a text in bytes, four each.
func tokens(length int) int { return (length + 3) / 4 }

// usage estimates the tokens of an answer: the built-in writer has none of its own.
func usage(r *llm.Request, text string) llm.Usage {
	read := len(r.Question)
	for i := range r.Passages {
		read += len(r.Passages[i].Text)
	}
	return llm.Usage{PromptTokens: tokens(read), CompletionTokens: tokens(len(text))}
}
