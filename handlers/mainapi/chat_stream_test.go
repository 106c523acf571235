package mainapi_test

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/handlers/edge"
	"docqa/handlers/mainapi"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/projects"
	"docqa/internal/provider/llm"
	"docqa/internal/ratelimit"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/factory"
)

// model is a hosted model that repeats the best passage, unless a field says otherwise.
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
		Text: text, Citations: []llm.Citation{{End: len(text), Passage: 1, QuoteBegin: -1, QuoteEnd: -1}}, Answered: true, Level: "high", Confidence: 0.5,
		Usage: llm.Usage{PromptTokens: 100, CompletionTokens: 10},
	}, nil
}

// setupModel starts an installation whose questions a hosted model answers.
func setupModel(t *testing.T, m model, change func(*apitest.Options)) *bundle {
	t.Helper()
	opts := apitest.Options{Model: chat.Hosted(m)}
	if change != nil {
		change(&opts)
	}
	e := apitest.New(t, opts)
	b := &bundle{Env: e, company: e.Company(t, "enterprise")}
	b.project = b.company.Project(t, apitest.ShopOrigin)
	ten := factory.Tenant{CompanyID: b.company.ID, Project: b.project}
	factory.Document(t, e.Store, ten, b.project.ProjectID, "warranty-terms.txt",
		"The warranty lasts 24 months from the day of purchase.", "The <workshop> is open & warm on weekdays.")
	factory.Reindex(t, e.Store, ten, b.project.ProjectID, factory.Epoch())
	return b
}

// as returns a call with a credential of the project: key, test, embed, share.
func (b *bundle) as(t *testing.T, credential string) apitest.Call {
	t.Helper()
	call := apitest.Call{Method: http.MethodPost}
	switch id := b.project.ProjectID; credential {
	case "key":
		call.Key = b.company.Key(t, id, "integration", "live")
	case "test":
		call.Key = b.company.Key(t, id, "integration", "test")
	case "embed":
		call.Key, call.Origin = b.company.Key(t, id, "embed", "live"), apitest.ShopOrigin
	case "share":
		b.patch(t, object{"shareEnabled": true, "shareSlug": "acme"})
		b.Do(t, apitest.Call{Method: http.MethodPost, Path: projectPath(id) + "/deploy", As: b.company.Owner}).Require(t, http.StatusOK)
		call.Share = b.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/public/share/acme"}).Require(t, http.StatusOK).Text(t, "shareToken")
	}
	return call
}

func (b *bundle) patch(t *testing.T, body object) {
	t.Helper()
	b.Do(t, apitest.Call{Method: http.MethodPatch, Path: projectPath(b.project.ProjectID), As: b.company.Owner, Body: body}).Require(t, http.StatusOK)
}

// anyID matches the parts of a frame that differ from run to run.
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

const warranty = "How long is the warranty?"

func TestChatStream_frames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, question, credential string
		model                      model
		lead                       bool
	}{
		{name: "answer", question: warranty, credential: "key"},
		{name: "answer_share", question: warranty, credential: "share"},
		{name: "no_answer", question: "Which planets have rings?", credential: "key"},
		{name: "lead", question: "Which planets have rings?", credential: "embed", lead: true},
		{name: "fixture", question: warranty, credential: "test"},
		{
			name: "failure", question: warranty, credential: "key",
			model: model{err: apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model failed")},
		},
		{name: "panic", question: warranty, credential: "key", model: model{panics: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := setupModel(t, tt.model, nil)
			if tt.lead {
				b.captureLeads(t)
			}
			call := b.as(t, tt.credential)
			call.Path, call.Body = "/v1/chat/stream", object{"question": tt.question}
			a := b.Do(t, call).Require(t, http.StatusOK)
			require.Equal(t, "text/event-stream", a.Header.Get("Content-Type"))
			golden(t, "stream_"+tt.name+".txt", string(a.Body))
		})
	}
}

func (b *bundle) captureLeads(t *testing.T) {
	t.Helper()
	_, err := b.Projects.Patch(b.company.Context(t), b.company.ID, b.project.ProjectID, projects.Patch{LeadCaptureEnabled: new(true)})
	require.NoError(t, err)
}

func TestChatStream_failsBeforeTheFirstFrame(t *testing.T) {
	t.Parallel()
	b := setupModel(t, model{}, nil)
	call := b.as(t, "key")
	call.Path, call.Body = "/v1/chat/stream", object{"question": "  "}
	a := b.Do(t, call).Require(t, http.StatusBadRequest)
	require.Equal(t, "application/json; charset=utf-8", a.Header.Get("Content-Type"))
	require.JSONEq(t, `{"error":"question: must not be empty","code":"validation_error","details":[{"path":"/question","message":"must not be empty"}]}`, string(a.Body))
}

// stream sends a question to url as a stream and returns the answer as it comes.
func (b *bundle) stream(ctx context.Context, t *testing.T, url, key string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/stream", strings.NewReader(`{"question":"`+warranty+`"}`))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Service-Key", key)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func (b *bundle) requireMessages(t *testing.T, want int) {
	t.Helper()
	require.Eventually(t, func() bool {
		var n int
		err := b.Store.Pool().QueryRow(store.AsSystem(t.Context(), "test"), "select count(*) from messages").Scan(&n)
		return err == nil && n == want
	}, 30*time.Second, 5*time.Millisecond)
}

