package bedrock

import (
	"context"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"

	"docqa/internal/platform/clock"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/wire"
)

// Options say which model is called, where, and with which credentials.
type Options struct {
	BaseURL string // default: the region's public endpoint
	Region  string
	Model   string // id or ARN of a model or an inference profile
	Key     string // a Bedrock API key; empty: requests are signed
	// Credentials sign the requests. Nil: the credentials that AWS' own chain finds, from the
	// environment to the role of the machine.
	Credentials aws.CredentialsProvider
	Clock       clock.Clock
}

type client struct {
	http *http.Client
	*Caller
}

// New returns a client of one model. It fails if AWS' configuration files are broken.
func New(ctx context.Context, o Options) (llm.Client, error) {
	caller, err := NewCaller(ctx, o)
	if err != nil {
		return nil, err
	}
	return &client{http: wire.NewClient(), Caller: caller}, nil
}

type content struct {
	Text string `json:"text"`
}

type message struct {
	Role    string    `json:"role"`
	Content []content `json:"content"`
}

type inference struct {
	MaxTokens   int      `json:"maxTokens"`
	Temperature *float64 `json:"temperature,omitempty"`
}

type request struct {
	System    []content `json:"system"`
	Messages  []message `json:"messages"`
	Inference inference `json:"inferenceConfig"`
}

// Stream sends p.
func (c *client) Stream(ctx context.Context, p llm.Prompt, emit func(fragment string) error) (llm.Ending, error) {
	req, err := c.Request(ctx, "converse-stream", request{
		System: []content{{Text: p.System}}, Messages: []message{{Role: "user", Content: []content{{Text: p.User}}}},
		Inference: inference{MaxTokens: p.MaxTokens, Temperature: p.Temperature},
	})
	if err != nil {
		return llm.Ending{}, err
	}
	resp, err := wire.Do(c.http, req, "application/vnd.amazon.eventstream")
	if err != nil {
		return llm.Ending{}, err
	}
	defer resp.Body.Close()
	a := answer{emit: emit}
	if err := a.read(resp.Body); err != nil {
		return llm.Ending{}, err
	}
	return llm.Ending{Usage: a.usage, Stop: stopReason(a.stop)}, nil
}

func stopReason(stop string) llm.StopReason {
	switch stop {
	case "max_tokens", "model_context_window_exceeded":
		return llm.MaxLength
	case "content_filtered", "guardrail_intervened":
		return llm.Filtered
	}
	return llm.Finished
}
