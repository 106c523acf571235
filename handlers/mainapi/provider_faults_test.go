package mainapi_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/models"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/anthropic"
	"docqa/internal/provider/llm/bedrock"
	"docqa/internal/provider/llm/grounded"
	"docqa/internal/provider/llm/openai"
	"docqa/internal/provider/llm/resilient"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/modelhost"
)

// hosted is an edge whose project is answered by a model of a provider, called by the
// product's own clients.
type hosted struct {
	*bundle
	host *modelhost.Host
	key  string
}

func setupHosted(t *testing.T, provider string, silence time.Duration) *hosted {
	t.Helper()
	h := &hosted{host: modelhost.New(t, provider, modelhost.Script{})}
	var client llm.Client
	switch provider {
	case models.OpenAI:
		client = openai.New(openai.Options{BaseURL: h.host.URL, Key: "key", Model: "m"})
	case models.Anthropic:
		client = anthropic.New(anthropic.Options{BaseURL: h.host.URL, Key: "key", Model: "m"})
	case models.Bedrock:
		var err error
		client, err = bedrock.New(t.Context(), bedrock.Options{BaseURL: h.host.URL, Region: "eu-central-1", Model: "m", Key: "key", Clock: clock.System()})
		require.NoError(t, err)
	}
	model, err := grounded.New(resilient.New(client, resilient.Options{
		Clock: clock.System(), Pause: time.Millisecond, Silence: silence, Failures: 1000,
	}), grounded.Options{Context: 8192, MaxOutput: 1024})
	require.NoError(t, err)
	e := apitest.New(t, apitest.Options{Model: chat.Hosted(model)})
	h.bundle = &bundle{Env: e, company: e.Company(t, "enterprise")}
	h.project = h.company.Project(t)
	ten := factory.Tenant{CompanyID: h.company.ID, Project: h.project}
	factory.Document(t, e.Store, ten, h.project.ProjectID, "warranty-terms.txt", "The warranty lasts 24 months from the date of purchase.")
	factory.Reindex(t, e.Store, ten, h.project.ProjectID, factory.Epoch())
	h.key = h.company.Key(t, h.project.ProjectID, "integration", "live")
	return h
}

// ask asks by one of the operations that call the model.
func (h *hosted) ask(t *testing.T, path, session string) *apitest.Answer {
	t.Helper()
	const question = "How long does the warranty last?"
	call := apitest.Call{Method: http.MethodPost, Path: path, Token: h.key, Body: map[string]any{"question": question, "sessionId": session}}
	switch path {
	case "/v1/openai/chat/completions":
		call.Body = map[string]any{"messages": []any{map[string]any{"role": "user", "content": question}}}
	case "/v1/rag/chat", "/v1/rag/chat/stream":
		call.Token, call.Body = apitest.RagKey, map[string]any{"projectId": h.project.ProjectID, "question": question}
	}
	return h.Do(t, call)
}

func (h *hosted) messages(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, h.Store.Pool().QueryRow(h.company.Context(t), "select count(*) from messages").Scan(&n))
	return n
}

// TestProviderFaults has the provider of a project's model fail in every way, before
// its first word and after it: the caller gets a documented error or an error frame,
// nothing of the answer is stored or counted, and the conversation goes on afterwards.
func TestProviderFaults(t *testing.T) {
	t.Parallel()
	said := []string{"The warranty lasts two years [1]. And", " it covers"}
	const failed, slow = "502 provider_error", "504 provider_timeout"
	type fault struct {
		script modelhost.Script
		want   string
	}
	faults := map[string]fault{
		"refusals":                 {modelhost.Script{Refusals: []int{500, 502, 503}}, failed},
		"no such model":            {modelhost.Script{Refusals: []int{404}}, failed},
		"too many requests":        {modelhost.Script{Refusals: []int{429, 429, 429}}, failed},
		"another content type":     {modelhost.Script{Fragments: said, Type: "text/html"}, failed},
		"half at once":             {modelhost.Script{End: modelhost.Half}, failed},
		"half of an answer":        {modelhost.Script{Fragments: said, End: modelhost.Half}, failed},
		"a reset at once":          {modelhost.Script{End: modelhost.Reset}, failed},
		"a reset in an answer":     {modelhost.Script{Fragments: said, End: modelhost.Reset}, failed},
		"nonsense at once":         {modelhost.Script{End: modelhost.Nonsense}, failed},
		"nonsense in an answer":    {modelhost.Script{Fragments: said, End: modelhost.Nonsense}, failed},
		"a fault that is reported": {modelhost.Script{Fragments: said, End: modelhost.Reported}, failed},
	}
	silences := map[string]fault{
		"silence at once":      {modelhost.Script{End: modelhost.Hang}, slow},
		"silence in an answer": {modelhost.Script{Fragments: said, End: modelhost.Hang}, slow},
	}
	whole := modelhost.Script{Fragments: []string{"The warranty lasts 24 months [1]."}}
	run := func(provider string, silence time.Duration, faults map[string]fault) {
		t.Run(provider+", "+silence.String(), func(t *testing.T) {
			t.Parallel()
			h := setupHosted(t, provider, silence)
			h.host.Become(whole)
			first := h.ask(t, "/v1/chat", "").Require(t, http.StatusOK)
			session, stored := first.Text(t, "sessionId"), 2
			for name, fault := range faults {
				for _, path := range []string{"/v1/chat", "/v1/openai/chat/completions", "/v1/rag/chat"} {
					h.host.Become(fault.script)
					a := h.ask(t, path, session)
					require.Equal(t, fault.want, statusAndCode(t, a), "%s by %s", name, path)
				}
				for _, path := range []string{"/v1/chat/stream", "/v1/rag/chat/stream"} {
					h.host.Become(fault.script)
					list := h.ask(t, path, session).Require(t, http.StatusOK).Events(t)
					last := list[len(list)-1]
					require.Equal(t, "error", last["type"], "%s by %s", name, path)
					require.Equal(t, fault.want[len("502 "):], last["code"], "%s by %s", name, path)
				}
				require.Equal(t, stored, h.messages(t), "%s: nothing of an answer is stored", name)
				h.host.Become(whole)
				again := h.ask(t, "/v1/chat", session).Require(t, http.StatusOK)
				require.Equal(t, first.Text(t, "conversationId"), again.Text(t, "conversationId"), "%s: the conversation goes on", name)
				stored += 2
			}
			var counted int
			require.NoError(t, h.Store.Pool().QueryRow(h.company.Context(t), "select sum(messages) from usage_shards").Scan(&counted))
			require.Equal(t, stored/2, counted)
		})
	}
	for _, provider := range []string{models.OpenAI, models.Anthropic, models.Bedrock} {
		run(provider, 30*time.Second, faults) // long enough for a busy machine
		run(provider, time.Second, silences)
	}
}

func statusAndCode(t *testing.T, a *apitest.Answer) string {
	t.Helper()
	code, _ := a.Get(t, "code").(string)
	return strconv.Itoa(a.Status) + " " + code
}
