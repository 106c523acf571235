package idp

import (
	"slices"
	"time"

	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// client is the dashboard. It is a public client without a secret; PKCE proves that the
// program that redeems the code is the program that began.
type client struct {
	id           string
	redirectURIs []string
}

var _ op.Client = client{}

func grantTypes() []oidc.GrantType { return []oidc.GrantType{oidc.GrantTypeCode} }

// GetID returns the client's id.
func (c client) GetID() string { return c.id }

// RedirectURIs returns where the client may be sent back to.
func (c client) RedirectURIs() []string { return c.redirectURIs }

// PostLogoutRedirectURIs returns the same addresses.
func (c client) PostLogoutRedirectURIs() []string { return c.redirectURIs }

// ApplicationType is native: such clients may use any port of this machine in place of the
// registered one.
func (c client) ApplicationType() op.ApplicationType { return op.ApplicationTypeNative }

// AuthMethod is none: the client is public.
func (c client) AuthMethod() oidc.AuthMethod { return oidc.AuthMethodNone }

// ResponseTypes returns the code alone.
func (c client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}

// GrantTypes returns the code alone.
func (c client) GrantTypes() []oidc.GrantType { return grantTypes() }

// LoginURL returns the sign-in page of a request.
func (c client) LoginURL(id string) string { return "/sign-in?request=" + id }

// AccessTokenType is JWT.
func (c client) AccessTokenType() op.AccessTokenType { return op.AccessTokenTypeJWT }

// IDTokenLifetime is that of the access token.
func (c client) IDTokenLifetime() time.Duration { return tokenLifetime }

// DevMode is off: it would allow a redirect to any http address.
func (c client) DevMode() bool { return false }

// RestrictAdditionalIdTokenScopes leaves the scopes as they are.
//
//nolint:revive // the library's name
func (c client) RestrictAdditionalIdTokenScopes() func([]string) []string { return slices.Clone }

// RestrictAdditionalAccessTokenScopes leaves the scopes as they are.
func (c client) RestrictAdditionalAccessTokenScopes() func([]string) []string { return slices.Clone }

// IsScopeAllowed refuses scopes beyond the standard's.
func (c client) IsScopeAllowed(string) bool { return false }

// IDTokenUserinfoClaimsAssertion puts the e-mail address into the id token.
func (c client) IDTokenUserinfoClaimsAssertion() bool { return true }

// ClockSkew is zero: both clocks are those of this machine.
func (c client) ClockSkew() time.Duration { return 0 }
