package workspace_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/workspace"
)

type bundle struct {
	store *store.Store
	clock *clock.Manual
	svc   *workspace.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{store: dbtest.New(t), clock: clock.Fixed(time.Date(2026, 1, 31, 9, 15, 2, 123e6, time.UTC))}
	b.svc = workspace.New(workspace.Deps{Store: b.store, Clock: b.clock})
	return b
}

func (b *bundle) founder(t *testing.T) workspace.Founder {
	t.Helper()
	user, err := dbsqlc.New().UserCreate(t.Context(), b.store.Pool(), dbsqlc.UserCreateParams{
		UserID: ids.New(ids.User), Email: "ada@example.com", Now: b.clock.Now(),
	})
	require.NoError(t, err)
	return workspace.Founder{UserID: user.UserID, Email: user.Email}
}

func (b *bundle) company(t *testing.T, name string) (dbsqlc.Company, context.Context) {
	t.Helper()
	company, err := b.svc.CreateCompany(t.Context(), b.founder(t), name)
	require.NoError(t, err)
	return company, store.AsCompany(t.Context(), company.CompanyID)
}

func TestService_CreateCompany(t *testing.T) {
	t.Parallel()
	b := setup(t)
	founder := b.founder(t)
	company, err := b.svc.CreateCompany(t.Context(), founder, "  Example Ltd ")
	require.NoError(t, err)
	require.Equal(t, "Example Ltd", company.Name)
	require.Equal(t, "example-ltd", company.Slug)
	require.Equal(t, "free", company.Plan)
	require.Equal(t, "active", company.Status)
	require.Equal(t, founder.UserID, company.OwnerUserID)

	ctx := store.AsCompany(t.Context(), company.CompanyID)
	settings, err := b.svc.Settings(ctx, company.CompanyID)
	require.NoError(t, err)
	require.Equal(t, int32(1024), settings.DefaultMaxTokens)
	owner, err := dbsqlc.New().MemberGet(ctx, b.store.Pool(), dbsqlc.MemberGetParams{CompanyID: company.CompanyID, UserID: founder.UserID})
	require.NoError(t, err)
	require.Equal(t, "owner", owner.Role)
	require.Equal(t, "active", owner.Status)

	_, err = b.svc.CreateCompany(t.Context(), founder, "Another")
	require.EqualValues(t, "already_in_company", apperr.CodeOf(err))
	require.Equal(t, apperr.KindConflict, apperr.KindOf(err))
	for _, name := range []string{"", "  ", "a\x00b", strings.Repeat("x", 121)} {
		_, err = b.svc.CreateCompany(t.Context(), b.founder(t), name)
		require.Equal(t, apperr.KindInvalidInput, apperr.KindOf(err), "%q", name)
	}
}

func TestService_CreateCompany_SlugCollision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const n = 8
	slugs, errs := make([]string, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		founder := b.founder(t)
		wg.Go(func() {
			company, err := b.svc.CreateCompany(t.Context(), founder, "Acme")
			slugs[i], errs[i] = company.Slug, err
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	seen := map[string]bool{}
	for _, slug := range slugs {
		require.True(t, slug == "acme" || strings.HasPrefix(slug, "acme-"), slug)
		require.False(t, seen[slug], slug)
		seen[slug] = true
	}
	require.True(t, seen["acme"])
}

func TestService_CreateCompany_SameUserTwiceAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	founder := b.founder(t)
	errs := make([]error, 6)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { _, errs[i] = b.svc.CreateCompany(t.Context(), founder, "Acme") })
	}
	wg.Wait()
	created := 0
	for _, err := range errs {
		if err == nil {
			created++
			continue
		}
		require.EqualValues(t, "already_in_company", apperr.CodeOf(err))
	}
	require.Equal(t, 1, created)
}

func TestService_Rename(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company, ctx := b.company(t, "Example Ltd")
	b.clock.Advance(time.Minute)
	renamed, err := b.svc.Rename(ctx, company.CompanyID, " Example Group ")
	require.NoError(t, err)
	require.Equal(t, "Example Group", renamed.Name)
	require.Equal(t, company.Slug, renamed.Slug)
	require.Equal(t, b.clock.Now(), renamed.UpdatedAt.UTC())
}

func TestService_SetPlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company, ctx := b.company(t, "Example Ltd")
	changed, err := b.svc.SetPlan(ctx, company.CompanyID, "pro")
	require.NoError(t, err)
	require.Equal(t, "pro", changed.Plan)
}

func TestService_RefusedChanges(t *testing.T) {
	t.Parallel()
	b := setup(t)
	company, ctx := b.company(t, "Example Ltd")
	rename := func(companyID, name string) error {
		_, err := b.svc.Rename(ctx, companyID, name)
		return err
	}
	setPlan := func(companyID, plan string) error {
		_, err := b.svc.SetPlan(ctx, companyID, plan)
		return err
	}
	for name, tt := range map[string]struct {
		err  error
		want apperr.Kind
	}{
		"a blank name":                   {rename(company.CompanyID, " "), apperr.KindInvalidInput},
		"the name of an unknown company": {rename(ids.New(ids.Company), "Mine now"), apperr.KindNotFound},
		"an unknown plan":                {setPlan(company.CompanyID, "gold"), apperr.KindInvalidInput},
		"the plan of an unknown company": {setPlan(ids.New(ids.Company), "pro"), apperr.KindNotFound},
	} {
		require.Equal(t, tt.want, apperr.KindOf(tt.err), name)
	}
}

func TestService_OtherCompanyIsNotSeen(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other, _ := b.company(t, "Other")
	_, ctx := b.company(t, "Example Ltd")
	_, err := b.svc.Get(ctx, other.CompanyID)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.svc.Settings(ctx, other.CompanyID)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.svc.Rename(ctx, other.CompanyID, "Mine now")
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
}
