package chat_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/limits"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

const (
	warranty = "The warranty lasts 24 months from the date of purchase. It covers faults in material"
	delivery = "Delivery takes three working days within the country. Delivery to Iceland takes five working days"
	returns  = "Goods may be returned within 30 days. The customer pays the postage of a return"
)

// bundle is a service with one tenant whose project holds three documents.
type bundle struct {
	store *store.Store
	chat  *chat.Service
	clock *clock.Manual
	factory.Tenant
}

func setup(t *testing.T) bundle {
	t.Helper()
	return setupWith(t, scripted{}, factory.TenantOpts{})
}

func setupWith(t *testing.T, model scripted, o factory.TenantOpts) bundle {
	t.Helper()
	return setupOn(t, dbtest.New(t), model, o)
}

func setupOn(t *testing.T, s *store.Store, model scripted, o factory.TenantOpts) bundle {
	t.Helper()
	h := bundle{store: s, clock: clock.Fixed(factory.Epoch()), Tenant: factory.NewTenant(t, s, o)}
	h.chat = chat.New(chat.Deps{Store: s, Clock: h.clock, Search: search.New(search.Deps{Store: s, Clock: h.clock}), Writer: chat.Hosted(model)})
	h.fill(t, h.Tenant, h.Project.ProjectID)
	return h
}

// second is another process of the same installation.
func (h bundle) second(s *store.Store) bundle {
	h.store = s
	h.chat = chat.New(chat.Deps{Store: s, Clock: h.clock, Search: search.New(search.Deps{Store: s, Clock: h.clock}), Writer: chat.Hosted(scripted{})})
	return h
}

func (h bundle) fill(t *testing.T, ten factory.Tenant, projectID string) {
	t.Helper()
	factory.Document(t, h.store, ten, projectID, "warranty-terms.txt", warranty)
	factory.Document(t, h.store, ten, projectID, "delivery.txt", delivery)
	factory.Document(t, h.store, ten, projectID, "returns.txt", returns)
	factory.Reindex(t, h.store, ten, projectID, factory.Epoch())
}

func (h bundle) caller(kind authn.Kind) authn.Principal {
	return authn.Principal{Kind: kind, CompanyID: h.CompanyID, Plan: limits.PlanFree, ProjectID: h.Project.ProjectID}
}

func (h bundle) try(t *testing.T, caller authn.Principal, r chat.Request) (chat.Reply, error) {
	t.Helper()
	return h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, caller, r, nil)
}

func (h bundle) ask(t *testing.T, caller authn.Principal, r chat.Request) chat.Reply {
	t.Helper()
	reply, err := h.try(t, caller, r)
	require.NoError(t, err)
	return reply
}

// count answers how many rows of the tenant table holds.
func (h bundle) count(t *testing.T, table string) int {
	t.Helper()
	var n int
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()), "select count(*) from "+table).Scan(&n))
	return n
}

// used answers how many messages of January are counted.
func (h bundle) used(t *testing.T) (n int) {
	t.Helper()
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()),
		"select coalesce(sum(messages), 0)::integer from usage_shards where month = '2026-01-01'").Scan(&n))
	return n
}

