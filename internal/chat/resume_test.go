package chat_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
	"docqa/internal/streams"
	"docqa/internal/testkit/factory"
)

// halting is a hosted model that stops in the middle of its answer until it may continue.
type halting struct {
	scripted
	half chan struct{} // closed when the first half is out
	goOn chan error    // what becomes of the rest
}

func newHalting() halting { return halting{half: make(chan struct{}), goOn: make(chan error)} }

func (m halting) Stream(ctx context.Context, r llm.Request, emit func(string) error) (llm.Answer, error) {
	said := 0
	return m.scripted.Stream(ctx, r, func(fragment string) error {
		if said++; said == 4 {
			close(m.half)
			if err := <-m.goOn; err != nil {
				return err
			}
		}
		return emit(fragment)
	})
}

// process is another process's service on the same database.
func (h bundle) process() *chat.Service {
	return chat.New(chat.Deps{Store: h.store, Clock: h.clock, Search: search.New(search.Deps{Store: h.store, Clock: h.clock}), Writer: chat.Hosted(scripted{})})
}

func (h bundle) resume(t *testing.T, caller authn.Principal, r chat.Resumption) (*transcript, chat.Reply, error) {
	t.Helper()
	sink := &transcript{}
	reply, err := h.process().Resume(h.Context(t.Context()), h.CompanyID, &h.Project, caller, r, sink)
	return sink, reply, err
}

func TestService_Resume_finished(t *testing.T) {
	t.Parallel()
	h := setup(t)
	caller := h.caller(authn.KindKey)
	first := &transcript{}
	want, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, caller, chat.Request{Question: "How long is the warranty?"}, first)
	require.NoError(t, err)
	h.chat.Wait(t.Context())
	text := []rune(want.Text)
	for seen := range len(text) + 2 {
		sink, reply, err := h.resume(t, caller, chat.Resumption{AnswerID: want.AnswerID, Seen: seen})
		require.NoError(t, err)
		require.Equal(t, want.ExchangeIDs, sink.start)
		require.Equal(t, string(text[min(seen, len(text)):]), sink.text.String())
		require.Equal(t, want.Sources, sink.sources)
		require.Equal(t, want, reply)
	}
	sink, reply, err := h.resume(t, caller, chat.Resumption{AnswerID: want.AnswerID, Sourced: true})
	require.NoError(t, err)
	require.Equal(t, []string{"start"}, sink.calls)
	require.Equal(t, want, reply)
	sink, _, err = h.resume(t, caller, chat.Resumption{AnswerID: want.AnswerID, Ended: true})
	require.NoError(t, err)
	require.Equal(t, []string{"start"}, sink.calls)

	h.clock.Advance(streams.Kept + time.Second)
	_, _, err = h.resume(t, caller, chat.Resumption{AnswerID: want.AnswerID})
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	require.NoError(t, streams.Sweep(t.Context(), h.store, h.clock))
	require.Zero(t, h.count(t, "answer_streams"))
}

func TestService_Resume_whileItIsWritten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end  error
		code string
	}{
		"to its end":             {},
		"until the model failed": {apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model failed"), "provider_error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			model := newHalting()
			asking := chat.New(chat.Deps{Store: h.store, Clock: h.clock, Search: search.New(search.Deps{Store: h.store, Clock: h.clock}), Writer: chat.Hosted(model)})
			caller := h.caller(authn.KindKey)
			sent, begun := &transcript{}, make(chan struct{})
			sent.onStart = func() { close(begun) }
			asked := make(chan error)
			go func() {
				_, err := asking.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, caller, chat.Request{Question: "How long is the warranty?"}, sent)
				asked <- err
			}()
			<-begun
			<-model.half
			h.appears(t, "The warranty lasts ")

			seen := &transcript{chunked: make(chan string, 100)}
			resumed := make(chan error)
			var reply chat.Reply
			go func() {
				var err error
				reply, err = h.process().Resume(h.Context(t.Context()), h.CompanyID, &h.Project, caller,
					chat.Resumption{AnswerID: sent.start.AnswerID, Seen: len("The ")}, seen)
				resumed <- err
			}()
			require.Equal(t, "warranty lasts ", <-seen.chunked)
			model.goOn <- test.end
			err := <-asked
			require.Equal(t, test.end, unwrapped(err))
			err = <-resumed
			require.EqualValues(t, test.code, apperr.CodeOf(err))
			if test.end != nil {
				require.Equal(t, "warranty lasts ", seen.text.String())
				require.Zero(t, h.count(t, "messages"), "no half of an answer is stored")
				return
			}
			require.NoError(t, err)
			require.Equal(t, "The "+seen.text.String(), sent.text.String())
			require.Equal(t, sent.sources, seen.sources)
			require.Equal(t, reply.Text, sent.text.String())
		})
	}
}

func unwrapped(err error) error {
	if err == nil {
		return nil
	}
	return apperr.New(apperr.KindOf(err), apperr.CodeOf(err), "the model failed")
}

// appears waits until the text of the one stream is in the database.
func (h bundle) appears(t *testing.T, want string) {
	t.Helper()
	require.Eventually(t, func() bool {
		var body string
		err := h.store.Pool().QueryRow(h.Context(t.Context()), "select coalesce(max(body), '') from answer_streams").Scan(&body)
		return err == nil && body == want
	}, 2*time.Minute, 10*time.Millisecond)
}

