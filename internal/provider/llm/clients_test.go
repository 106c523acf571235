package llm_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/anthropic"
	"docqa/internal/provider/llm/bedrock"
	"docqa/internal/provider/llm/openai"
	"docqa/internal/provider/wire"
	"docqa/internal/testkit/modelhost"
)

const arn = "arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.some.model-v1:0"

// signer returns invented credentials.
type signer struct{ err error }

func (s signer) Retrieve(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "example"}, s.err
}

// clientOf returns the provider's client of host.
func clientOf(t *testing.T, provider string, host *modelhost.Host) llm.Client {
	t.Helper()
	switch provider {
	case models.OpenAI:
		return openai.New(openai.Options{BaseURL: host.URL + "/", Key: "hidden-key", Model: "some-model"})
	case models.Anthropic:
		return anthropic.New(anthropic.Options{BaseURL: host.URL, Key: "hidden-key", Model: "some-model"})
	}
	c, err := bedrock.New(t.Context(), bedrock.Options{
		BaseURL: host.URL, Region: "eu-central-1", Model: arn, Credentials: signer{}, Clock: clock.Fixed(time.Unix(1e9, 0)),
	})
	require.NoError(t, err)
	return c
}

// each runs a test with a host and a client for every provider.
func each(t *testing.T, s modelhost.Script, test func(t *testing.T, c llm.Client, host *modelhost.Host)) {
	t.Helper()
	for _, provider := range []string{models.OpenAI, models.Anthropic, models.Bedrock} {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			host := modelhost.New(t, provider, s)
			test(t, clientOf(t, provider, host), host)
		})
	}
}

func prompt() llm.Prompt {
	return llm.Prompt{System: "Be brief.", User: "How long? <&>", MaxTokens: 100, Temperature: new(0.2)}
}

// said streams a prompt and returns everything that arrived.
func said(ctx context.Context, c llm.Client) (string, llm.Ending, error) {
	var text strings.Builder
	ending, err := c.Stream(ctx, prompt(), func(part string) error { text.WriteString(part); return nil })
	return text.String(), ending, err
}

func fault(t *testing.T, err error) *wire.Error {
	t.Helper()
	f, ok := errors.AsType[*wire.Error](err)
	require.True(t, ok, "%v", err)
	require.NotContains(t, f.Error(), "hidden-key")
	return f
}

func TestClients_stream(t *testing.T) {
	t.Parallel()
	each(t, modelhost.Script{Fragments: []string{"Two ", "years", " – “24 months”\n[1]."}}, func(t *testing.T, c llm.Client, host *modelhost.Host) {
		t.Helper()
		text, ending, err := said(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, "Two years – “24 months”\n[1].", text)
		require.Equal(t, llm.Usage{PromptTokens: modelhost.PromptTokens, CompletionTokens: modelhost.CompletionTokens}, ending.Usage)
		require.Equal(t, llm.Finished, ending.Stop)
		require.Len(t, host.Requests(), 1)
	})
}

func TestClients_stopReasons(t *testing.T) {
	t.Parallel()
	for provider, reasons := range map[string]map[string]llm.StopReason{
		models.OpenAI: {
			"stop": llm.Finished, "length": llm.MaxLength, "content_filter": llm.Filtered, "tool_calls": llm.Finished, "something_new": llm.Finished,
		},
		models.Anthropic: {
			"end_turn": llm.Finished, "stop_sequence": llm.Finished, "max_tokens": llm.MaxLength, "model_context_window_exceeded": llm.MaxLength,
			"refusal": llm.Filtered, "something_new": llm.Finished,
		},
		models.Bedrock: {
			"end_turn": llm.Finished, "stop_sequence": llm.Finished, "max_tokens": llm.MaxLength, "model_context_window_exceeded": llm.MaxLength,
			"content_filtered": llm.Filtered, "guardrail_intervened": llm.Filtered, "something_new": llm.Finished,
		},
	} {
		for reason, want := range reasons {
			t.Run(provider+" "+reason, func(t *testing.T) {
				t.Parallel()
				host := modelhost.New(t, provider, modelhost.Script{Fragments: []string{"Two"}, Stop: reason})
				_, ending, err := said(t.Context(), clientOf(t, provider, host))
				require.NoError(t, err)
				require.Equal(t, want, ending.Stop)
			})
		}
	}
}