func TestService_Ask_answers(t *testing.T) {
	t.Parallel()
	h := setup(t)
	reply := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: "  How long is the warranty?\n"})
	require.Equal(t, chat.KindAnswer, reply.Kind)
	require.True(t, reply.Answered())
	require.Equal(t, warranty+" [1].", reply.Text)
	require.NotNil(t, reply.FollowUps)
	require.Len(t, reply.Sources, 1)
	source := reply.Sources[0]
	require.Equal(t, 1, source.Index)
	require.Equal(t, "warranty terms", source.DocumentTitle)
	require.Equal(t, "warranty-terms.txt", source.Location)
	require.Equal(t, warranty, source.Excerpt)
	require.Equal(t, column.Span{Start: 0, End: len(warranty)}, source.ExcerptSpan)
	require.Nil(t, source.PageNumber)
	require.Equal(t, []column.Span{{Start: 0, End: len(reply.Text)}}, source.Spans)
	for prefix, id := range map[string]string{
		ids.Conversation: reply.ConversationID, ids.Session: reply.SessionID, ids.Visitor: reply.VisitorID, ids.Message: reply.AnswerID,
	} {
		require.True(t, ids.Valid(prefix, id), id)
	}

	require.Equal(t, 1, h.used(t))
	stored, err := dbsqlc.New().MessageListPage(h.Context(t.Context()), h.store.Pool(), dbsqlc.MessageListPageParams{
		CompanyID: h.CompanyID, ProjectID: h.Project.ProjectID, ConversationID: reply.ConversationID, BeforeMessageID: "msg_zzz", RowLimit: 10,
	})
	require.NoError(t, err)
	require.Len(t, stored, 2)
	answer, question := stored[0], stored[1]
	require.Equal(t, "How long is the warranty?", question.Content)
	require.Equal(t, "user", question.Role)
	require.Empty(t, question.Sources)
	require.Equal(t, reply.AnswerID, answer.MessageID)
	require.Equal(t, reply.Text, answer.Content)
	require.Equal(t, "assistant", answer.Role)
	require.Equal(t, "answer", *answer.Kind)
	require.Equal(t, reply.Sources, answer.Sources)
	require.Equal(t, reply.FollowUps, answer.SuggestedFollowUps)
	require.Equal(t, "high", *answer.ConfidenceLevel)
	require.Equal(t, int32(10), *answer.CompletionTokens)
	conversation, err := dbsqlc.New().ConversationGet(h.Context(t.Context()), h.store.Pool(), dbsqlc.ConversationGetParams{
		CompanyID: h.CompanyID, ConversationID: reply.ConversationID,
	})
	require.NoError(t, err)
	require.Equal(t, "How long is the warranty?", conversation.Preview)
	require.Equal(t, int32(2), conversation.MessageCount)
}

func TestService_Ask_roundTrips(t *testing.T) {
	t.Parallel()
	trips := &dbtest.Trips{}
	s, err := store.Open(t.Context(), dbtest.URL(t), store.Options{Tracer: trips})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	h := setupOn(t, s, scripted{}, factory.TenantOpts{})
	caller := h.caller(authn.KindKey)
	first := h.ask(t, caller, chat.Request{Question: "How long is the warranty?"}) // reads the statistics
	trips.Take()
	h.ask(t, caller, chat.Request{Question: "How long is the warranty?"})
	require.Equal(t, []string{"ExchangeOpen+ChunkSearch", "ExchangeStore"}, trips.Take())
	h.ask(t, caller, chat.Request{Question: "And the delivery?", SessionID: first.SessionID})
	require.Equal(t, []string{"ExchangeOpen", "ChunkSearch", "ExchangeStore"}, trips.Take(), "what is searched for depends on the conversation")
	other := h.NewProject(t, s, factory.TenantOpts{})
	trips.Take()
	h.Project = other
	h.ask(t, caller, chat.Request{Question: "How long is the warranty?"})
	require.Equal(t, []string{"LexstatsGet", "ExchangeOpen", "ExchangeStore"}, trips.Take(), "there is nothing to search: the opening goes by itself")
}

func TestService_Ask_validatesTheQuestion(t *testing.T) {
	t.Parallel()
	settings := column.DefaultSettings()
	settings.Prompt.MaxQuestionLength = 10
	h := setupWith(t, scripted{}, factory.TenantOpts{Settings: &settings})
	for _, tt := range []struct{ name, question, code string }{
		{"empty", "", "validation_error"},
		{"only white space", " \t\n\u00a0 ", "validation_error"},
		{"over the project's cap", "éééééééééé?", "question_too_long"},
		{"at the cap, counted in characters", "ééééééééé?", ""},
		{"white space around it does not count", "   ééééééééé?   ", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, test := range []bool{false, true} {
				caller := h.caller(authn.KindKey)
				caller.Test = test
				_, err := h.try(t, caller, chat.Request{Question: tt.question})
				require.EqualValues(t, tt.code, apperr.CodeOf(err), "test key: %t", test)
			}
		})
	}
}

