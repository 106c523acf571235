package bedrock

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/config"

	"docqa/internal/clock"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/wire"
)

// Options say which model is called where, and as whom.
type Options struct {
	BaseURL string // default: the region's public endpoint
	Region  string
	Model   string // id or ARN of a model or an inference profile
	Key     string // a Bedrock API key; empty: requests are signed
	// Credentials sign the requests. Nil: what AWS' own chain finds, from the
	// environment to the role of the machine.
	Credentials aws.CredentialsProvider
	Clock       clock.Clock
}

type client struct {
	http   *http.Client
	o      Options
	url    string
	signer *v4.Signer
}

// New returns a client of one model. It fails where AWS' configuration files are broken.
func New(ctx context.Context, o Options) (llm.Client, error) {
	if o.Key == "" && o.Credentials == nil {
		found, err := config.LoadDefaultConfig(ctx, config.WithRegion(o.Region))
		if err != nil {
			return nil, fmt.Errorf("find credentials for Bedrock: %w", err)
		}
		o.Credentials = found.Credentials
	}
	base := strings.TrimRight(cmp.Or(o.BaseURL, "https://bedrock-runtime."+o.Region+".amazonaws.com"), "/")
	return &client{http: wire.NewClient(), o: o, url: base + "/model/" + escape(o.Model) + "/converse-stream", signer: v4.NewSigner()}, nil
}

// escape makes one segment of a path out of an ARN, in the way that is signed.
func escape(model string) string { return strings.ReplaceAll(url.PathEscape(model), ":", "%3A") }

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
func (c *client) Stream(ctx context.Context, p llm.Prompt, emit func(fragment string) error) (llm.Usage, error) {
	req, body, err := wire.NewRequest(ctx, c.url, request{
		System: []content{{Text: p.System}}, Messages: []message{{Role: "user", Content: []content{{Text: p.User}}}},
		Inference: inference{MaxTokens: p.MaxTokens, Temperature: p.Temperature},
	})
	if err != nil {
		return llm.Usage{}, err
	}
	if err := c.authorize(ctx, req, body); err != nil {
		return llm.Usage{}, err
	}
	resp, err := wire.Do(c.http, req, "application/vnd.amazon.eventstream")
	if err != nil {
		return llm.Usage{}, err
	}
	defer resp.Body.Close()
	a := answer{emit: emit}
	if err := a.read(resp.Body); err != nil {
		return llm.Usage{}, err
	}
	return a.usage, nil
}

func (c *client) authorize(ctx context.Context, req *http.Request, body []byte) error {
	if c.o.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.o.Key)
		return nil
	}
	credentials, err := c.o.Credentials.Retrieve(ctx)
	if err != nil {
		return wire.Broken(fmt.Errorf("get credentials: %w", err))
	}
	sum := sha256.Sum256(body)
	if err := c.signer.SignHTTP(ctx, credentials, req, hex.EncodeToString(sum[:]), "bedrock", c.o.Region, c.o.Clock.Now()); err != nil {
		return fmt.Errorf("sign a request: %w", err)
	}
	return nil
}
