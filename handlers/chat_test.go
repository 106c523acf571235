package handlers

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/mainapi"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/provider/llm"
	"docqa/internal/ratelimit"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// model is a hosted model that repeats the best passage, unless it is told otherwise.
type model struct {
	err    error
	panics bool
	late   func() // called after the first fragment
}

func (m model) Complete(ctx context.Context, r llm.Request) (llm.Answer, error) {
	return m.Stream(ctx, r, func(string) error { return nil })
}

func (m model) Stream(_ context.Context, r llm.Request, emit func(string) error) (llm.Answer, error) {
	if len(r.Passages) == 0 || r.Passages[0].Score < 0.4 {
		return llm.Answer{Level: "none"}, m.err
	}
	text := strings.TrimSuffix(r.Passages[0].Text, ".") + " [1]."
	half := strings.Index(text, " months") + 1
	_ = emit(text[:half])
	if m.late != nil {
		m.late()
	}
	if m.panics {
		panic("the model broke")
	}
	if m.err != nil {
		return llm.Answer{}, m.err
	}
	_ = emit(text[half:])
	return llm.Answer{
		Text: text, Answered: true, Level: "high", Confidence: 0.5, FollowUps: []string{"What does it cover?"},
		Usage: llm.Usage{PromptTokens: 100, CompletionTokens: 10},
	}, nil
}

// alarms stand still until they are rung.
type alarms struct {
	mu  sync.Mutex
	all map[time.Duration]*alarm
}

type alarm struct {
	mu   sync.Mutex
	ring func()
	sets int
}

func (a *alarms) after(d time.Duration, f func()) Alarm {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[d] = &alarm{ring: f, sets: 1}
	return a.all[d]
}

func (a *alarms) of(d time.Duration) *alarm {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all[d]
}

func (a *alarm) Reset(time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sets++
	return true
}

func (a *alarm) Stop() bool { return true }

// chatHouse serves the streams of one tenant to whoever comes.
type chatHouse struct {
	factory.Tenant
	store  *store.Store
	api    *ChatAPI
	alarms *alarms
}

func newChatHouse(t *testing.T, m model) *chatHouse {
	t.Helper()
	s := dbtest.New(t)
	h := &chatHouse{Tenant: factory.NewTenant(t, s, factory.TenantOpts{}), store: s, alarms: &alarms{all: map[time.Duration]*alarm{}}}
	factory.Document(t, s, h.Tenant, h.Project.ProjectID, "warranty-terms.txt",
		"The warranty lasts 24 months from the day of purchase.", "The <workshop> is open & warm on weekdays.")
	factory.Reindex(t, s, h.Tenant, h.Project.ProjectID, factory.Epoch())
	c := clock.System()
	h.api = &ChatAPI{
		Answers: chat.New(s, c, search.New(search.Deps{Store: s, Clock: c}), chat.Hosted(m)), Limits: NewLimits(ratelimit.New(ratelimit.Deps{Store: s, Clock: c, Scale: 1})), Clock: c,
		After: h.alarms.after,
	}
	return h
}

// context is that of a request that the edge has let through.
func (h *chatHouse) context(ctx context.Context, caller authn.Principal, header http.Header) context.Context {
	caller.CompanyID, caller.Plan = h.CompanyID, limits.PlanFree
	info := &requestInfo{header: header, project: &h.Project, principal: caller}
	return authn.With(withInfo(ctx, info), caller)
}

func (h *chatHouse) serve(t *testing.T, caller authn.Principal, req mainapi.ChatRequest) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := h.context(r.Context(), caller, w.Header())
		if err := h.api.ChatStream(ctx, &req, w); err != nil {
			classifier{}.write(w, r.WithContext(ctx), err)
		}
	}))
	t.Cleanup(srv.Close)
	return srv
}

func get(t *testing.T, url string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// ids are the parts of a frame that differ from run to run.
var anyID = regexp.MustCompile(`(cnv|ses|vis|msg|doc)_[0-9a-z]{26}`)

// relevance is the score of a source, which retrieval tests hold.
var relevance = regexp.MustCompile(`"score":[0-9.]+,"sourceUrl"`)

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	got = relevance.ReplaceAllString(anyID.ReplaceAllString(got, "${1}_x"), `"score":0.7,"sourceUrl"`)
	if os.Getenv("UPDATE_GOLDEN") != "" {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func TestChatAPI_ChatStream_frames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, question string
		caller         authn.Principal
		model          model
		lead           bool
	}{
		{name: "answer", question: "How long is the warranty?", caller: authn.Principal{Kind: authn.KindKey}},
		{name: "answer_share", question: "How long is the warranty?", caller: authn.Principal{Kind: authn.KindShare}},
		{name: "no_answer", question: "Which planets have rings?", caller: authn.Principal{Kind: authn.KindKey}},
		{name: "lead", question: "Which planets have rings?", caller: authn.Principal{Kind: authn.KindEmbed}, lead: true},
		{name: "fixture", question: "How long is the warranty?", caller: authn.Principal{Kind: authn.KindKey, Test: true}},
		{
			name: "failure", question: "How long is the warranty?", caller: authn.Principal{Kind: authn.KindKey},
			model: model{err: apperr.New(apperr.ProviderFailed, "provider_error", "the model failed")},
		},
		{name: "panic", question: "How long is the warranty?", caller: authn.Principal{Kind: authn.KindKey}, model: model{panics: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := newChatHouse(t, tt.model)
			h.Project.LeadCaptureEnabled = tt.lead
			resp := get(t, h.serve(t, tt.caller, mainapi.ChatRequest{Question: tt.question}).URL)
			require.Equal(t, http.StatusOK, resp.StatusCode)
			require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
			require.Equal(t, "no", resp.Header.Get("X-Accel-Buffering"))
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			golden(t, "stream_"+tt.name+".txt", string(body))
		})
	}
}

