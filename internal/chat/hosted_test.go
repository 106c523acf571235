package chat_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm/anthropic"
	"docqa/internal/provider/llm/grounded"
	"docqa/internal/provider/llm/resilient"
	"docqa/internal/search"
	"docqa/internal/testkit/modelhost"
)

// withHost returns a bundle whose project is answered by a hosted model.
func withHost(t *testing.T, s modelhost.Script) (bundle, *modelhost.Host) {
	t.Helper()
	h := setup(t)
	host := modelhost.New(t, models.Anthropic, s)
	client := resilient.New(anthropic.New(anthropic.Options{BaseURL: host.URL, Key: "key", Model: "some-model"}), resilient.Options{
		Clock: h.clock, Pause: time.Millisecond,
	})
	model, err := grounded.New(client, grounded.Options{Context: 8192, MaxOutput: 1024})
	require.NoError(t, err)
	h.chat = chat.New(chat.Deps{Store: h.store, Clock: h.clock, Search: search.New(search.Deps{Store: h.store, Clock: h.clock}), Writer: chat.ByModel(map[string]chat.Writer{
		models.Extractive: chat.Extractive(), "hosted": chat.Hosted(model),
	})})
	h.Project.ChatModelArn = "hosted"
	return h, host
}

func TestHosted_answers(t *testing.T) {
	t.Parallel()
	h, host := withHost(t, modelhost.Script{
		Fragments: []string{"The warranty lasts ", "two years [1]", "[8]. See https://evil.example/?q=key now."},
	})
	reply := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "How long does the warranty last?"})
	require.Equal(t, chat.KindAnswer, reply.Kind)
	require.Equal(t, "The warranty lasts two years [1]. See evil.example/?q=key now.", reply.Text)
	require.Len(t, reply.Sources, 1)
	require.Equal(t, "warranty-terms.txt", reply.Sources[0].Location)
	require.Equal(t, modelhost.PromptTokens, reply.Usage.PromptTokens)
	require.Contains(t, []string{"high", "medium", "low"}, reply.Level)
	var prompt, completion int
	var model string
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()),
		"select model, prompt_tokens, completion_tokens from messages where role = 'assistant'").Scan(&model, &prompt, &completion))
	require.Equal(t, "hosted", model)
	require.Equal(t, []int{modelhost.PromptTokens, modelhost.CompletionTokens}, []int{prompt, completion})
	require.Len(t, host.Requests(), 1)

	sink := &transcript{}
	streamed, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindKey),
		chat.Request{Question: "How long does the warranty last?"}, sink)
	require.NoError(t, err)
	require.Equal(t, reply.Text, sink.text.String())
	require.Equal(t, reply.Sources, streamed.Sources)
}

func TestHosted_numbersSourcesAsTheAnswerNamesThem(t *testing.T) {
	t.Parallel()
	h, _ := withHost(t, modelhost.Script{Fragments: []string{"Three working days ", "[2]. Two years [1]", "[2]."}})
	sink := &transcript{}
	reply, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindKey),
		chat.Request{Question: "How long does the warranty last, and how long does delivery take?"}, sink)
	require.NoError(t, err)
	require.Equal(t, "Three working days [1]. Two years [2][1].", reply.Text)
	require.Equal(t, reply.Text, sink.text.String())
	require.Len(t, reply.Sources, 2)
	for i, s := range reply.Sources {
		require.Equal(t, i+1, s.Index)
	}
	require.Less(t, reply.Sources[0].Score, reply.Sources[1].Score, "the first one named was the second one found")
	require.Len(t, reply.Sources[0].Spans, 2)
}

