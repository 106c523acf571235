package signin_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/factory"
)

// member makes a member of a new company and returns the company's id.
func (b *bundle) member(t *testing.T, userID, email, role, status string, invitedAt time.Time) string {
	t.Helper()
	tenant := factory.NewTenant(t, b.store, factory.TenantOpts{Plan: "pro"})
	b.join(tenant.Context(t.Context()), t, tenant.CompanyID, userID, email, role, status, invitedAt)
	return tenant.CompanyID
}

func (b *bundle) join(ctx context.Context, t *testing.T, companyID, userID, email, role, status string, invitedAt time.Time) {
	t.Helper()
	_, err := dbsqlc.New().MemberCreate(ctx, b.store.Pool(), dbsqlc.MemberCreateParams{
		CompanyID: companyID, UserID: userID, Email: email, Role: role, Status: status, InvitedAt: &invitedAt, Now: b.clock.Now(),
	})
	require.NoError(t, err)
}

func (b *bundle) user(t *testing.T, email string) string {
	t.Helper()
	u, err := dbsqlc.New().UserCreate(t.Context(), b.store.Pool(), dbsqlc.UserCreateParams{
		UserID: ids.New(ids.User), Email: email, Now: b.clock.Now(),
	})
	require.NoError(t, err)
	return u.UserID
}

func (b *bundle) principal(t *testing.T, subject string, pairs ...any) authn.Principal {
	t.Helper()
	p, err := b.people.Principal(t.Context(), sign(t, with(b.claims(subject), pairs...)))
	require.NoError(t, err)
	return p
}

func TestService_Principal_membership(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.principal(t, "anna")
	require.Equal(t, "anna@example.com", first.Email)
	require.Empty(t, first.CompanyID)

	company := b.member(t, first.UserID, first.Email, authn.RoleOwner, "active", b.clock.Now())
	p := b.principal(t, "anna")
	require.Equal(t, first.UserID, p.UserID, "the account is kept")
	require.Equal(t, company, p.CompanyID)
	require.Equal(t, "pro", p.Plan)
	require.True(t, p.IsAdmin())

	_, err := b.store.Pool().Exec(store.AsSystem(t.Context(), "test"), "update companies set status = 'suspended'")
	require.NoError(t, err)
	require.False(t, b.principal(t, "anna").Suspended, "remembered")
	b.clock.Advance(time.Second)
	require.True(t, b.principal(t, "anna").Suspended, "for less than a second")
	_, err = b.store.Pool().Exec(store.AsSystem(t.Context(), "test"), "update companies set status = 'deleted'")
	require.NoError(t, err)
	b.clock.Advance(time.Second)
	require.Empty(t, b.principal(t, "anna").CompanyID)
}

func TestService_Principal_firstRequestsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := sign(t, b.claims("anna"))
	var mu sync.Mutex
	seen := map[string]bool{}
	var wg sync.WaitGroup
	for range 8 {
		s := b.service(t) // nothing remembered: several processes
		wg.Go(func() {
			p, err := s.Principal(context.Background(), token)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				seen[p.UserID] = true
			}
		})
	}
	wg.Wait()
	require.Len(t, seen, 1)
	var users int
	require.NoError(t, b.store.Pool().QueryRow(t.Context(), "select count(*) from users").Scan(&users))
	require.Equal(t, 1, users, "one person, one account")
}

func TestService_Principal_invitation(t *testing.T) {
	t.Parallel()
	week := 7 * 24 * time.Hour
	for name, test := range map[string]struct {
		email    string
		verified bool
		age      time.Duration
		joins    bool
	}{
		"the same address":        {"anna@example.com", true, time.Hour, true},
		"in another case":         {"Anna@Example.COM", true, time.Hour, true},
		"an unverified address":   {"anna@example.com", false, time.Hour, false},
		"another address":         {"eve@example.com", true, time.Hour, false},
		"an invitation too old":   {"anna@example.com", true, week, false},
		"an invitation in time":   {"anna@example.com", true, week - time.Second, true},
		"no address in the token": {"", true, time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			invited := b.user(t, "anna@example.com")
			company := b.member(t, invited, "anna@example.com", authn.RoleMember, "invited", b.clock.Now().Add(-test.age))
			p := b.principal(t, "subject", "email", test.email, "email_verified", test.verified)
			if !test.joins {
				require.Empty(t, p.CompanyID)
				return
			}
			require.Equal(t, company, p.CompanyID)
			require.Equal(t, invited, p.UserID, "the account that the invitation made")
			require.Equal(t, authn.RoleMember, p.Role)
			var events int
			require.NoError(t, b.store.Pool().QueryRow(store.AsCompany(t.Context(), company),
				"select count(*) from activity_events where type = 'member.joined'").Scan(&events))
			require.Equal(t, 1, events)
		})
	}
}

func TestService_Principal_invitationOfSomeoneActiveElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.principal(t, "anna")
	own := b.member(t, first.UserID, first.Email, authn.RoleOwner, "active", b.clock.Now())
	invited := b.user(t, first.Email)
	b.member(t, invited, first.Email, authn.RoleMember, "invited", b.clock.Now())
	require.Equal(t, own, b.principal(t, "anna").CompanyID)
}

func TestService_Principal_userinfo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	invited := b.user(t, "anna@example.com")
	company := b.member(t, invited, "anna@example.com", authn.RoleMember, "invited", b.clock.Now())
	b.idp.Userinfo.Store(func(string) (int, map[string]any) {
		return http.StatusOK, map[string]any{"sub": "anna", "email": "anna@example.com", "email_verified": "true"}
	})
	p := b.principal(t, "anna", "email", nil, "email_verified", nil, "aud", nil, "client_id", clientID, "token_use", "access")
	require.Equal(t, company, p.CompanyID)
	b.clock.Advance(time.Minute)
	b.principal(t, "anna", "email", nil, "email_verified", nil)
	require.EqualValues(t, 1, b.idp.Asked.Load(), "asked once a subject")
}

func TestService_Principal_userinfoRefusedOrForeign(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.principal(t, "anna", "email", nil, "email_verified", nil)
	require.Empty(t, p.Email, "a token that may not read its userinfo signs in without an address")
	b.idp.Userinfo.Store(func(string) (int, map[string]any) {
		return http.StatusOK, map[string]any{"sub": "someone-else", "email": "boss@example.com", "email_verified": true}
	})
	_, err := b.people.Principal(t.Context(), sign(t, with(b.claims("eve"), "email", nil, "email_verified", nil)))
	require.Error(t, err, "the userinfo of someone else is never taken")
}
