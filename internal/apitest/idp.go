package apitest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/clock"
)

const (
	keyID    = "test-key"
	clientID = "dashboard"
)

// signingKey is made once a program: it is the slow part of a provider.
var signingKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// IDP is an identity provider that vouches for anyone.
type IDP struct {
	Issuer string
	key    *rsa.PrivateKey
	clock  clock.Clock
}

func newIDP(t *testing.T, c clock.Clock) *IDP {
	t.Helper()
	key, err := signingKey()
	require.NoError(t, err)
	p := &IDP{key: key, clock: c}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"issuer": p.Issuer, "jwks_uri": p.Issuer + "/keys", "userinfo_endpoint": p.Issuer + "/userinfo"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": keyID,
			"n": base64.RawURLEncoding.EncodeToString(key.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.Issuer = server.URL
	return p
}

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// Claims are those of an access token for subject that the service accepts for an
// hour; tests change them to see it refuse others.
func (p *IDP) Claims(subject, email string) jwt.MapClaims {
	now := p.clock.Now()
	return jwt.MapClaims{
		"iss": p.Issuer, "sub": subject, "client_id": clientID, "token_use": "access", "email": email, "email_verified": true,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}
}

// Sign returns the token that holds claims.
func (p *IDP) Sign(t *testing.T, claims jwt.MapClaims) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, claims)
	token.Header["kid"] = keyID
	signed, err := token.SignedString(p.key)
	require.NoError(t, err)
	return signed
}
