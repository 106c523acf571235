package chat_test

import (
	"context"
	"strings"

	"docqa/internal/provider/llm"
)

// scripted is a hosted model that repeats the best passage when it is good enough.
type scripted struct {
	err       error
	before    func(ctx context.Context) // called before the answer is written
	onRequest func(r llm.Request)       // called with each request
}

func (m scripted) Complete(ctx context.Context, r llm.Request) (llm.Answer, error) {
	return m.Stream(ctx, r, func(string) error { return nil })
}

func (m scripted) Stream(ctx context.Context, r llm.Request, emit func(string) error) (llm.Answer, error) {
	if m.before != nil {
		m.before(ctx)
	}
	if m.onRequest != nil {
		m.onRequest(r)
	}
	if m.err != nil {
		return llm.Answer{}, m.err
	}
	if len(r.Passages) == 0 || r.Passages[0].Score < 0.4 {
		return llm.Answer{Level: "none"}, nil
	}
	text := strings.TrimSuffix(r.Passages[0].Text, ".") + " [1]."
	for part := range strings.SplitAfterSeq(text, " ") {
		if err := emit(part); err != nil {
			return llm.Answer{}, err
		}
	}
	return llm.Answer{
		Text: text, Citations: []llm.Citation{{End: len(text), Passage: 1, QuoteBegin: -1, QuoteEnd: -1}}, Answered: true, Level: "high", Confidence: 0.9,
		Usage: llm.Usage{PromptTokens: 100, CompletionTokens: 10},
	}, nil
}
