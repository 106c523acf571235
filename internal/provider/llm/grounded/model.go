package grounded

import (
	"context"
	"fmt"
	"regexp"
	"sync/atomic"

	"docqa/internal/provider/llm"
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
	marker  *regexp.Regexp
	address *regexp.Regexp
	last    atomic.Pointer[secrets]
}

// New returns a model that writes with client.
func New(client llm.Client, o Options) (llm.Model, error) {
	p, err := parse()
	if err != nil {
		return nil, err
	}
	return &model{client: client, o: o, prompts: p, marker: markerPattern(), address: addressPattern()}, nil
}

// Complete returns the whole answer.
func (m *model) Complete(ctx context.Context, r llm.Request) (llm.Answer, error) {
	return m.Stream(ctx, r, func(string) error { return nil })
}

// Stream emits the answer in fragments. With strict grounding the first fragment comes when the
// model has written its first marker.
func (m *model) Stream(ctx context.Context, r llm.Request, emit func(fragment string) error) (llm.Answer, error) {
	if len(r.Passages) == 0 {
		return llm.Answer{Level: "none"}, nil
	}
	p, used, err := m.prompt(&r)
	if err != nil {
		return llm.Answer{}, err
	}
	f := &filter{
		model: m, request: &r, passages: r.Passages[:used], emit: emit, named: map[string]int{},
		leak: &leak{secrets: m.secretsOf(p.System), passages: r.Passages[:used]},
	}
	ending, err := m.client.Stream(ctx, p, f.write)
	if err != nil {
		return llm.Answer{}, err
	}
	if err := f.end(); err != nil {
		return llm.Answer{}, err
	}
	if ending.Usage == (llm.Usage{}) { // a server that does not count
		ending.Usage = llm.Usage{
			PromptTokens:     (len(p.System) + len(p.User) + bytesPerToken) / (bytesPerToken + 1),
			CompletionTokens: (f.read + bytesPerToken) / (bytesPerToken + 1),
		}
	}
	answer := llm.Answer{Usage: ending.Usage, Stop: ending.Stop, Level: "none"}
	if f.released {
		answer.Answered, answer.Text, answer.Level = true, f.text.String(), ""
		answer.Citations = f.citations(answer.Text)
	}
	return answer, nil
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