func TestChatAPI_ChatStream_failsBeforeTheFirstFrame(t *testing.T) {
	t.Parallel()
	h := newChatHouse(t, model{})
	resp := get(t, h.serve(t, authn.Principal{Kind: authn.KindKey}, mainapi.ChatRequest{Question: "  "}).URL)
	require.Equal(t, http.StatusBadRequest, resp.StatusCode)
	require.Equal(t, "application/json; charset=utf-8", resp.Header.Get("Content-Type"))
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"error":"question: must not be empty","code":"validation_error","details":[{"path":"/question","message":"must not be empty"}]}`, string(body))
}

func TestChatAPI_ChatStream_pingsInSilence(t *testing.T) {
	t.Parallel()
	var h *chatHouse
	h = newChatHouse(t, model{late: func() { h.alarms.of(pingAfter).ring() }})
	resp := get(t, h.serve(t, authn.Principal{Kind: authn.KindKey}, mainapi.ChatRequest{Question: "How long is the warranty?"}).URL)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	parts := strings.Split(string(body), "\n\n")
	require.Contains(t, parts[1], `"type":"chunk"`)
	require.Equal(t, ": ping", parts[2])
	require.Contains(t, parts[3], `"type":"chunk"`)
	silence := h.alarms.of(15 * time.Second)
	require.Equal(t, 1+len(parts)-1, silence.sets, "every frame begins a new silence")
	silence.ring()
	require.Equal(t, 1+len(parts)-1, silence.sets, "no ping after the end")
}

func TestFrames_letGoOfAReaderThatStopped(t *testing.T) {
	t.Parallel()
	gone := make(chan bool)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		set := &alarms{all: map[time.Duration]*alarm{}}
		out := newFrames(w, set.after, chatFailure)
		out.send("0", chunkFrame{Type: "chunk", Text: "first"})
		go set.of(frameTime).ring()
		for range 1000 { // more than every buffer between us holds
			out.send("0", chunkFrame{Type: "chunk", Text: strings.Repeat("x", 1<<16)})
		}
		gone <- out.gone
	}))
	t.Cleanup(srv.Close)
	get(t, srv.URL)
	require.True(t, <-gone)
}

func TestChatAPI_ChatStream_readerLeaves(t *testing.T) {
	t.Parallel()
	left, stored := make(chan struct{}), make(chan struct{})
	h := newChatHouse(t, model{late: func() { <-left }})
	ctx, leave := context.WithCancel(t.Context())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(stored)
		ctx := h.context(r.Context(), authn.Principal{Kind: authn.KindShare}, w.Header())
		_ = h.api.ChatStream(ctx, &mainapi.ChatRequest{Question: "How long is the warranty?"}, w)
	}))
	t.Cleanup(srv.Close)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "id: 0\n", line, "the first frame comes before the answer is written")
	leave()
	_ = resp.Body.Close()
	close(left)
	<-stored
	var n int
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()), "select count(*) from messages").Scan(&n))
	require.Equal(t, 2, n)
}

func TestChatAPI_Chat_limitsTheVisitor(t *testing.T) {
	t.Parallel()
	h := newChatHouse(t, model{})
	ask := func(kind authn.Kind, visitor string) error {
		ctx := h.context(t.Context(), authn.Principal{Kind: kind}, http.Header{})
		_, err := h.api.Chat(ctx, &mainapi.ChatRequest{Question: "How long is the warranty?", VisitorID: mainapi.NewOptString(visitor)})
		return err
	}
	var err error
	for range limits.RateVisitorChat.Rate().Burst + 1 {
		err = ask(authn.KindEmbed, "vis_a")
	}
	e, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok)
	require.Equal(t, "rate_limited", e.Code)
	require.NoError(t, ask(authn.KindEmbed, "vis_b"), "another visitor is not concerned")
	require.NoError(t, ask(authn.KindKey, "vis_a"), "a server's visitors are its own business")
}

func TestChatAPI_Chat_shapes(t *testing.T) {
	t.Parallel()
	h := newChatHouse(t, model{})
	chatJSON := func(t *testing.T, caller authn.Principal, question string) string {
		t.Helper()
		reply, err := h.api.Chat(h.context(t.Context(), caller, http.Header{}), &mainapi.ChatRequest{Question: question})
		require.NoError(t, err)
		data, err := reply.MarshalJSON()
		require.NoError(t, err)
		return string(data) + "\n"
	}
	golden(t, "chat_answer.json", chatJSON(t, authn.Principal{Kind: authn.KindKey}, "How long is the warranty?"))
	golden(t, "chat_answer_embed.json", chatJSON(t, authn.Principal{Kind: authn.KindEmbed}, "How long is the warranty?"))
	golden(t, "chat_no_answer.json", chatJSON(t, authn.Principal{Kind: authn.KindKey}, "Which planets have rings?"))
	golden(t, "chat_fixture.json", chatJSON(t, authn.Principal{Kind: authn.KindKey, Test: true}, "How long is the warranty?"))
	h.Project.LeadCaptureEnabled = true
	golden(t, "chat_lead.json", chatJSON(t, authn.Principal{Kind: authn.KindEmbed}, "Which planets have rings?"))
	answer, err := h.api.DashboardChat(h.context(t.Context(), authn.Principal{Kind: authn.KindUser}, http.Header{}),
		&mainapi.ChatRequest{Question: "How long is the warranty?"}, mainapi.DashboardChatParams{})
	require.NoError(t, err)
	data, err := answer.MarshalJSON()
	require.NoError(t, err)
	golden(t, "chat_dashboard.json", string(data)+"\n")
}