func TestClients_refusals(t *testing.T) {
	t.Parallel()
	for status, temporary := range map[int]bool{
		http.StatusTooManyRequests: true, http.StatusInternalServerError: true, http.StatusServiceUnavailable: true, 529: true,
		http.StatusBadRequest: false, http.StatusUnauthorized: false, http.StatusForbidden: false, http.StatusNotFound: false,
		http.StatusMovedPermanently: false,
	} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			each(t, modelhost.Script{Refusals: []int{status}, RetryAfter: "7"}, func(t *testing.T, c llm.Client, _ *modelhost.Host) {
				t.Helper()
				text, _, err := said(t.Context(), c)
				f := fault(t, err)
				require.Empty(t, text)
				require.Equal(t, status, f.Status)
				require.Equal(t, temporary, f.Temporary)
				require.Equal(t, 7*time.Second, f.RetryAfter)
			})
		})
	}
}

func TestClients_brokenAnswers(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]modelhost.Script{
		"half a stream":          {Fragments: []string{"Two "}, End: modelhost.Half},
		"a reset":                {Fragments: []string{"Two "}, End: modelhost.Reset},
		"nonsense":               {Fragments: []string{"Two "}, End: modelhost.Nonsense},
		"an error in a stream":   {Fragments: []string{"Two "}, End: modelhost.Reported},
		"nothing":                {End: modelhost.Half},
		"another kind of answer": {Fragments: []string{"Two "}, Type: "text/html"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			each(t, s, func(t *testing.T, c llm.Client, _ *modelhost.Host) {
				t.Helper()
				_, _, err := said(t.Context(), c)
				f := fault(t, err)
				require.True(t, f.Temporary)
				require.Zero(t, f.Status)
			})
		})
	}
}

func TestClients_endWithTheirContext(t *testing.T) {
	t.Parallel()
	each(t, modelhost.Script{Fragments: []string{"Two "}, End: modelhost.Hang}, func(t *testing.T, c llm.Client, host *modelhost.Host) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := c.Stream(ctx, prompt(), func(string) error { cancel(); return nil })
		require.ErrorIs(t, err, context.Canceled)
		<-host.Left()
	})
}

func TestClients_stopWhenEmitFails(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	each(t, modelhost.Script{Fragments: []string{"Two ", "years"}}, func(t *testing.T, c llm.Client, _ *modelhost.Host) {
		t.Helper()
		_, err := c.Stream(t.Context(), prompt(), func(string) error { return gone })
		require.ErrorIs(t, err, gone)
	})
}

func TestClients_unreachableHost(t *testing.T) {
	t.Parallel()
	each(t, modelhost.Script{}, func(t *testing.T, c llm.Client, host *modelhost.Host) {
		t.Helper()
		host.Stop()
		_, _, err := said(t.Context(), c)
		require.True(t, fault(t, err).Temporary)
	})
}

func TestBedrock_request(t *testing.T) {
	t.Parallel()
	host := modelhost.New(t, models.Bedrock, modelhost.Script{})
	_, _, err := said(t.Context(), clientOf(t, models.Bedrock, host))
	require.NoError(t, err)
	got := host.Requests()[0]
	require.Equal(t, "/model/arn%3Aaws%3Abedrock%3Aeu-central-1%3A123456789012%3Ainference-profile%2Feu.some.model-v1%3A0/converse-stream", got.Path)
	require.Contains(t, got.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20010909/eu-central-1/bedrock/aws4_request, ")
	require.Equal(t, "20010909T014640Z", got.Header.Get("X-Amz-Date"))

	c, err := bedrock.New(t.Context(), bedrock.Options{BaseURL: host.URL, Region: "eu-central-1", Model: "some.model-v1:0", Key: "hidden-key"})
	require.NoError(t, err)
	_, _, err = said(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, "Bearer hidden-key", host.Requests()[1].Header.Get("Authorization"))

	c, err = bedrock.New(t.Context(), bedrock.Options{BaseURL: host.URL, Region: "eu-central-1", Model: arn, Credentials: signer{err: errors.New("none")}})
	require.NoError(t, err)
	_, _, err = said(t.Context(), c)
	require.True(t, fault(t, err).Temporary)
	require.Len(t, host.Requests(), 2)
}

func TestOpenAI_request(t *testing.T) {
	t.Parallel()
	host := modelhost.New(t, models.OpenAI, modelhost.Script{})
	c := openai.New(openai.Options{BaseURL: host.URL, Model: "some-model"})
	_, _, err := said(t.Context(), c)
	require.NoError(t, err)
	got := host.Requests()[0]
	require.Empty(t, got.Header.Get("Authorization"), "a server without keys")
	require.Equal(t, map[string]any{
		"model": "some-model", "max_tokens": 100.0, "temperature": 0.2, "stream": true, "stream_options": map[string]any{"include_usage": true},
		"messages": []any{
			map[string]any{"role": "system", "content": "Be brief."}, map[string]any{"role": "user", "content": "How long? <&>"},
		},
	}, got.Body)
}
