// Package anthropic is a client of Anthropic's POST /v1/messages.
//
// It knows neither retries nor prompts. Its invariant: an answer is complete only if the
// server said that its message has ended.
package anthropic

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"docqa/internal/provider/llm"
	"docqa/internal/provider/wire"
)

const (
	publicURL = "https://api.anthropic.com"
	version   = "2023-06-01"
)

// Options say which model is called and where.
type Options struct {
	BaseURL string // without the version of the API; default: Anthropic's
	Key     string
	Model   string
}

type client struct {
	messages *wire.Endpoint
	model    string
}

// New returns a client of one model.
func New(o Options) llm.Client {
	header := http.Header{"X-Api-Key": {o.Key}, "Anthropic-Version": {version}}
	return &client{messages: wire.NewEndpoint(cmp.Or(o.BaseURL, publicURL), "/v1/messages", header), model: o.Model}
}

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model       string    `json:"model"`
	System      string    `json:"system"`
	Messages    []message `json:"messages"`
	MaxTokens   int       `json:"max_tokens"`
	Temperature *float64  `json:"temperature,omitempty"`
	Stream      bool      `json:"stream"`
}

type usage struct {
	InputTokens         int `json:"input_tokens"`
	CacheCreationTokens int `json:"cache_creation_input_tokens"`
	CacheReadTokens     int `json:"cache_read_input_tokens"`
	OutputTokens        int `json:"output_tokens"`
}

type event struct {
	Type    string `json:"type"`
	Message struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	Delta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		StopReason string `json:"stop_reason"`
	} `json:"delta"`
	Usage usage `json:"usage"`
	Error struct {
		Type string `json:"type"`
	} `json:"error"`
}

// Stream sends p.
func (c *client) Stream(ctx context.Context, p llm.Prompt, emit func(fragment string) error) (llm.Ending, error) {
	a := answer{emit: emit}
	err := c.messages.Stream(ctx, request{
		Model: c.model, System: p.System, Messages: []message{{Role: "user", Content: p.User}},
		MaxTokens: p.MaxTokens, Temperature: p.Temperature, Stream: true,
	}, a.event)
	if err != nil {
		return llm.Ending{}, err
	}
	if !a.ended {
		return llm.Ending{}, wire.Malformed("the answer broke off")
	}
	return llm.Ending{Usage: a.usage, Stop: stopReason(a.stop)}, nil
}

// answer is the part of the answer that has arrived.
type answer struct {
	emit  func(string) error
	usage llm.Usage
	stop  string
	ended bool
}

func (a *answer) event(data []byte) error {
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return wire.Malformed("an event is no JSON")
	}
	switch e.Type {
	case "message_start":
		u := &e.Message.Usage
		a.usage.PromptTokens = u.InputTokens + u.CacheCreationTokens + u.CacheReadTokens
	case "content_block_delta":
		if e.Delta.Type == "text_delta" && e.Delta.Text != "" {
			return a.emit(e.Delta.Text)
		}
	case "message_delta":
		a.usage.CompletionTokens = e.Usage.OutputTokens // counts the whole message so far, so it replaces the last count
		a.stop = e.Delta.StopReason
	case "message_stop":
		a.ended = true
	case "error":
		return wire.Reported(e.Error.Type, e.Error.Type == "overloaded_error" || e.Error.Type == "api_error" || e.Error.Type == "rate_limit_error")
	}
	return nil
}

func stopReason(stop string) llm.StopReason {
	switch stop {
	case "max_tokens", "model_context_window_exceeded":
		return llm.MaxLength
	case "refusal":
		return llm.Filtered
	}
	return llm.Finished
}
