package streams_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/streams"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// bundle is a keeper with one tenant.
type bundle struct {
	factory.Tenant
	store  *store.Store
	keeper *streams.Keeper
}

func setup(t *testing.T) bundle {
	t.Helper()
	s := dbtest.New(t)
	h := bundle{Tenant: factory.NewTenant(t, s, factory.TenantOpts{}), store: s, keeper: streams.New(s, clock.System())}
	t.Cleanup(func() { h.keeper.Wait(h.Context(t.Context())) })
	return h
}

// setupBehindProxy has the keeper reach the database through a proxy.
func setupBehindProxy(t *testing.T) (bundle, *dbtest.Proxy) {
	t.Helper()
	proxy := dbtest.NewProxy(t)
	s, err := store.Open(t.Context(), proxy.URL, store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	h := bundle{Tenant: factory.NewTenant(t, s, factory.TenantOpts{}), store: s, keeper: streams.New(s, clock.System())}
	t.Cleanup(func() { h.keeper.Wait(h.Context(t.Context())) })
	return h, proxy
}

func (h bundle) begin(id string) *streams.Stream {
	return h.keeper.Begin(streams.Answer{CompanyID: h.CompanyID, ProjectID: h.Project.ProjectID, MessageID: id})
}

// appears waits until so much of a stream is in the database.
func (h bundle) appears(t *testing.T, id, want string) {
	t.Helper()
	require.Eventually(t, func() bool {
		state, err := h.keeper.Get(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id, 0)
		return err == nil && state.Rest == want
	}, 2*time.Minute, 10*time.Millisecond)
}

func TestKeeper_keepsWhatIsSaid(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := ids.New(ids.Message)
	stream := h.begin(id)
	part := strings.Repeat("é<&>\x00", 1000)
	stream.Add(part)
	h.appears(t, id, strings.Repeat("é<&>", 1000))
	stream.Add("\xff" + part)
	want := strings.Repeat("é<&>", 1000) + "\uFFFD" + strings.Repeat("é<&>", 1000)
	h.appears(t, id, want)
	stream.End(apperr.New(apperr.KindTimeout, apperr.CodeProviderTimeout, "too slow"))
	h.keeper.Wait(t.Context())
	state, err := h.keeper.Find(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id)
	require.NoError(t, err)
	require.Equal(t, want, state.Rest)
	require.EqualValues(t, "provider_timeout", apperr.CodeOf(state.Failure()))
	state, err = h.keeper.Get(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id, 8000)
	require.NoError(t, err)
	require.Equal(t, ">", state.Rest)
}

// TestKeeper_goesOnAfterALostAnswer: a write that was committed but whose answer was
// lost is repeated, with what was said since. Nothing is doubled and nothing is missing.
func TestKeeper_goesOnAfterALostAnswer(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]bool{"of the first write": true, "of a later write": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, proxy := setupBehindProxy(t)
			id := ids.New(ids.Message)
			var lost <-chan struct{}
			if first {
				lost = proxy.LoseAnswer("INSERT")
			}
			stream := h.begin(id)
			stream.Add("Grüße, ")
			if !first {
				h.appears(t, id, "Grüße, ")
				lost = proxy.LoseAnswer("INSERT")
				stream.Add("die Garantie ")
			}
			<-lost
			stream.Add("gilt für ")
			want := "Grüße, die Garantie gilt für "
			if first {
				want = "Grüße, gilt für "
			}
			h.appears(t, id, want)
			stream.Add("24 Monate")
			h.appears(t, id, want+"24 Monate")
			stream.End(apperr.New(apperr.KindTimeout, apperr.CodeProviderTimeout, "too slow"))
			h.keeper.Wait(t.Context())
			state, err := h.keeper.Get(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id, 0)
			require.NoError(t, err)
			require.Equal(t, want+"24 Monate", state.Rest)
			require.EqualValues(t, "provider_timeout", apperr.CodeOf(state.Failure()))
		})
	}
}

// TestKeeper_beginsAnewAfterACrash: a crash of the database empties the table. What is
// kept must be a beginning of what was said all the same.
func TestKeeper_beginsAnewAfterACrash(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := ids.New(ids.Message)
	stream := h.begin(id)
	stream.Add("The warranty ")
	h.appears(t, id, "The warranty ")
	_, err := h.store.Pool().Exec(h.Context(t.Context()), "delete from answer_streams")
	require.NoError(t, err)
	stream.Add("lasts")
	h.appears(t, id, "The warranty lasts")
	stream.End(nil)
}

func TestKeeper_writesManyAtOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	other := factory.NewTenant(t, h.store, factory.TenantOpts{})
	var list []string
	for range 500 {
		id := ids.New(ids.Message)
		stream := h.begin(id)
		stream.Add("half of " + id)
		stream.End(apperr.New(apperr.KindProviderFailed, apperr.CodeProviderError, "broken"))
		list = append(list, id)
	}
	unknown := h.keeper.Begin(streams.Answer{CompanyID: other.CompanyID, ProjectID: h.Project.ProjectID, MessageID: ids.New(ids.Message)})
	unknown.End(nil)
	h.keeper.Wait(t.Context())
	for _, id := range list {
		state, err := h.keeper.Get(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id, len("half of "))
		require.NoError(t, err)
		require.Equal(t, id, state.Rest)
	}
	_, err := h.keeper.Get(other.Context(t.Context()), other.CompanyID, h.Project.ProjectID, list[0], 0)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err), "another company sees none")
}

func TestKeeper_waitsForWhatMayAppear(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id := ids.New(ids.Message)
	found := make(chan error)
	go func() {
		_, err := streams.New(h.store, clock.System()).Find(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id)
		found <- err
	}()
	h.begin(id).End(nil)
	require.NoError(t, <-found)

	began := time.Now()
	_, err := h.keeper.Find(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, "msg_01jd8xw2v3k4m5n6p7q8r9s0th")
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	require.Less(t, time.Since(began), streams.MayAppear, "an old id is not waited for")
}