func TestHosted_saysNothingWithoutEvidence(t *testing.T) {
	t.Parallel()
	h, host := withHost(t, modelhost.Script{Fragments: []string{"From what I know, ten years."}})
	for _, sink := range []*transcript{nil, {}} {
		ask := chat.Request{Question: "How long does the warranty last?"}
		var reply chat.Reply
		if sink == nil {
			reply = h.ask(t, h.caller(authn.KindKey), ask)
		} else {
			var err error
			reply, err = h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindKey), ask, sink)
			require.NoError(t, err)
			require.Equal(t, reply.Text, sink.text.String())
		}
		require.Equal(t, chat.KindNoAnswer, reply.Kind)
		require.Equal(t, h.Project.Settings.Prompt.NoAnswerMessage, reply.Text)
		require.Empty(t, reply.Sources)
		require.Equal(t, 2*modelhost.PromptTokens, reply.Usage.PromptTokens, "the model was asked twice, and both calls count")
		require.Equal(t, 2*modelhost.CompletionTokens, reply.Usage.CompletionTokens)
	}
	require.Len(t, host.Requests(), 4)

	reply := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "Zebra quux xylophone?"})
	require.Equal(t, chat.KindNoAnswer, reply.Kind)
	require.Len(t, host.Requests(), 4, "without passages no model is asked")

	h.Project.Settings.Prompt.StrictGrounding = false
	loose := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "How long does the warranty last?"})
	require.Equal(t, chat.KindAnswer, loose.Kind)
	require.Equal(t, "From what I know, ten years.", loose.Text)
}

func TestHosted_storesNothingOfAFailure(t *testing.T) {
	t.Parallel()
	const half = "The warranty lasts two years [1]. And"
	for name, s := range map[string]modelhost.Script{
		"half an answer":   {Fragments: []string{half}, End: modelhost.Half},
		"nonsense":         {Fragments: []string{half}, End: modelhost.Nonsense},
		"a reported fault": {Fragments: []string{half}, End: modelhost.Reported},
		"refusals":         {Refusals: []int{503, 503, 503}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, _ := withHost(t, s)
			_, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindKey),
				chat.Request{Question: "How long does the warranty last?"}, &transcript{})
			require.Equal(t, apperr.KindProviderFailed, apperr.KindOf(err), "%v", err)
			require.EqualValues(t, "provider_error", apperr.CodeOf(err))
			require.Zero(t, h.count(t, "messages"))
			require.Zero(t, h.used(t))
		})
	}
}

func TestHosted_finishesForACallerWhoLeft(t *testing.T) {
	t.Parallel()
	h, _ := withHost(t, modelhost.Script{Fragments: []string{"The warranty lasts ", "two years [1]."}})
	ctx, leave := context.WithCancel(h.Context(t.Context()))
	_, err := h.chat.Ask(ctx, h.CompanyID, &h.Project, h.caller(authn.KindShare),
		chat.Request{Question: "How long does the warranty last?"}, &transcript{onStart: leave})
	require.NoError(t, err)
	require.Equal(t, 2, h.count(t, "messages"))
}

func TestByModel_namesAModelThatIsGone(t *testing.T) {
	t.Parallel()
	h, host := withHost(t, modelhost.Script{})
	h.Project.ChatModelArn = "gone"
	_, err := h.try(t, h.caller(authn.KindKey), chat.Request{Question: "How long does the warranty last?"})
	require.Equal(t, apperr.KindProviderFailed, apperr.KindOf(err))
	require.EqualValues(t, "provider_error", apperr.CodeOf(err))
	require.Empty(t, host.Requests())
	require.Zero(t, h.count(t, "messages"))

	h.Project.ChatModelArn = models.Extractive
	reply := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "How long does the warranty last?"})
	require.Equal(t, chat.KindAnswer, reply.Kind)
	require.Empty(t, host.Requests())
}

func TestHosted_thresholdOfTheProject(t *testing.T) {
	t.Parallel()
	h, _ := withHost(t, modelhost.Script{Fragments: []string{"The warranty lasts ", "24 months [1]."}})
	ask := func(threshold float64) (chat.Reply, string) {
		h.Project.Settings.Prompt.AnswerThreshold = &threshold
		sink := &transcript{}
		reply, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindKey),
			chat.Request{Question: "How long does the warranty last?", Plain: true}, sink)
		require.NoError(t, err)
		require.Equal(t, reply.Text, sink.text.String())
		return reply, reply.Text
	}
	reply, text := ask(0)
	require.Equal(t, chat.KindAnswer, reply.Kind)
	require.Equal(t, "The warranty lasts 24 months [1].", text)
	reply, text = ask(1)
	require.Equal(t, chat.KindNoAnswer, reply.Kind)
	require.Equal(t, h.Project.Settings.Prompt.NoAnswerMessage, text, "nothing of the answer was sent before")
}
