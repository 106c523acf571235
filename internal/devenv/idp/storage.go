package idp

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"

	"docqa/internal/platform/clock"
)

// storage is what the protocol library reads and writes.
type storage struct {
	pool   *pgxpool.Pool
	clock  clock.Clock
	client client
	keys   []key
	hasher hasher
}

var (
	_ op.Storage                        = (*storage)(nil)
	_ op.CanGetPrivateClaimsFromRequest = (*storage)(nil)
	_ op.CanSetUserinfoFromRequest      = (*storage)(nil)
)

var errUnsupported = errors.New("not supported by this provider")

// GetClientByClientID returns the only client.
func (s *storage) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	if id != s.client.id {
		return nil, errors.New("unknown client")
	}
	return s.client, nil
}

// CreateAccessToken names a new token.
func (s *storage) CreateAccessToken(context.Context, op.TokenRequest) (string, time.Time, error) {
	return rand.Text(), s.clock.Now().Add(tokenLifetime), nil
}

// GetPrivateClaimsFromRequest adds the claims that the tokens of the production provider
// have, and the e-mail address, which those tokens do not have.
func (s *storage) GetPrivateClaimsFromRequest(ctx context.Context, request op.TokenRequest, _ []string) (map[string]any, error) {
	who, err := s.accountBySubject(ctx, request.GetSubject())
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"token_use": "access", "username": who.sub, "scope": strings.Join(request.GetScopes(), " "),
		"email": who.email, "email_verified": true,
	}, nil
}

// SetUserinfoFromRequest fills the id token.
func (s *storage) SetUserinfoFromRequest(ctx context.Context, info *oidc.UserInfo, request op.IDTokenRequest, _ []string) error {
	info.AppendClaims("token_use", "id")
	return s.describe(ctx, info, request.GetSubject())
}

// SetUserinfoFromToken answers the userinfo endpoint.
func (s *storage) SetUserinfoFromToken(ctx context.Context, info *oidc.UserInfo, _, subject, _ string) error {
	return s.describe(ctx, info, subject)
}

func (s *storage) describe(ctx context.Context, info *oidc.UserInfo, sub string) error {
	who, err := s.accountBySubject(ctx, sub)
	if err != nil {
		return err
	}
	if who.sub == "" {
		return oidc.ErrAccessDenied().WithDescription("the account is gone")
	}
	info.Subject = who.sub
	info.Email = who.email
	info.EmailVerified = true
	return nil
}

// SigningKey returns the key that signs.
func (s *storage) SigningKey(context.Context) (op.SigningKey, error) { return s.keys[0], nil }

// SignatureAlgorithms is RS256.
func (s *storage) SignatureAlgorithms(context.Context) ([]jose.SignatureAlgorithm, error) {
	return []jose.SignatureAlgorithm{jose.RS256}, nil
}

// KeySet returns the public keys.
func (s *storage) KeySet(context.Context) ([]op.Key, error) {
	public := make([]op.Key, 0, len(s.keys))
	for _, k := range s.keys {
		public = append(public, publicKey{k})
	}
	return public, nil
}

// Health pings the database.
func (s *storage) Health(ctx context.Context) error { return s.pool.Ping(ctx) }

// TerminateSession does nothing: the provider has no sessions.
func (s *storage) TerminateSession(context.Context, string, string) error { return nil }

// SetUserinfoFromScopes is superseded by SetUserinfoFromRequest.
func (s *storage) SetUserinfoFromScopes(context.Context, *oidc.UserInfo, string, string, []string) error {
	return nil
}

// GetPrivateClaimsFromScopes is superseded by GetPrivateClaimsFromRequest.
func (s *storage) GetPrivateClaimsFromScopes(context.Context, string, string, []string) (map[string]any, error) {
	return nil, errUnsupported
}

// The rest is for kinds of clients and tokens that this provider does not serve.

// AuthorizeClientIDSecret refuses: the client has no secret.
func (s *storage) AuthorizeClientIDSecret(context.Context, string, string) error {
	return errUnsupported
}

// CreateAccessAndRefreshTokens refuses: there are no refresh tokens.
func (s *storage) CreateAccessAndRefreshTokens(context.Context, op.TokenRequest, string) (string, string, time.Time, error) {
	return "", "", time.Time{}, errUnsupported
}

// TokenRequestByRefreshToken refuses: there are no refresh tokens.
func (s *storage) TokenRequestByRefreshToken(context.Context, string) (op.RefreshTokenRequest, error) {
	return nil, op.ErrInvalidRefreshToken
}

// GetRefreshTokenInfo refuses: there are no refresh tokens.
func (s *storage) GetRefreshTokenInfo(context.Context, string, string) (string, string, error) {
	return "", "", op.ErrInvalidRefreshToken
}

// RevokeToken refuses: a signed token is valid until it expires.
func (s *storage) RevokeToken(context.Context, string, string, string) *oidc.Error {
	return oidc.ErrInvalidRequest().WithDescription("revocation is not offered")
}

// SetIntrospectionFromToken refuses: introspection is not offered.
func (s *storage) SetIntrospectionFromToken(context.Context, *oidc.IntrospectionResponse, string, string, string) error {
	return errUnsupported
}

// GetKeyByIDAndClientID refuses: the client has no key.
func (s *storage) GetKeyByIDAndClientID(context.Context, string, string) (*jose.JSONWebKey, error) {
	return nil, errUnsupported
}

// ValidateJWTProfileScopes refuses: the client has no key.
func (s *storage) ValidateJWTProfileScopes(context.Context, string, []string) ([]string, error) {
	return nil, errUnsupported
}