func TestService_Ask_withoutAnAnswer(t *testing.T) {
	t.Parallel()
	h := setup(t)
	nonsense := chat.Request{Question: "Which planets have rings?"}
	reply := h.ask(t, h.caller(authn.KindKey), nonsense)
	require.Equal(t, chat.KindNoAnswer, reply.Kind)
	require.Equal(t, column.DefaultSettings().Prompt.NoAnswerMessage, reply.Text)
	require.Equal(t, column.Sources{}, reply.Sources)
	require.Equal(t, "none", reply.Level)
	require.Less(t, reply.Confidence, 0.5, "the writer's own, below what an answer needs")
	require.Equal(t, 1, h.used(t))

	h.Project.LeadCaptureEnabled = true
	prompt := h.ask(t, h.caller(authn.KindEmbed), nonsense)
	require.Equal(t, chat.KindLeadPrompt, prompt.Kind)
	require.Equal(t, []string{"name", "email"}, prompt.Fields)
	require.Equal(t, column.DefaultSettings().LeadCapture.PromptMessage, prompt.Text)
	require.Equal(t, chat.KindNoAnswer, h.ask(t, h.caller(authn.KindUser), nonsense).Kind, "the dashboard's people are no leads")

	h.Project.Settings.LeadCapture.Mode = "form"
	require.Equal(t, chat.KindNoAnswer, h.ask(t, h.caller(authn.KindEmbed), nonsense).Kind)
	require.Equal(t, 8, h.count(t, "messages"))
}

func TestService_Ask_withATestKey(t *testing.T) {
	t.Parallel()
	h := setupWith(t, scripted{err: errors.New("must not be asked")}, factory.TenantOpts{})
	caller := h.caller(authn.KindKey)
	caller.Test = true
	first := h.ask(t, caller, chat.Request{Question: "How long is the warranty?"})
	second := h.ask(t, caller, chat.Request{Question: "And then?", ConversationID: first.ConversationID, SessionID: first.SessionID})
	require.Equal(t, chat.KindFixture, first.Kind)
	require.NotEmpty(t, first.Text)
	require.Equal(t, column.Sources{}, first.Sources)
	require.NotEqual(t, first.ConversationID, second.ConversationID, "its ids continue nothing")
	require.NotEqual(t, first.SessionID, second.SessionID)
	require.Zero(t, h.count(t, "messages"))
	require.Zero(t, h.count(t, "conversations"))
	require.Zero(t, h.used(t))
}

func TestService_Ask_refuses(t *testing.T) {
	t.Parallel()
	question := chat.Request{Question: "How long is the warranty?"}
	t.Run("an archived project", func(t *testing.T) {
		t.Parallel()
		h := setup(t)
		h.Project.Status = "archived"
		_, err := h.try(t, h.caller(authn.KindUser), question)
		require.Equal(t, apperr.NotFound(), err)
	})
	t.Run("a suspended company", func(t *testing.T) {
		t.Parallel()
		h := setup(t)
		_, err := h.store.Pool().Exec(h.Context(t.Context()), "update companies set status = 'suspended'")
		require.NoError(t, err)
		_, err = h.try(t, h.caller(authn.KindKey), question)
		require.EqualValues(t, "company_suspended", apperr.CodeOf(err))
		require.Zero(t, h.count(t, "messages"))
	})
	t.Run("and stores nothing when the model fails", func(t *testing.T) {
		t.Parallel()
		h := setupWith(t, scripted{err: apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "the model failed")}, factory.TenantOpts{})
		_, err := h.try(t, h.caller(authn.KindKey), question)
		require.Equal(t, apperr.KindProviderFailed, apperr.KindOf(err))
		require.Zero(t, h.count(t, "messages"))
		require.Zero(t, h.used(t))
	})
	t.Run("but answers in a draft project", func(t *testing.T) {
		t.Parallel()
		h := setupWith(t, scripted{}, factory.TenantOpts{Draft: true})
		reply := h.ask(t, h.caller(authn.KindKey), question)
		require.True(t, reply.Answered())
	})
}