func TestService_Resume_whoMay(t *testing.T) {
	t.Parallel()
	h := setup(t)
	reply, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindEmbed), chat.Request{Question: "How long is the warranty?"}, &transcript{})
	require.NoError(t, err)
	json := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"})
	h.chat.Wait(t.Context())
	mine := chat.Resumption{AnswerID: reply.AnswerID, VisitorID: reply.VisitorID}
	test := h.caller(authn.KindKey)
	test.Test = true
	archived := h
	archived.Project.Status = "archived"
	elsewhere := h
	elsewhere.Project = h.NewProject(t, h.store, factory.TenantOpts{})
	foreign := h
	foreign.Tenant = factory.NewTenant(t, h.store, factory.TenantOpts{})
	for name, tt := range map[string]struct {
		h      bundle
		caller authn.Principal
		r      chat.Resumption
		ok     bool
	}{
		"the visitor by an embed key":   {h, h.caller(authn.KindEmbed), mine, true},
		"the visitor by a share token":  {h, h.caller(authn.KindShare), mine, true},
		"a server":                      {h, h.caller(authn.KindKey), chat.Resumption{AnswerID: reply.AnswerID}, true},
		"another visitor":               {h, h.caller(authn.KindEmbed), chat.Resumption{AnswerID: reply.AnswerID, VisitorID: ids.New(ids.Visitor)}, false},
		"no visitor":                    {h, h.caller(authn.KindShare), chat.Resumption{AnswerID: reply.AnswerID}, false},
		"a test key":                    {h, test, mine, false},
		"an archived project":           {archived, h.caller(authn.KindKey), mine, false},
		"another project":               {elsewhere, h.caller(authn.KindKey), mine, false},
		"another company":               {foreign, foreign.caller(authn.KindKey), mine, false},
		"an answer that was not stream": {h, h.caller(authn.KindKey), chat.Resumption{AnswerID: json.AnswerID}, false},
		"an unknown answer":             {h, h.caller(authn.KindKey), chat.Resumption{AnswerID: ids.Derived(ids.Message, "x")}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, got, err := tt.h.resume(t, tt.caller, tt.r)
			if tt.ok {
				require.NoError(t, err)
				require.Equal(t, reply.Text, got.Text)
				return
			}
			require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
		})
	}
}

func TestService_Resume_otherKinds(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Project.LeadCaptureEnabled = true
	nonsense := chat.Request{Question: "Which planets have rings?"}
	prompt, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindShare), nonsense, &transcript{})
	require.NoError(t, err)
	h.chat.Wait(t.Context())
	sink, reply, err := h.resume(t, h.caller(authn.KindKey), chat.Resumption{AnswerID: prompt.AnswerID})
	require.NoError(t, err)
	require.Equal(t, []string{"start"}, sink.calls)
	require.Equal(t, prompt, reply)

	h.Project.LeadCaptureEnabled = false
	refusal, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindShare), nonsense, &transcript{})
	require.NoError(t, err)
	h.chat.Wait(t.Context())
	sink, reply, err = h.resume(t, h.caller(authn.KindKey), chat.Resumption{AnswerID: refusal.AnswerID})
	require.NoError(t, err)
	require.Equal(t, refusal.Text, sink.text.String())
	require.Equal(t, column.Sources{}, sink.sources)
	require.Equal(t, refusal, reply)
}

func TestService_Resume_afterAProcessHasGone(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := ids.New(ids.Message)
	_, err := h.store.Pool().Exec(h.Context(t.Context()), `insert into answer_streams
		(company_id, project_id, message_id, conversation_id, session_id, visitor_id, body, body_bytes, began_at, updated_at)
		values ($1, $2, $3, 'cnv_x', 'ses_x', 'vis_x', 'The warr', 8, $4, now() - make_interval(secs => 16))`,
		h.CompanyID, h.Project.ProjectID, id, h.clock.Now())
	require.NoError(t, err)
	sink, _, err := h.resume(t, h.caller(authn.KindKey), chat.Resumption{AnswerID: id})
	require.EqualValues(t, "unavailable", apperr.CodeOf(err))
	require.Equal(t, "The warr", sink.text.String())
}

func TestService_Ask_aJSONAnswerKeepsNoStream(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"})
	_, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindUser),
		chat.Request{Question: "How long is the warranty?"}, &transcript{})
	require.NoError(t, err)
	h.chat.Wait(t.Context())
	require.Zero(t, h.count(t, "answer_streams"))
}

// TestService_Cut: an answer that is not whole when the process has no more time is not
// stored, and whoever waits for it hears why.
func TestService_Cut(t *testing.T) {
	t.Parallel()
	for name, stream := range map[string]bool{"as JSON": false, "as a stream": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begun := make(chan struct{})
			h := setupWith(t, scripted{before: func(ctx context.Context) { close(begun); <-ctx.Done() }, err: context.Canceled}, factory.TenantOpts{})
			asked, sent := make(chan error), &transcript{}
			go func() {
				var sink chat.Sink
				if stream {
					sink = sent
				}
				_, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"}, sink)
				asked <- err
			}()
			<-begun
			h.chat.Cut(apperr.ShuttingDown())
			require.EqualValues(t, "shutting_down", apperr.CodeOf(<-asked))
			h.chat.Wait(t.Context())
			require.Zero(t, h.count(t, "messages"))
			require.Zero(t, h.used(t))
			if stream {
				_, _, err := h.resume(t, h.caller(authn.KindKey), chat.Resumption{AnswerID: sent.start.AnswerID})
				require.EqualValues(t, "shutting_down", apperr.CodeOf(err))
			}
		})
	}
}
