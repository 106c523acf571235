package signin_test

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"log/slog"
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

	"docqa/internal/clock"
	"docqa/internal/dbtest"
	"docqa/internal/factory"
	"docqa/internal/signin"
	"docqa/internal/store"
)

const clientID = "dashboard"

var ourKey, strangersKey = sync.OnceValue(newKey), sync.OnceValue(newKey)

func newKey() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
}

// idp is an identity provider as far as this service sees one.
type idp struct {
	*httptest.Server
	userinfo atomic.Value // func(token string) (int, map[string]any)
	asked    atomic.Int64
	keys     atomic.Int64
	down     atomic.Bool
}

func newIDP(t *testing.T) *idp {
	t.Helper()
	p := &idp{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		if p.down.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"issuer": p.URL, "jwks_uri": p.URL + "/keys", "userinfo_endpoint": p.URL + "/userinfo"})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.keys.Add(1)
		pub := ourKey().PublicKey
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "k1",
			"n": base64.RawURLEncoding.EncodeToString(pub.N.Bytes()),
			"e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(pub.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("GET /userinfo", func(w http.ResponseWriter, r *http.Request) {
		p.asked.Add(1)
		answer, ok := p.userinfo.Load().(func(string) (int, map[string]any))
		if !ok {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		status, body := answer(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body)
	})
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	return p
}

type bundle struct {
	idp    *idp
	store  *store.Store
	clock  *clock.Manual
	people *signin.Service
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{idp: newIDP(t), store: dbtest.New(t), clock: clock.Fixed(factory.Epoch())}
	b.people = b.service(t)
	return b
}

func (b *bundle) service(t *testing.T) *signin.Service {
	t.Helper()
	s := signin.New(b.store, b.clock, slog.New(slog.DiscardHandler), signin.Options{
		Provider: "idp", Issuer: b.idp.URL, ClientID: clientID, Audience: clientID,
	})
	t.Cleanup(s.Close)
	return s
}

// claims are those of a good access token of the embedded kind.
func (b *bundle) claims(subject string) jwt.MapClaims {
	now := b.clock.Now()
	return jwt.MapClaims{
		"iss": b.idp.URL, "sub": subject, "aud": []string{clientID}, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
		"email": subject + "@example.com", "email_verified": true,
	}
}

func sign(t *testing.T, c jwt.MapClaims, change ...func(*jwt.Token)) string {
	t.Helper()
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, c)
	token.Header["kid"] = "k1"
	for _, f := range change {
		f(token)
	}
	s, err := token.SignedString(ourKey())
	require.NoError(t, err)
	return s
}
