package apikeys_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"docqa/gen/dbsqlc"
	"docqa/internal/apikeys"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

type bundle struct {
	store  *store.Store
	clock  *clock.Manual
	keys   *apikeys.Service
	tenant factory.Tenant
	ctx    context.Context //nolint:containedctx // one test's
}

var pepper = []byte("a pepper of at least thirty-two bytes")

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{store: dbtest.New(t), clock: clock.Fixed(factory.Epoch())}
	b.tenant = factory.NewTenant(t, b.store, factory.TenantOpts{})
	b.keys = b.service(pepper)
	b.ctx = b.tenant.Context(t.Context())
	t.Cleanup(func() { b.keys.Wait(context.WithoutCancel(t.Context())) })
	return b
}

// service returns another service on the same store, as another process has it.
func (b *bundle) service(pepper []byte, environments ...string) *apikeys.Service {
	return apikeys.New(apikeys.Deps{
		Store: b.store, Clock: b.clock, Logger: slog.New(slog.DiscardHandler), Pepper: pepper, Environments: environments,
	})
}

func (b *bundle) issue(t *testing.T, kind, environment string) apikeys.Issued {
	t.Helper()
	issued, err := b.keys.Create(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, apikeys.Input{
		Kind: kind, Environment: environment, Label: "Backend", By: ids.New(ids.User),
	})
	require.NoError(t, err)
	return issued
}

func (b *bundle) key(t *testing.T, id string) dbsqlc.ApiKey {
	t.Helper()
	keys, err := b.keys.ListByProject(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID)
	require.NoError(t, err)
	i := slices.IndexFunc(keys, func(k dbsqlc.ApiKey) bool { return k.KeyID == id })
	require.GreaterOrEqual(t, i, 0)
	return keys[i]
}

func TestService_Authenticate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued := b.issue(t, apikeys.Integration, apikeys.Live)
	a, err := b.keys.Authenticate(t.Context(), issued.Secret)
	require.NoError(t, err)
	require.Equal(t, issued.Key.KeyID, a.Key.KeyID)
	require.Equal(t, b.tenant.Project.ProjectID, a.Project.ProjectID)
	require.Equal(t, "free", a.Plan)
	require.NotContains(t, string(a.Key.SecretHash), issued.Secret)
	require.Equal(t, issued.Secret[:12], issued.Key.Prefix)

	b.keys.Wait(t.Context())
	key := b.key(t, a.Key.KeyID)
	require.True(t, key.LastUsedAt.Equal(b.clock.Now()), "the first use is noted")
	first := *key.LastUsedAt
	b.clock.Advance(30 * time.Second)
	_, err = b.keys.Authenticate(t.Context(), issued.Secret)
	require.NoError(t, err)
	b.keys.Wait(t.Context())
	key = b.key(t, a.Key.KeyID)
	require.True(t, key.LastUsedAt.Equal(first), "and the next ones at most once a minute")
}

func TestService_Authenticate_refuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued := b.issue(t, apikeys.Integration, apikeys.Live)
	testKey := b.issue(t, apikeys.Integration, apikeys.Test)
	other := b.service([]byte("another"))
	liveOnly := b.service(pepper, apikeys.Live)

	_, err := b.keys.Authenticate(t.Context(), "sk_live_nonsense")
	require.EqualValues(t, "invalid_key", apperr.CodeOf(err))
	unknown := err
	_, err = other.Authenticate(t.Context(), issued.Secret)
	require.Equal(t, unknown, err, "a key that nobody issued looks like a malformed one")
	_, err = liveOnly.Authenticate(t.Context(), testKey.Secret)
	require.EqualValues(t, "wrong_environment", apperr.CodeOf(err))
	require.Equal(t, apperr.KindUnauthenticated, apperr.KindOf(err))

	_, err = b.keys.Revoke(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, issued.Key.KeyID, "usr")
	require.NoError(t, err)
	_, err = b.keys.Authenticate(t.Context(), issued.Secret)
	require.Equal(t, unknown, err, "revoked, at once in the process that revoked")
}

