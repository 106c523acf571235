package streams_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apperr"
	"docqa/internal/clock"
	"docqa/internal/dbtest"
	"docqa/internal/factory"
	"docqa/internal/ids"
	"docqa/internal/store"
	"docqa/internal/streams"
)

// house is a keeper with one tenant.
type house struct {
	factory.Tenant
	store  *store.Store
	keeper *streams.Keeper
}

func newHouse(t *testing.T) house {
	t.Helper()
	s := dbtest.New(t)
	h := house{Tenant: factory.NewTenant(t, s, factory.TenantOpts{}), store: s, keeper: streams.New(s, clock.System())}
	t.Cleanup(func() { h.keeper.Wait(h.Context(t.Context())) })
	return h
}

func (h house) begin(id string) *streams.Stream {
	return h.keeper.Begin(streams.Answer{CompanyID: h.CompanyID, ProjectID: h.Project.ProjectID, MessageID: id})
}

// appears waits until so much of a stream is in the database.
func (h house) appears(t *testing.T, id, want string) {
	t.Helper()
	require.Eventually(t, func() bool {
		state, err := h.keeper.Get(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id, 0)
		return err == nil && state.Rest == want
	}, 2*time.Minute, 10*time.Millisecond)
}

func TestKeeper_keepsWhatIsSaid(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	id := ids.New(ids.Message)
	stream := h.begin(id)
	part := strings.Repeat("é<&>\x00", 1000)
	stream.Add(part)
	h.appears(t, id, strings.Repeat("é<&>", 1000))
	stream.Add("\xff" + part)
	want := strings.Repeat("é<&>", 1000) + "\uFFFD" + strings.Repeat("é<&>", 1000)
	h.appears(t, id, want)
	stream.End(apperr.New(apperr.Timeout, "provider_timeout", "too slow"))
	h.keeper.Wait(t.Context())
	state, err := h.keeper.Find(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id)
	require.NoError(t, err)
	require.Equal(t, want, state.Rest)
	require.Equal(t, "provider_timeout", apperr.CodeOf(state.Failure()))
	state, err = h.keeper.Get(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, id, 8000)
	require.NoError(t, err)
	require.Equal(t, ">", state.Rest)
}

func TestKeeper_writesManyAtOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	other := factory.NewTenant(t, h.store, factory.TenantOpts{})
	var list []string
	for range 500 {
		id := ids.New(ids.Message)
		stream := h.begin(id)
		stream.Add("half of " + id)
		stream.End(apperr.New(apperr.ProviderFailed, "provider_error", "broken"))
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
	require.Equal(t, apperr.Missing, apperr.KindOf(err), "another company sees none")
}

func TestKeeper_waitsForWhatMayAppear(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
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
	require.Equal(t, apperr.Missing, apperr.KindOf(err))
	require.Less(t, time.Since(began), streams.MayAppear, "an old id is not waited for")
}