func TestChatStream_storesTheAnswerOfAReaderThatLeaves(t *testing.T) {
	t.Parallel()
	left := make(chan struct{})
	b := setupModel(t, model{late: func() { <-left }}, nil)
	ctx, leave := context.WithCancel(t.Context())
	resp := b.stream(ctx, t, b.URL, b.as(t, "key").Key)
	line, err := bufio.NewReader(resp.Body).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "id: 0\n", line, "the first frame comes before the answer is written")
	leave()
	_ = resp.Body.Close()
	close(left)
	b.requireMessages(t, 2)
}

// TestChatStream_whileTheProcessStops: the reader gets the event at once, in place of whatever
// would have come, and the answer that ends all the same is stored.
func TestChatStream_whileTheProcessStops(t *testing.T) {
	t.Parallel()
	halfway, shown := make(chan struct{}), make(chan struct{})
	b := setupModel(t, model{late: func() { close(halfway); <-shown }}, nil)
	ctx, stop := context.WithCancelCause(t.Context())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { b.Handler.ServeHTTP(w, r.WithContext(ctx)) }))
	t.Cleanup(srv.Close)
	resp := b.stream(t.Context(), t, srv.URL, b.as(t, "key").Key)
	<-halfway
	stop(apperr.ShuttingDown())
	body := bufio.NewReader(resp.Body)
	for line := ""; line != "id: error\n"; {
		var err error
		line, err = body.ReadString('\n')
		require.NoError(t, err)
	}
	close(shown)
	rest, err := io.ReadAll(body)
	require.NoError(t, err)
	require.Equal(t, `data: {"type":"error","error":"the service is restarting, ask again","code":"shutting_down"}`+"\n\n", string(rest))
	b.requireMessages(t, 2)
}

func TestChat_limitsTheVisitor(t *testing.T) {
	t.Parallel()
	// The clock stands still, so that no bucket fills again while the test runs.
	b := setupModel(t, model{}, func(o *apitest.Options) { o.RateLimitScale, o.Clock = 1, clock.Fixed(time.Now()) })
	embed, key := b.as(t, "embed"), b.as(t, "key")
	ask := func(call apitest.Call, visitor string) *apitest.Answer {
		call.Path, call.Body = "/v1/chat", object{"question": warranty, "visitorId": visitor}
		return b.Do(t, call)
	}
	for range limits.RateVisitorChat.Rate().Burst {
		ask(embed, "vis_a").Require(t, http.StatusOK)
	}
	ask(embed, "vis_a").RequireError(t, http.StatusTooManyRequests, "rate_limited")
	ask(embed, "vis_b").Require(t, http.StatusOK) // another visitor is not concerned
	ask(key, "vis_a").Require(t, http.StatusOK)   // a server's visitors are its own business
}

func TestChat_shapes(t *testing.T) {
	t.Parallel()
	b := setupModel(t, model{}, nil)
	requireShape := func(t *testing.T, name, credential, question string) {
		t.Helper()
		call := b.as(t, credential)
		call.Path, call.Body = "/v1/chat", object{"question": question}
		golden(t, name, string(b.Do(t, call).Require(t, http.StatusOK).Body)+"\n")
	}
	requireShape(t, "chat_answer.json", "key", warranty)
	requireShape(t, "chat_answer_embed.json", "embed", warranty)
	requireShape(t, "chat_no_answer.json", "key", "Which planets have rings?")
	requireShape(t, "chat_fixture.json", "test", warranty)
	b.captureLeads(t)
	requireShape(t, "chat_lead.json", "embed", "Which planets have rings?")
	a := b.Do(t, apitest.Call{
		Method: http.MethodPost, Path: projectPath(b.project.ProjectID) + "/chat", As: b.company.Owner, Body: object{"question": warranty},
	}).Require(t, http.StatusOK)
	golden(t, "chat_dashboard.json", string(a.Body)+"\n")
}

// brokenClock panics at its n-th reading.
type brokenClock struct {
	clock.Clock
	left *atomic.Int32
}

func (c brokenClock) Now() time.Time {
	if c.left.Add(-1) == 0 {
		panic("the clock broke")
	}
	return c.Clock.Now()
}

// TestChat_panicsEndTheRequestAlone: a bug in whatever a question starts, also in a
// goroutine of its own, is a 500 or an error frame, and the process goes on.
func TestChat_panicsEndTheRequestAlone(t *testing.T) {
	t.Parallel()
	b := setupModel(t, model{}, nil)
	left := &atomic.Int32{}
	front, err := edge.New(edge.Deps{
		Keys: b.Keys, Shares: b.Shares, People: b.People, Limiter: ratelimit.New(ratelimit.Deps{Store: b.Store, Clock: b.Clock, Scale: 1e6}), LoadProject: b.Projects.Get,
		Log: slog.New(slog.DiscardHandler), Clock: clock.System(),
	})
	require.NoError(t, err)
	searcher := search.New(search.Deps{Store: b.Store, Clock: clock.System()})
	api, err := mainapi.New(mainapi.Deps{Edge: front, Answers: chat.New(chat.Deps{Store: b.Store, Clock: brokenClock{clock.System(), left}, Search: searcher, Writer: chat.Hosted(model{})})})
	require.NoError(t, err)
	handler := front.Handler(edge.Served{Main: api})
	for reading := int32(1); reading <= 2; reading++ { // when it was asked, when it is stored
		for _, path := range []string{"/chat/stream", "/chat"} {
			left.Store(reading)
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, projectPath(b.project.ProjectID)+path, strings.NewReader(`{"question":"`+warranty+`"}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer "+b.company.Owner.Token)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			require.Contains(t, w.Body.String(), `"code":"internal_error"`, "%s, reading %d", path, reading)
		}
	}
}
