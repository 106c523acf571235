package chat

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"docqa/internal/engine/answer"
	"docqa/internal/provider/llm"
)

// fragmentWords is the number of words in a fragment of a streamed answer.
const fragmentWords = 6

// Extractive returns the built-in writer. It composes answers from sentences of the passages
// and calls no other service.
func Extractive() Writer { return extractive{} }

type extractive struct{}

// composer loads the models when the first answer is written.
var composer = sync.OnceValues(answer.New) //nolint:gochecknoglobals // loaded once, for all writers

// Write answers a task. It fails only if the program was built with broken models.
func (extractive) Write(_ context.Context, t Task, emit func(fragment string)) (llm.Answer, error) {
	var o answer.Options
	if t.Number != nil {
		o.Number = func(passage int) int { return t.Number(passage + 1) }
	}
	composed, err := composeExtract(&t, o)
	if err != nil {
		return llm.Answer{}, err
	}
	a := llm.Answer{
		Text: composed.Text, Answered: composed.Answered, Confidence: composed.Confidence, Level: composed.Level,
	}
	for _, c := range composed.Citations {
		a.Citations = append(a.Citations, llm.Citation{
			Begin: c.Begin, End: c.End, Passage: c.Passage + 1, QuoteBegin: c.QuoteBegin, QuoteEnd: c.QuoteEnd,
		})
	}
	truncate(&a, t.MaxTokens)
	a.Usage = usage(&t.Request, a.Text)
	if emit != nil {
		for fragment := range fragments(a.Text) {
			emit(fragment)
		}
	}
	return a, nil
}

// composeExtract answers a task from sentences of its passages.
func composeExtract(t *Task, o answer.Options) (answer.Answer, error) {
	c, err := composer()
	if err != nil {
		return answer.Answer{}, fmt.Errorf("compose an answer: %w", err)
	}
	o.Threshold = t.Threshold
	return c.Compose(cmp.Or(t.Asked, t.Question), t.Words, evidence(t), o), nil
}

// evidence converts the passages of a task for the engine.
func evidence(t *Task) []answer.Passage {
	passages := make([]answer.Passage, len(t.Passages))
	for i, p := range t.Passages {
		passages[i] = answer.Passage{DocumentID: p.DocumentID, Title: p.Title, HeadingPath: p.HeadingPath, Ordinal: p.Ordinal, Text: p.Text}
		if i < len(t.Found) {
			f := &t.Found[i]
			passages[i].Context, passages[i].Marks, passages[i].Lexical, passages[i].Cosine, passages[i].Sentences = f.Context, f.Marks, f.Lexical, f.Cosine, f.Sentences
		}
	}
	return passages
}

// fragments splits text after every few words. The fragments joined are the text.
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

// truncate leaves the first statements of an answer that fit into maxTokens, at least one; all
// of them if maxTokens is 0.
func truncate(a *llm.Answer, maxTokens int) {
	if maxTokens <= 0 || tokens(len(a.Text)) <= maxTokens {
		return
	}
	for i := range a.Citations {
		if i > 0 && tokens(a.Citations[i].End) > maxTokens {
			a.Text, a.Citations = a.Text[:a.Citations[i-1].End], a.Citations[:i]
			return
		}
	}
}

// tokens estimates the tokens of a text by its length in bytes.
func tokens(length int) int { return (length + bytesPerToken - 1) / bytesPerToken }

// usage estimates the tokens of an answer, because the built-in writer does not count tokens.
func usage(r *llm.Request, text string) llm.Usage {
	read := len(r.Question)
	for i := range r.Passages {
		read += len(r.Passages[i].Text)
	}
	return llm.Usage{PromptTokens: tokens(read), CompletionTokens: tokens(len(text))}
}
