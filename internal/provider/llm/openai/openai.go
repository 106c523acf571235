// Package openai is a client of POST /chat/completions, as OpenAI defined it. vLLM, Ollama,
// llama.cpp and many hosts offer it too.
//
// It knows neither retries nor prompts. Its invariant: an answer is complete only if the
// server said why it ended.
package openai

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"docqa/internal/provider/llm"
	"docqa/internal/provider/wire"
)

const publicURL = "https://api.openai.com/v1"

// Options say which model is called and where.
type Options struct {
	BaseURL string // with the version of the API; default: OpenAI's
	Key     string // empty: no key is sent
	Model   string
}

type client struct {
	completions *wire.Endpoint
	model       string
	ofOpenAI    bool // the server is OpenAI's own
}

// New returns a client of one model.
func New(o Options) llm.Client {
	base, header := cmp.Or(o.BaseURL, publicURL), http.Header{}
	if o.Key != "" {
		header.Set("Authorization", "Bearer "+o.Key)
	}
	return &client{
		completions: wire.NewEndpoint(base, "/chat/completions", header), model: o.Model, ofOpenAI: strings.HasPrefix(base, publicURL),
	}
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model         string         `json:"model"`
	Messages      []message      `json:"messages"`
	MaxTokens     int            `json:"max_tokens,omitempty"`
	MaxCompletion int            `json:"max_completion_tokens,omitempty"`
	Temperature   *float64       `json:"temperature,omitempty"`
	Stream        bool           `json:"stream"`
	StreamOptions map[string]any `json:"stream_options"`
}

// request is the body of the call. The member that bounds the answer has two names: newer
// models of OpenAI itself accept only the second, other servers only the first.
func (c *client) request(p llm.Prompt) request {
	r := request{
		Model: c.model, Temperature: p.Temperature, Stream: true, StreamOptions: map[string]any{"include_usage": true},
		Messages: []message{{Role: "system", Content: p.System}, {Role: "user", Content: p.User}},
	}
	if c.ofOpenAI {
		r.MaxCompletion = p.MaxTokens
	} else {
		r.MaxTokens = p.MaxTokens
	}
	return r
}

// Stream sends p.
func (c *client) Stream(ctx context.Context, p llm.Prompt, emit func(fragment string) error) (llm.Ending, error) {
	a := answer{emit: emit}
	if err := c.completions.Stream(ctx, c.request(p), a.event); err != nil {
		return llm.Ending{}, err
	}
	if a.finish == "" {
		return llm.Ending{}, wire.Malformed("the answer broke off")
	}
	return llm.Ending{Usage: a.usage, Stop: stopReason(a.finish)}, nil
}

// answer is the part of the answer that has arrived.
type answer struct {
	emit   func(string) error
	usage  llm.Usage
	finish string // why the answer ended; empty until then
}

func (a *answer) event(data []byte) error {
	if string(data) == "[DONE]" {
		return nil
	}
	c, err := read(data)
	if err != nil {
		return wire.Malformed("an event is no JSON")
	}
	if c.failed {
		return wire.Reported(c.problem, true)
	}
	if c.usage != nil {
		a.usage = *c.usage
	}
	a.finish = cmp.Or(a.finish, c.finish)
	if c.text == "" {
		return nil
	}
	return a.emit(c.text)
}

func stopReason(finish string) llm.StopReason {
	switch finish {
	case "length":
		return llm.MaxLength
	case "content_filter":
		return llm.Filtered
	}
	return llm.Finished
}
