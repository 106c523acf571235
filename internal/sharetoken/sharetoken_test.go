package sharetoken_test

import (
	"maps"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/sharetoken"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

var secret = []byte("a secret of at least thirty-two bytes")

type bundle struct {
	store  *store.Store
	clock  *clock.Manual
	shares *sharetoken.Service
	tenant factory.Tenant
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{store: dbtest.New(t), clock: clock.Fixed(factory.Epoch())}
	b.tenant = factory.NewTenant(t, b.store, factory.TenantOpts{})
	b.shares = sharetoken.New(sharetoken.Deps{Store: b.store, Clock: b.clock, Secret: secret})
	b.exec(t, "update projects set share_enabled = true, share_slug = 'acme'")
	return b
}

func (b *bundle) exec(t *testing.T, sql string) {
	t.Helper()
	_, err := b.store.Pool().Exec(b.tenant.Context(t.Context()), sql)
	require.NoError(t, err)
	b.shares.Forget(b.tenant.CompanyID)
}

func (b *bundle) project(t *testing.T) dbsqlc.Project {
	t.Helper()
	shared, err := b.shares.Find(t.Context(), "acme")
	require.NoError(t, err)
	return shared.Project
}

func (b *bundle) issued(t *testing.T) sharetoken.Token {
	t.Helper()
	token, err := b.shares.Issue(b.project(t))
	require.NoError(t, err)
	return token
}

func TestService_Authenticate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.issued(t)
	require.WithinDuration(t, b.clock.Now().Add(15*time.Minute), token.ExpiresAt, time.Second)
	shared, err := b.shares.Authenticate(t.Context(), token.Value)
	require.NoError(t, err)
	require.Equal(t, b.tenant.Project.ProjectID, shared.Project.ProjectID)
	b.clock.Advance(15 * time.Minute)
	_, err = b.shares.Authenticate(t.Context(), token.Value)
	require.Equal(t, apperr.KindUnauthenticated, apperr.KindOf(err), "for 15 minutes and no longer")
}

// TestService_changedShare changes how a project is shared after a token was issued: the token is worth nothing, and the
// slug finds the project only where it is still shared by it.
func TestService_changedShare(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		change string
		found  bool
	}{
		"switched off":    {change: "update projects set share_enabled = false"},
		"made private":    {change: "update projects set access_mode = 'private'", found: true},
		"another slug":    {change: "update projects set share_slug = 'other'"},
		"no slug":         {change: "update projects set share_slug = null"},
		"not live":        {change: "update projects set status = 'indexing'"},
		"archived":        {change: "update projects set status = 'archived'"},
		"company deleted": {change: "update companies set status = 'deleted'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			token := b.issued(t)
			b.exec(t, tt.change)
			_, err := b.shares.Authenticate(t.Context(), token.Value)
			require.Equal(t, apperr.KindUnauthenticated, apperr.KindOf(err))
			_, err = b.shares.Find(t.Context(), "acme")
			if tt.found {
				require.NoError(t, err)
				return
			}
			require.EqualValues(t, "share_not_found", apperr.CodeOf(err))
		})
	}
}

func TestService_Authenticate_effectiveWithinASecondElsewhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token := b.issued(t)
	elsewhere := sharetoken.New(sharetoken.Deps{Store: b.store, Clock: b.clock, Secret: secret})
	_, err := elsewhere.Authenticate(t.Context(), token.Value)
	require.NoError(t, err)
	b.exec(t, "update projects set share_enabled = false")
	b.clock.Advance(time.Second)
	_, err = elsewhere.Authenticate(t.Context(), token.Value)
	require.Equal(t, apperr.KindUnauthenticated, apperr.KindOf(err))
}

func TestService_Authenticate_forged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := b.issued(t)
	claims := jwt.MapClaims{}
	_, err := jwt.NewParser(jwt.WithoutClaimsValidation()).ParseWithClaims(good.Value, claims, func(*jwt.Token) (any, error) { return secret, nil })
	require.NoError(t, err)
	forge := func(m jwt.SigningMethod, key any, pairs ...any) string {
		c := jwt.MapClaims{}
		maps.Copy(c, claims)
		for i := 0; i < len(pairs); i += 2 {
			c[pairs[i].(string)] = pairs[i+1]
		}
		s, err := jwt.NewWithClaims(m, c).SignedString(key)
		require.NoError(t, err)
		return s
	}
	other := factory.NewTenant(t, b.store, factory.TenantOpts{})
	for name, token := range map[string]string{
		"empty":            "",
		"noise":            "a.b.c",
		"alg none":         forge(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType),
		"another secret":   forge(jwt.SigningMethodHS256, []byte("guess")),
		"another method":   forge(jwt.SigningMethodHS512, secret),
		"another audience": forge(jwt.SigningMethodHS256, secret, "aud", "dashboard"),
		"another issuer":   forge(jwt.SigningMethodHS256, secret, "iss", "evil"),
		"another project":  forge(jwt.SigningMethodHS256, secret, "sub", other.Project.ProjectID),
		"no such project":  forge(jwt.SigningMethodHS256, secret, "sub", "prj_none"),
		"no expiry":        forge(jwt.SigningMethodHS256, secret, "exp", nil),
		"expiry of text":   forge(jwt.SigningMethodHS256, secret, "exp", "1893456000"),
		"expiry of 1e300":  forge(jwt.SigningMethodHS256, secret, "exp", 1e300),
		"nbf of 1e300":     forge(jwt.SigningMethodHS256, secret, "nbf", 1e300),
		"nbf of text":      forge(jwt.SigningMethodHS256, secret, "nbf", "1"),
		"negative iat":     forge(jwt.SigningMethodHS256, secret, "iat", -1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.shares.Authenticate(t.Context(), token)
			require.Equal(t, apperr.KindUnauthenticated, apperr.KindOf(err))
		})
	}
	_, err = b.shares.Authenticate(t.Context(), forge(jwt.SigningMethodHS256, secret))
	require.NoError(t, err, "the forge itself works")
}

func TestService_withoutASecret(t *testing.T) {
	t.Parallel()
	b := setup(t)
	none := sharetoken.New(sharetoken.Deps{Store: b.store, Clock: b.clock, Secret: nil})
	_, err := none.Issue(b.project(t))
	require.EqualValues(t, "not_configured", apperr.CodeOf(err))
	require.Equal(t, apperr.KindUnavailable, apperr.KindOf(err))
	_, err = none.Authenticate(t.Context(), "x")
	require.EqualValues(t, "not_configured", apperr.CodeOf(err))
}

func TestService_Find_unknownSlug(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.shares.Find(t.Context(), "unknown")
	require.EqualValues(t, "share_not_found", apperr.CodeOf(err))
}