// TestService_Ask_countsTheMonthExactly asks around the limit from two processes.
func TestService_Ask_countsTheMonthExactly(t *testing.T) {
	t.Parallel()
	const asked = 64
	quota := limits.PlanOf(limits.PlanFree).MessagesPerMonth
	for name, counted := range map[string]string{
		"counted by shards":      "insert into usage_shards (company_id, month, shard, messages) select $1, '2026-01-01', s, ($2 + 15 - s) / 16 from generate_series(0, 15) s",
		"counted by one of them": "insert into usage_shards (company_id, month, shard, messages) values ($1, '2026-01-01', 3, $2)",
	} {
		for _, left := range []int{0, 1, 5, 23, asked} {
			t.Run(fmt.Sprintf("%s, %d left", name, left), func(t *testing.T) {
				t.Parallel()
				url := dbtest.URL(t)
				a := setupOn(t, open(t, url), scripted{}, factory.TenantOpts{})
				b := a.second(open(t, url))
				_, err := a.store.Pool().Exec(a.Context(t.Context()), counted, a.CompanyID, quota-left)
				require.NoError(t, err)
				require.Equal(t, quota-left, a.used(t))
				require.Equal(t, min(left, asked), askTogether(t, asked, a, b))
				require.Equal(t, quota, a.used(t))
				require.Equal(t, 2*left, a.count(t, "messages"))
				a.clock.Advance(24 * time.Hour)
				a.ask(t, a.caller(authn.KindKey), chat.Request{Question: "A new month"})
			})
		}
	}
}

func open(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), url, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// askTogether has processes ask n questions at once and answers how many were accepted.
// What is refused is refused for the quota.
func askTogether(t *testing.T, n int, processes ...bundle) (accepted int) {
	t.Helper()
	var wg sync.WaitGroup
	results := make(chan error, n)
	for i := range n {
		wg.Go(func() {
			h := processes[i%len(processes)]
			_, err := h.chat.Ask(h.Context(context.WithoutCancel(t.Context())), h.CompanyID, &h.Project, h.caller(authn.KindKey),
				chat.Request{Question: "How long is the warranty?"}, nil)
			results <- err
		})
	}
	wg.Wait()
	close(results)
	for err := range results {
		if err == nil {
			accepted++
			continue
		}
		e, ok := errors.AsType[*apperr.Error](err)
		require.True(t, ok, err)
		require.EqualValues(t, "quota_exceeded", e.Code)
		require.Positive(t, e.RetryAfter)
	}
	return accepted
}

// apart is the clock of a machine that is wrong by so much.
type apart struct{ by time.Duration }

func (a apart) Now() time.Time { return time.Now().Add(a.by).UTC() }

// TestService_Ask_countsByTheDatabasesClock has processes whose clocks are months apart
// count in the same month.
func TestService_Ask_countsByTheDatabasesClock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for _, by := range []time.Duration{-1000 * time.Hour, 0, 1000 * time.Hour} {
		process := h
		process.chat = chat.New(chat.Deps{Store: h.store, Clock: apart{by}, Search: search.New(search.Deps{Store: h.store, Clock: h.clock}), Writer: chat.Hosted(scripted{})})
		process.ask(t, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"})
	}
	var messages int
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()),
		"select sum(messages) from usage_shards where month = date_trunc('month', now() at time zone 'UTC')").Scan(&messages))
	require.Equal(t, 3, messages)

	_, err := h.store.Pool().Exec(h.Context(t.Context()), "update usage_shards set messages = 1000")
	require.NoError(t, err)
	h.chat = chat.New(chat.Deps{Store: h.store, Clock: apart{1000 * time.Hour}, Search: search.New(search.Deps{Store: h.store, Clock: h.clock}), Writer: chat.Hosted(scripted{})})
	_, err = h.try(t, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"})
	e, ok := errors.AsType[*apperr.Error](err)
	require.True(t, ok, err)
	require.EqualValues(t, "quota_exceeded", e.Code)
	require.LessOrEqual(t, e.RetryAfter, 31*24*time.Hour)
	require.Positive(t, e.RetryAfter)
}