func TestService_Authenticate_revokedElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued := b.issue(t, apikeys.Integration, apikeys.Live)
	elsewhere := b.service(pepper)
	t.Cleanup(func() { elsewhere.Wait(context.WithoutCancel(t.Context())) })
	_, err := elsewhere.Authenticate(t.Context(), issued.Secret)
	require.NoError(t, err)
	_, err = b.keys.Revoke(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, issued.Key.KeyID, "usr")
	require.NoError(t, err)
	b.clock.Advance(time.Second)
	_, err = elsewhere.Authenticate(t.Context(), issued.Secret)
	require.EqualValues(t, "invalid_key", apperr.CodeOf(err), "within a second")
}

func TestService_Authenticate_companyAndProject(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		sql  string
		code string
		kind apperr.Kind
	}{
		"suspended company": {"update companies set status = 'suspended'", "company_suspended", apperr.KindForbidden},
		"deleted company":   {"update companies set status = 'deleted'", "invalid_key", apperr.KindUnauthenticated},
		"archived project":  {"update projects set status = 'archived'", "invalid_key", apperr.KindUnauthenticated},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			issued := b.issue(t, apikeys.Embed, apikeys.Live)
			_, err := b.store.Pool().Exec(b.ctx, test.sql)
			require.NoError(t, err)
			_, err = b.keys.Authenticate(t.Context(), issued.Secret)
			require.EqualValues(t, test.code, apperr.CodeOf(err))
			require.Equal(t, test.kind, apperr.KindOf(err))
		})
	}
}

func TestService_Rotate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.issue(t, apikeys.Integration, apikeys.Live)
	out, err := b.keys.Rotate(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, "usr", time.Hour)
	require.NoError(t, err)
	require.Equal(t, 1, out.Replaced)
	require.Equal(t, apikeys.Embed, out.Embed.Key.Kind)
	for _, secret := range []string{old.Secret, out.Integration.Secret, out.Embed.Secret} {
		_, err = b.keys.Authenticate(t.Context(), secret)
		require.NoError(t, err, "old and new work within the time of grace")
	}
	b.clock.Advance(time.Hour)
	_, err = b.keys.Authenticate(t.Context(), old.Secret)
	require.EqualValues(t, "invalid_key", apperr.CodeOf(err))
	revoked := "revoked"
	rows, err := b.keys.List(b.ctx, b.tenant.CompanyID, apikeys.Filter{Status: &revoked})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, old.Key.KeyID, rows[0].ApiKey.KeyID)

	again, err := b.keys.Rotate(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, "usr", 0)
	require.NoError(t, err)
	require.Equal(t, 3, again.Replaced)
	_, err = b.keys.Authenticate(t.Context(), out.Integration.Secret)
	require.EqualValues(t, "invalid_key", apperr.CodeOf(err))
}

func TestService_List_filters(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live, test := b.issue(t, apikeys.Integration, apikeys.Live), b.issue(t, apikeys.Embed, apikeys.Test)
	count := func(f apikeys.Filter) int {
		rows, err := b.keys.List(b.ctx, b.tenant.CompanyID, f)
		require.NoError(t, err)
		return len(rows)
	}
	text := func(s string) *string { return &s }
	require.Equal(t, 2, count(apikeys.Filter{}))
	require.Equal(t, 1, count(apikeys.Filter{Environment: text("test")}))
	require.Equal(t, 2, count(apikeys.Filter{ProjectID: &b.tenant.Project.ProjectID}))
	require.Zero(t, count(apikeys.Filter{Environment: text("nonsense")}))
	require.Zero(t, count(apikeys.Filter{Status: text("")}))
	require.Zero(t, count(apikeys.Filter{ProjectID: text("prj_unknown")}))
	foreign := factory.NewTenant(t, b.store, factory.TenantOpts{})
	rows, err := b.keys.List(foreign.Context(t.Context()), foreign.CompanyID, apikeys.Filter{})
	require.NoError(t, err)
	require.Empty(t, rows)
	_ = live
	_ = test
}

func TestService_foreignIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued := b.issue(t, apikeys.Integration, apikeys.Live)
	foreign := factory.NewTenant(t, b.store, factory.TenantOpts{})
	ctx := foreign.Context(t.Context())
	_, err := b.keys.Create(ctx, foreign.CompanyID, b.tenant.Project.ProjectID, apikeys.Input{Kind: apikeys.Embed, Environment: apikeys.Live})
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.keys.Rotate(ctx, foreign.CompanyID, b.tenant.Project.ProjectID, "usr", 0)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.keys.Revoke(ctx, foreign.CompanyID, b.tenant.Project.ProjectID, issued.Key.KeyID, "usr")
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.keys.Revoke(ctx, foreign.CompanyID, foreign.Project.ProjectID, issued.Key.KeyID, "usr")
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
}

