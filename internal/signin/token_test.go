package signin_test

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/signin"
	"docqa/internal/testkit/idptest"
)

func with(c jwt.MapClaims, pairs ...any) jwt.MapClaims {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == nil {
			delete(c, pairs[i].(string))
			continue
		}
		c[pairs[i].(string)] = pairs[i+1]
	}
	return c
}

func header(name string, value any) func(*jwt.Token) {
	return func(t *jwt.Token) {
		if value == nil {
			delete(t.Header, name)
			return
		}
		t.Header[name] = value
	}
}

func TestService_Principal_accepts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, token := range map[string]string{
		"audience":                   sign(t, b.claims("a")),
		"audience as one string":     sign(t, with(b.claims("b"), "aud", clientID)),
		"client_id in its place":     sign(t, with(b.claims("c"), "aud", nil, "client_id", clientID, "token_use", "access")),
		"type of RFC 9068":           sign(t, b.claims("d"), header("typ", "at+jwt")),
		"expired within the leeway":  sign(t, with(b.claims("e"), "exp", b.clock.Now().Add(-20*time.Second).Unix())),
		"issued a little in advance": sign(t, with(b.claims("f"), "iat", b.clock.Now().Add(20*time.Second).Unix())),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := b.people.Principal(t.Context(), token)
			require.NoError(t, err)
			require.NotEmpty(t, p.UserID)
			require.Empty(t, p.CompanyID)
		})
	}
}

