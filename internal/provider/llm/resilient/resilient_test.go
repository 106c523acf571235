package resilient_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/openai"
	"docqa/internal/provider/llm/resilient"
	"docqa/internal/testkit/modelhost"
)

// bundle is a resilient client of a host.
type bundle struct {
	host   *modelhost.Host
	clock  *clock.Manual
	client llm.Client
}

func setup(t *testing.T, s modelhost.Script, o resilient.Options) *bundle {
	t.Helper()
	b := &bundle{host: modelhost.New(t, models.OpenAI, s), clock: clock.Fixed(time.Unix(1e9, 0))}
	o.Clock = b.clock
	if o.Pause == 0 {
		o.Pause = time.Millisecond
	}
	b.client = resilient.New(openai.New(openai.Options{BaseURL: b.host.URL, Model: "some-model"}), o)
	return b
}

func (b *bundle) say(ctx context.Context) (string, error) {
	var text strings.Builder
	_, err := b.client.Stream(ctx, llm.Prompt{System: "s", User: "u", MaxTokens: 100}, func(part string) error {
		text.WriteString(part)
		return nil
	})
	return text.String(), err
}

func answer() modelhost.Script { return modelhost.Script{Fragments: []string{"Two ", "years."}} }

func TestClient_repeats(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		script   modelhost.Script
		requests int
		kind     apperr.Kind // Internal: no error
		text     string
	}{
		"a call that was refused twice":  {modelhost.Script{Refusals: []int{429, 503}, Fragments: []string{"Two"}}, 3, apperr.KindInternal, "Two"},
		"no more than three times":       {modelhost.Script{Refusals: []int{500, 500, 500, 500}}, 3, apperr.KindProviderFailed, ""},
		"no call that is wrong":          {modelhost.Script{Refusals: []int{400}}, 1, apperr.KindProviderFailed, ""},
		"no call that may wait for long": {modelhost.Script{Refusals: []int{429}, RetryAfter: "30"}, 1, apperr.KindProviderFailed, ""},
		"an answer without a word":       {modelhost.Script{End: modelhost.Reset}, 3, apperr.KindProviderFailed, ""},
		"no answer that has begun":       {modelhost.Script{Fragments: []string{"Two"}, End: modelhost.Reset}, 1, apperr.KindProviderFailed, "Two"},
		"no half of an answer":           {modelhost.Script{Fragments: []string{"Two"}, End: modelhost.Half}, 1, apperr.KindProviderFailed, "Two"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, tt.script, resilient.Options{})
			text, err := b.say(t.Context())
			require.Equal(t, tt.kind, apperr.KindOf(err), "%v", err)
			require.Equal(t, tt.kind == apperr.KindInternal, err == nil, "%v", err)
			if tt.script.End != modelhost.Reset { // the reset may arrive before what was sent
				require.Equal(t, tt.text, text)
			}
			require.Len(t, b.host.Requests(), tt.requests)
		})
	}
}

func TestClient_endsASilentCall(t *testing.T) {
	t.Parallel()
	for _, fragments := range [][]string{nil, {"Two "}} {
		b := setup(t, modelhost.Script{Fragments: fragments, End: modelhost.Hang}, resilient.Options{Silence: 50 * time.Millisecond})
		_, err := b.say(t.Context())
		require.Equal(t, apperr.KindTimeout, apperr.KindOf(err), "%v", err)
		require.EqualValues(t, "provider_timeout", apperr.CodeOf(err))
		<-b.host.Left()
		require.Len(t, b.host.Requests(), 1, "a provider that is slow is not asked twice")
	}
}

func TestClient_endsWithItsCaller(t *testing.T) {
	t.Parallel()
	b := setup(t, modelhost.Script{Fragments: []string{"Two "}, End: modelhost.Hang}, resilient.Options{Concurrent: 1})
	ctx, cancel := context.WithCancel(t.Context())
	_, err := b.client.Stream(ctx, llm.Prompt{System: "s", User: "u", MaxTokens: 100}, func(string) error { cancel(); return nil })
	require.ErrorIs(t, err, context.Canceled)
	<-b.host.Left()
	late, end := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer end()
	_, err = b.say(late)
	require.Equal(t, apperr.KindTimeout, apperr.KindOf(err), "%v", err)

	gone := errors.New("gone")
	b.host.Become(answer())
	_, err = b.client.Stream(t.Context(), llm.Prompt{System: "s", User: "u", MaxTokens: 100}, func(string) error { return gone })
	require.ErrorIs(t, err, gone)
	text, err := b.say(t.Context())
	require.NoError(t, err, "the one place is free again")
	require.Equal(t, "Two years.", text)
}

func TestClient_boundsCallsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, answer(), resilient.Options{Concurrent: 1, Silence: 50 * time.Millisecond})
	_, err := b.client.Stream(t.Context(), llm.Prompt{System: "s", User: "u", MaxTokens: 100}, func(string) error {
		_, err := b.say(t.Context())
		return err
	})
	require.Equal(t, apperr.KindTimeout, apperr.KindOf(err), "%v", err)
	require.Len(t, b.host.Requests(), 1)
}

func TestClient_leavesAFailingProviderAlone(t *testing.T) {
	t.Parallel()
	b := setup(t, modelhost.Script{Refusals: []int{500, 500, 500}}, resilient.Options{Attempts: 1, Failures: 3, Rest: time.Minute})
	fail := func(requests int) {
		_, err := b.say(t.Context())
		require.Equal(t, apperr.KindProviderFailed, apperr.KindOf(err))
		require.Len(t, b.host.Requests(), requests)
	}
	fail(1)
	fail(2)
	fail(3)
	fail(3) // not asked
	b.clock.Advance(time.Minute)
	b.host.Become(modelhost.Script{Refusals: []int{500}})
	fail(4) // called once
	fail(4) // and left alone again
	b.clock.Advance(time.Minute)
	b.host.Become(answer())
	for range 3 {
		text, err := b.say(t.Context())
		require.NoError(t, err)
		require.Equal(t, "Two years.", text)
	}
	b.host.Become(modelhost.Script{Refusals: []int{400, 400, 400, 400}})
	for n := range 4 {
		fail(8 + n) // an error of the request says nothing about the provider
	}
}
