package streams_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/streams"
	"docqa/internal/testkit/factory"
)

// processes are the leases of some processes on the bundle's database.
func (h bundle) processes(t *testing.T, n int) []*streams.Leases {
	t.Helper()
	var list []*streams.Leases
	for range n {
		l := streams.NewLeases(h.store)
		list = append(list, l)
		t.Cleanup(func() { l.Wait(context.WithoutCancel(t.Context())) })
	}
	return list
}

func (h bundle) take(t *testing.T, l *streams.Leases, maxStreams int) (func(), error) {
	t.Helper()
	return l.Take(h.Context(t.Context()), h.CompanyID, h.Project.ProjectID, maxStreams)
}

func (h bundle) exec(t *testing.T, sql string) {
	t.Helper()
	_, err := h.store.Pool().Exec(h.Context(t.Context()), sql)
	require.NoError(t, err)
}

func (h bundle) yes(t *testing.T, sql string) (yes bool) {
	t.Helper()
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()), sql).Scan(&yes))
	return yes
}

func TestLeases_boundAllProcesses(t *testing.T) {
	t.Parallel()
	const maxStreams = 10
	h := setup(t)
	processes := h.processes(t, 3)
	var leaves sync.Map
	var open atomic.Int32
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			leave, err := h.take(t, processes[i%len(processes)], maxStreams)
			if err == nil {
				open.Add(1)
				leaves.Store(i, leave)
				return
			}
			if apperr.KindOf(err) != apperr.KindRateLimited {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.EqualValues(t, maxStreams, open.Load())
	other := h
	other.Project = h.NewProject(t, h.store, factory.TenantOpts{})
	leave, err := other.take(t, processes[0], maxStreams)
	require.NoError(t, err, "another project is not concerned")
	leave()
	other.Project.ProjectID = ids.New(ids.Project)
	_, err = other.take(t, processes[0], maxStreams)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	leaves.Range(func(_, leave any) bool { leave.(func())(); return true }) //nolint:forcetypeassert // stored above
	for range 3 * maxStreams {
		leave, err := h.take(t, processes[1], maxStreams)
		require.NoError(t, err)
		defer leave()
		leave()
		leave() // once counts
	}
}

// TestLeases_atTheBound: whoever closes a stream may open the next at once.
func TestLeases_atTheBound(t *testing.T) {
	t.Parallel()
	h := setup(t)
	l := h.processes(t, 1)[0]
	for range 50 {
		leave, err := h.take(t, l, 1)
		require.NoError(t, err)
		_, err = h.take(t, l, 1)
		require.Equal(t, apperr.KindRateLimited, apperr.KindOf(err))
		leave()
	}
}

func TestLeases_ofADeadProcess(t *testing.T) {
	t.Parallel()
	h := setup(t)
	alive := h.processes(t, 1)[0]
	row := "insert into stream_leases select company_id, project_id, 'dead', now() + make_interval(secs => 30) from projects"
	h.exec(t, row)
	_, err := h.take(t, alive, 1)
	require.Equal(t, apperr.KindRateLimited, apperr.KindOf(err), "as long as it is believed")
	h.exec(t, "update stream_leases set expires_at = now()")
	leave, err := h.take(t, alive, 1)
	require.NoError(t, err)
	leave()
	alive.Wait(t.Context())
	require.NoError(t, streams.Sweep(t.Context(), h.store, clock.System()))
	require.True(t, h.yes(t, "select count(*) = 0 from stream_leases"))
}

// TestLeases_renew: open streams go on to count, also after a crash that emptied the table.
func TestLeases_renew(t *testing.T) {
	t.Parallel()
	h := setup(t)
	l := h.processes(t, 1)[0]
	var leaves []func()
	for range 2 {
		leave, err := h.take(t, l, 2)
		require.NoError(t, err)
		leaves = append(leaves, leave)
	}
	h.exec(t, "delete from stream_leases where ctid in (select ctid from stream_leases limit 1)")
	h.exec(t, "update stream_leases set expires_at = now()")
	require.Eventually(t, func() bool {
		return h.yes(t, "select count(*) = 2 from stream_leases where expires_at > now()")
	}, 30*time.Second, 50*time.Millisecond)
	for _, leave := range leaves {
		leave()
	}
	l.Wait(t.Context())
	require.True(t, h.yes(t, "select count(*) = 0 from stream_leases"))
}

// TestLeases_lostAnswer: a stream that was opened without this process knowing it is closed.
func TestLeases_lostAnswer(t *testing.T) {
	t.Parallel()
	h, proxy := setupBehindProxy(t)
	l := h.processes(t, 1)[0]
	lost := proxy.LoseAnswer("SELECT 1")
	_, err := h.take(t, l, 1)
	<-lost
	require.True(t, store.IsUnavailable(err), "%v", err)
	leave, err := h.take(t, l, 1)
	require.NoError(t, err)
	leave()
	l.Wait(t.Context())
	require.True(t, h.yes(t, "select count(*) = 0 from stream_leases"))
}
