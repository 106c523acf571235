package grounded

import (
	"context"
	"fmt"
	"sync/atomic"

	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/grounded/unwrap"
)

// Options are the settings of a model in the catalog.
type Options struct {
	Context          int // tokens of a prompt together with its answer
	MaxOutput        int // tokens of an answer
	FixedTemperature bool
}

type model struct {
	client  llm.Client
	o       Options
	prompts *prompts
	last    atomic.Pointer[secrets]
}

// New returns a model that writes with client.
func New(client llm.Client, o Options) (llm.Model, error) {
	p, err := parse()
	if err != nil {
		return nil, err
	}
	return &model{client: client, o: o, prompts: p}, nil
}

// Complete returns the whole answer.
func (m *model) Complete(ctx context.Context, r llm.Request) (llm.Answer, error) {
	return m.Stream(ctx, r, func(string) error { return nil })
}

// Stream emits the answer in fragments. With strict grounding the first fragment comes when the
// model has cited a passage. A reply without any marker is held until its end, and emitted with
// the markers of the passages that hold its sentences. If none does, the model is asked once
// more, with a line that asks for markers; the usage of both calls is summed.
func (m *model) Stream(ctx context.Context, r llm.Request, emit func(fragment string) error) (llm.Answer, error) {
	if len(r.Passages) == 0 {
		return llm.Answer{Level: "none"}, nil
	}
	p, used, err := m.prompt(&r)
	if err != nil {
		return llm.Answer{}, err
	}
	k := &known{passages: r.Passages[:used], others: []string{r.Question, r.System, r.Tone}}
	first, f, err := m.ask(ctx, p, m.filter(&r, k, p.System, emit))
	if err != nil {
		return llm.Answer{}, err
	}
	if !f.unsupported() || first.Stop == llm.Filtered {
		return f.answer(first), nil
	}
	p.User += "\n\n" + m.prompts.again
	second, again, err := m.ask(ctx, p, m.filter(&r, k, p.System, emit))
	switch {
	case err == nil:
		second.Usage.PromptTokens += first.Usage.PromptTokens
		second.Usage.CompletionTokens += first.Usage.CompletionTokens
		return again.answer(second), nil
	case again.released || ctx.Err() != nil:
		return llm.Answer{}, err
	}
	return f.answer(first), nil // there is a reply that nothing supports: the failure of the second call changes nothing
}

// filter returns the filter of one reply.
func (m *model) filter(r *llm.Request, k *known, system string, emit func(string) error) *filter {
	return &filter{
		request: r, known: k, emit: emit, fresh: true, lexer: lexer{known: k}, unwrap: unwrap.Reader{KeepTags: k.has("<think")},
		leak: leak{secrets: m.secretsOf(system), known: k},
	}
}

// ask sends a prompt and has f read the reply.
func (m *model) ask(ctx context.Context, p llm.Prompt, f *filter) (llm.Ending, *filter, error) {
	ending, err := m.client.Stream(ctx, p, f.write)
	if err == nil {
		err = f.end()
	}
	if ending.Usage == (llm.Usage{}) { // a server that does not count
		ending.Usage = llm.Usage{
			PromptTokens:     (len(p.System) + len(p.User) + bytesPerToken) / (bytesPerToken + 1),
			CompletionTokens: (f.read + bytesPerToken) / (bytesPerToken + 1),
		}
	}
	return ending, f, err
}

func (m *model) prompt(r *llm.Request) (llm.Prompt, int, error) {
	p := llm.Prompt{MaxTokens: min(r.MaxTokens, m.o.MaxOutput)}
	if !m.o.FixedTemperature {
		p.Temperature = &r.Temperature
	}
	var err error
	if p.System, err = m.prompts.system(r); err != nil {
		return p, 0, err
	}
	maxBytes := (m.o.Context-p.MaxTokens)*bytesPerToken - len(p.System)
	if r.ContextTokens > 0 {
		maxBytes = min(maxBytes, r.ContextTokens*bytesPerToken)
	}
	var used int
	if p.User, used, err = m.prompts.user(r, maxBytes); err != nil {
		return p, 0, fmt.Errorf("write a prompt: %w", err)
	}
	return p, used, nil
}
