// Package idptest is an identity provider for tests: discovery, one RSA key, userinfo, and
// tokens with the claims that a test wants.
package idptest

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"
)

// ClientID is the client of the tokens that Claims makes.
const ClientID = "dashboard"

// Each key is made once for a test program, because making an RSA key is slow.
var publishedKey, unpublishedKey = sync.OnceValue(newKey), sync.OnceValue(newKey)

// Key is the provider's key.
func Key() *rsa.PrivateKey { return publishedKey() }

// UnpublishedKey is a key that the provider does not publish.
func UnpublishedKey() *rsa.PrivateKey { return unpublishedKey() }

func newKey() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
}

// IDP has the endpoints of an identity provider that the service uses.
type IDP struct {
	*httptest.Server
	Userinfo atomic.Value // func(token string) (int, map[string]any); unset: every token is forbidden
	Asked    atomic.Int64 // requests for the userinfo
	Keys     atomic.Int64 // requests for the keys
	Down     atomic.Bool
}

// New starts a provider that lives as long as the test.
func New(tb testing.TB) *IDP {
	tb.Helper()
	p := &IDP{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		if p.Down.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/userinfo"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.Keys.Add(1)
		pub := Key().PublicKey
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "k1",
			"n": base64.RawURLEncoding.EncodeToString(pub.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(pub.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("GET /userinfo", func(w http.ResponseWriter, r *http.Request) {
		p.Asked.Add(1)
		answer, ok := p.Userinfo.Load().(func(string) (int, map[string]any))
		if !ok {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		status, body := answer(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	})
	p.Server = httptest.NewServer(mux)
	tb.Cleanup(p.Close)
	return p
}

// Claims are the claims of a valid access token of the embedded provider.
func (p *IDP) Claims(now time.Time, subject string) jwt.MapClaims {
	return jwt.MapClaims{
		"iss": p.URL, "sub": subject, "aud": []string{ClientID}, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		"email": subject + "@example.com", "email_verified": true,
	}
}

// Sign signs claims with the provider's key.
func Sign(tb testing.TB, c jwt.MapClaims, change ...func(*jwt.Token)) string {
	tb.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
	token.Header["kid"] = "k1"
	for _, f := range change {
		f(token)
	}
	s, err := token.SignedString(Key())
	require.NoError(tb, err)
	return s
}