func TestService_Create_idempotent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	in := apikeys.Input{Kind: apikeys.Integration, Environment: apikeys.Live, Label: "Backend", By: "usr", IdempotencyKey: "once"}
	create := func(in apikeys.Input) (apikeys.Issued, error) {
		return b.keys.Create(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, in)
	}
	first, err := create(in)
	require.NoError(t, err)
	require.False(t, first.Replayed)
	second, err := create(in)
	require.NoError(t, err)
	require.True(t, second.Replayed)
	require.Equal(t, first.Secret, second.Secret)
	require.Equal(t, first.Key.KeyID, second.Key.KeyID)
	in.Label = "Other"
	_, err = create(in)
	require.EqualValues(t, "idempotency_mismatch", apperr.CodeOf(err))

	var body []byte
	require.NoError(t, b.store.Pool().QueryRow(b.ctx, "select body from idempotency_keys").Scan(&body))
	require.NotContains(t, string(body), first.Secret, "the secret is nowhere in clear")
}

func TestService_EnsurePair(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ensure := func() (p apikeys.Pair) {
		require.NoError(t, b.store.InTx(b.ctx, func(ctx context.Context, tx pgx.Tx) (err error) {
			p, err = b.keys.EnsurePair(ctx, tx, b.tenant.CompanyID, b.tenant.Project.ProjectID, "usr")
			return err
		}))
		return p
	}
	byHand := b.issue(t, apikeys.Integration, apikeys.Live)
	first := ensure()
	require.NotEmpty(t, first.Integration.Secret, "the first pair is issued whatever was made by hand")
	require.NotEqual(t, byHand.Key.KeyID, first.Integration.Key.KeyID)
	require.NotEmpty(t, first.Embed.Secret)

	b.clock.Advance(time.Minute)
	b.issue(t, apikeys.Integration, apikeys.Live)
	b.issue(t, apikeys.Embed, apikeys.Live)
	second := ensure()
	require.Empty(t, second.Integration.Secret, "a pair that is there is reused")
	require.Equal(t, first.Integration.Key.KeyID, second.Integration.Key.KeyID, "and not what was made by hand since")
	require.Equal(t, first.Embed.Key.KeyID, second.Embed.Key.KeyID)

	for _, grace := range []time.Duration{0, time.Hour} {
		rotated, err := b.keys.Rotate(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, "usr", grace)
		require.NoError(t, err)
		after := ensure()
		require.Equal(t, rotated.Integration.Key.KeyID, after.Integration.Key.KeyID, "a rotation issues the pair anew")
		require.Equal(t, rotated.Embed.Key.KeyID, after.Embed.Key.KeyID)
		require.Empty(t, after.Integration.Secret)
		second = after
	}

	_, err := b.keys.Revoke(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, second.Integration.Key.KeyID, "usr")
	require.NoError(t, err)
	third := ensure()
	require.NotEmpty(t, third.Integration.Secret, "what was revoked of it is issued anew")
	require.Empty(t, third.Embed.Secret)
	require.Equal(t, second.Embed.Key.KeyID, third.Embed.Key.KeyID)
}

func TestService_Revoke_twiceAtOnceIsOneEvent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued := b.issue(t, apikeys.Integration, apikeys.Live)
	var g errgroup.Group
	for range 8 {
		g.Go(func() error {
			_, err := b.keys.Revoke(b.ctx, b.tenant.CompanyID, b.tenant.Project.ProjectID, issued.Key.KeyID, "usr")
			return err
		})
	}
	require.NoError(t, g.Wait())
	require.Equal(t, []string{"key.created", "key.revoked"}, b.tenant.Events(t, b.store))
}

// TestService_Wait_endsWithItsContext: a stop must not wait for a write that hangs.
func TestService_Wait_endsWithItsContext(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued := b.issue(t, apikeys.Integration, apikeys.Live)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, b.store.InTx(b.ctx, func(txCtx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(txCtx, "lock table api_keys in share mode"); err != nil {
			return err
		}
		if _, err := b.keys.Authenticate(txCtx, issued.Secret); err != nil {
			return err
		}
		b.keys.Wait(ctx) // the time of last use cannot be written before this transaction ends
		return nil
	}))
}