func TestService_Ask_searchesWithTheEarlierTurns(t *testing.T) {
	t.Parallel()
	var history []string // of the latest question, as the model got it
	h := setupWith(t, scripted{onRequest: func(r llm.Request) {
		history = nil
		for _, e := range r.History {
			history = append(history, e.Question)
		}
	}}, factory.TenantOpts{})
	caller := h.caller(authn.KindKey)
	follow := "How many days exactly, please?"
	for _, tt := range []struct{ first, want string }{
		{"May goods be returned by the customer?", returns},
		{"Is there delivery to Iceland?", delivery},
	} {
		first := h.ask(t, caller, chat.Request{Question: tt.first})
		second := h.ask(t, caller, chat.Request{Question: follow, SessionID: first.SessionID})
		require.Equal(t, tt.want+" [1].", second.Text)
		require.Equal(t, first.ConversationID, second.ConversationID)
		require.Equal(t, []string{tt.first}, history)
	}
	h.Project.Settings.Retrieval.QueryRewriting = false
	var alone []string
	for _, earlier := range []string{"May goods be returned by the customer?", "Is there delivery to Iceland?"} {
		first := h.ask(t, caller, chat.Request{Question: earlier})
		alone = append(alone, h.ask(t, caller, chat.Request{Question: follow, SessionID: first.SessionID}).Text)
		require.Empty(t, history)
	}
	require.Equal(t, alone[0], alone[1], "switched off, the earlier turns change nothing")
}

// TestService_Ask_boundsTheStreamsOfAProject over the processes that serve it.
func TestService_Ask_boundsTheStreamsOfAProject(t *testing.T) {
	t.Parallel()
	maxConcurrent := limits.PlanOf(limits.PlanFree).ChatConcurrent
	started, end := make(chan struct{}, 4*maxConcurrent), make(chan struct{})
	model := scripted{before: func(context.Context) { started <- struct{}{}; <-end }}
	h := setupWith(t, model, factory.TenantOpts{})
	processes := []*chat.Service{h.chat, chat.New(chat.Deps{Store: h.store, Clock: h.clock, Search: search.New(search.Deps{Store: h.store, Clock: h.clock}), Writer: chat.Hosted(model)})}
	ask := func(process int, sink chat.Sink) error {
		ctx := h.Context(context.WithoutCancel(t.Context()))
		_, err := processes[process].Ask(ctx, h.CompanyID, &h.Project, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"}, sink)
		return err
	}
	var wg sync.WaitGroup
	for i := range maxConcurrent {
		wg.Go(func() { _ = ask(i%len(processes), &transcript{}) })
	}
	for range maxConcurrent {
		<-started
	}
	for i := range processes {
		err := ask(i, &transcript{})
		e, ok := errors.AsType[*apperr.Error](err)
		require.True(t, ok, "%v", err)
		require.EqualValues(t, "rate_limited", e.Code)
		require.Positive(t, e.RetryAfter)
	}
	wg.Go(func() { _ = ask(0, nil) })
	<-started // an answer as JSON takes no place
	close(end)
	wg.Wait()
	for i := range processes {
		for range maxConcurrent {
			require.NoError(t, ask(i, &transcript{}), "the places are free again")
		}
		processes[i].Wait(t.Context())
	}
	require.Zero(t, h.count(t, "stream_leases"))
}

func TestService_Ask_isNotHeldUpByAChangeOfTheProject(t *testing.T) {
	t.Parallel()
	h := setup(t)
	err := h.store.InTx(h.Context(t.Context()), func(ctx context.Context, tx pgx.Tx) error {
		_, err := dbsqlc.New().ProjectGetForUpdate(ctx, tx, dbsqlc.ProjectGetForUpdateParams{CompanyID: h.CompanyID, ProjectID: h.Project.ProjectID})
		require.NoError(t, err)
		_, err = h.chat.Ask(ctx, h.CompanyID, &h.Project, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty?"}, nil)
		return err
	})
	require.NoError(t, err)
}