// The attacks of RFC 8725 and those on the way from an id token to an access token.
func TestService_Principal_refuses(t *testing.T) {
	t.Parallel()
	b := setup(t)
	der, err := x509.MarshalPKIXPublicKey(&idptest.Key().PublicKey)
	require.NoError(t, err)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	signed := func(m jwt.SigningMethod, key any) string {
		token := jwt.NewWithClaims(m, b.claims("x"))
		token.Header["kid"] = "k1"
		s, err := token.SignedString(key)
		require.NoError(t, err)
		return s
	}
	good := sign(t, b.claims("x"))
	parts := strings.Split(good, ".")
	tampered := parts[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"admin"}`)) + "." + parts[2]
	for name, token := range map[string]string{
		"empty":                   "",
		"noise":                   "a.b.c",
		"two parts":               "a.b",
		"huge":                    strings.Repeat("a", 1<<20),
		"an API key":              "sk_live_0000",
		"alg none":                signed(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType),
		"HS256 with the key":      signed(jwt.SigningMethodHS256, public),
		"RS512":                   signed(jwt.SigningMethodRS512, idptest.Key()),
		"PS256":                   signed(jwt.SigningMethodPS256, idptest.Key()),
		"an unpublished key":      signed(jwt.SigningMethodRS256, idptest.UnpublishedKey()),
		"tampered claims":         tampered,
		"no signature":            parts[0] + "." + parts[1] + ".",
		"unknown kid":             sign(t, b.claims("x"), header("kid", "../../etc/passwd")),
		"no kid":                  sign(t, b.claims("x"), header("kid", nil)),
		"kid of another type":     sign(t, b.claims("x"), header("kid", 7)),
		"critical extension":      sign(t, b.claims("x"), header("crit", []string{"exp"})),
		"another type":            sign(t, b.claims("x"), header("typ", "logout+jwt")),
		"another issuer":          sign(t, with(b.claims("x"), "iss", "https://evil.example")),
		"another audience":        sign(t, with(b.claims("x"), "aud", "other")),
		"no audience":             sign(t, with(b.claims("x"), "aud", nil)),
		"another client":          sign(t, with(b.claims("x"), "aud", nil, "client_id", "other", "token_use", "access")),
		"our client, another API": sign(t, with(b.claims("x"), "aud", "other", "client_id", clientID)),
		"id token by its use":     sign(t, with(b.claims("x"), "token_use", "id")),
		"id token by its nonce":   sign(t, with(b.claims("x"), "nonce", "n")),
		"id token by its hash":    sign(t, with(b.claims("x"), "at_hash", "h")),
		"no subject":              sign(t, with(b.claims("x"), "sub", nil)),
		"subject with NUL":        sign(t, with(b.claims("x"), "sub", "a\x00b")),
		"no expiry":               sign(t, with(b.claims("x"), "exp", nil)),
		"not yet":                 sign(t, with(b.claims("x"), "nbf", b.clock.Now().Add(time.Hour).Unix())),
		"issued in the future":    sign(t, with(b.claims("x"), "iat", b.clock.Now().Add(time.Hour).Unix())),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := b.people.Principal(t.Context(), token)
			require.EqualValues(t, "unauthenticated", apperr.CodeOf(err))
			require.Equal(t, apperr.KindUnauthenticated, apperr.KindOf(err))
		})
	}
}

// Times that are no time: an exp of text, a nbf that overflows into the past, an hour before the epoch.
func TestService_Principal_timesBeyondSense(t *testing.T) {
	t.Parallel()
	b := setup(t)
	now := b.clock.Now().Unix()
	for _, claim := range []string{"exp", "nbf", "iat"} {
		for name, value := range map[string]any{
			"1e300": 1e300, "-1e300": -1e300, "text": strconv.FormatInt(now, 10), "text in the future": strconv.FormatInt(now+3600, 10),
			"empty text": "", "true": true, "a list": []any{now}, "an object": map[string]any{"a": now}, "negative": -3600,
			"after the year 9999": 253402300800, "NaN as text": "NaN", "2^63": float64(1 << 63), "2^64": float64(1<<63) * 2,
		} {
			t.Run(claim+" "+name, func(t *testing.T) {
				t.Parallel()
				_, err := b.people.Principal(t.Context(), sign(t, with(b.claims("x"), claim, value)))
				require.EqualValues(t, "unauthenticated", apperr.CodeOf(err))
			})
		}
		t.Run(claim+" null", func(t *testing.T) {
			t.Parallel()
			_, err := b.people.Principal(t.Context(), sign(t, with(b.claims("x"), claim, json.RawMessage("null"))))
			require.EqualValues(t, "unauthenticated", apperr.CodeOf(err))
		})
	}
	_, err := b.people.Principal(t.Context(), sign(t, with(b.claims("x"), "exp", float64(now)+3600.25, "nbf", float64(now)-0.5, "iat", json.RawMessage("1.0e9"))))
	require.NoError(t, err, "RFC 7519 allows fractions")
}

func TestService_Principal_expired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.people.Principal(t.Context(), sign(t, with(b.claims("x"), "exp", b.clock.Now().Add(-time.Minute).Unix())))
	require.EqualValues(t, "token_expired", apperr.CodeOf(err))
	token := jwt.NewWithClaims(jwt.SigningMethodRS256, with(b.claims("x"), "exp", b.clock.Now().Add(-time.Minute).Unix()))
	token.Header["kid"] = "k1"
	forged, err := token.SignedString(idptest.UnpublishedKey())
	require.NoError(t, err)
	_, err = b.people.Principal(t.Context(), forged)
	require.EqualValues(t, "unauthenticated", apperr.CodeOf(err), "a forged token is not told that it is old")
}

// Tokens with made-up key ids must not make this service call the provider each time.
func TestService_Principal_unknownKeysAreRateLimited(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 20 {
		_, err := b.people.Principal(t.Context(), sign(t, b.claims("x"), header("kid", "made-up")))
		require.Equal(t, apperr.KindUnauthenticated, apperr.KindOf(err))
	}
	require.LessOrEqual(t, b.idp.Keys.Load(), int64(3))
}

func TestService_Principal_providerAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.idp.Down.Store(true)
	_, err := b.people.Principal(t.Context(), sign(t, b.claims("x")))
	require.Equal(t, apperr.KindUnavailable, apperr.KindOf(err))
	b.idp.Down.Store(false)
	_, err = b.people.Principal(t.Context(), sign(t, b.claims("x")))
	require.Equal(t, apperr.KindUnavailable, apperr.KindOf(err), "not asked again at once")
	b.clock.Advance(time.Second)
	_, err = b.people.Principal(t.Context(), sign(t, b.claims("x")))
	require.NoError(t, err, "the start does not depend on the provider")

	none := signin.New(signin.Deps{Store: b.store, Clock: b.clock, Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(none.Close)
	_, err = none.Principal(t.Context(), sign(t, b.claims("x")))
	require.EqualValues(t, "not_configured", apperr.CodeOf(err))
}
