package idp

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"docqa/internal/devenv/pgbin"
	"docqa/internal/devenv/postgres"
	"docqa/internal/devenv/signinflow"
	"docqa/internal/platform/clock"
)

const (
	clientID    = "dashboard"
	redirectURI = "http://localhost:8080/app/callback"
	challenge   = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM" // made from the verifier below, as in RFC 7636
	verifier    = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
)

// database returns a new database of the shared cluster.
func database(t *testing.T) *pgxpool.Pool {
	t.Helper()
	address := os.Getenv("DOCQA_TEST_DATABASE_URL")
	if address == "" {
		wd, err := os.Getwd()
		require.NoError(t, err)
		bin, err := pgbin.Find(t.Context(), pgbin.ProjectRoot(wd), os.Getenv("PG_BIN"))
		require.NoError(t, err)
		address, err = postgres.Shared(t.Context(), bin)
		require.NoError(t, err)
	}
	admin, err := pgxpool.New(t.Context(), address)
	require.NoError(t, err)
	name := strings.ToLower("idp_" + rand.Text())
	_, err = admin.Exec(t.Context(), "create database "+name)
	require.NoError(t, err)
	config := admin.Config().Copy()
	config.ConnConfig.Database = name
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() {
		pool.Close()
		_, err := admin.Exec(context.Background(), "drop database "+name)
		require.NoError(t, err)
		admin.Close()
	})
	return pool
}

type bundle struct {
	issuer   string
	provider *Provider
	clock    *clock.Manual
	pool     *pgxpool.Pool
	sub      string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	pool := database(t)
	var config net.ListenConfig
	listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	b := &bundle{issuer: "http://" + listener.Addr().String(), clock: clock.Fixed(time.Now()), pool: pool}
	b.provider, err = Open(t.Context(), pool, b.options())
	require.NoError(t, err)
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: b.provider.Handler(), ReadHeaderTimeout: time.Minute}}
	server.Start()
	t.Cleanup(server.Close)
	b.sub, err = b.provider.AddAccount(t.Context(), "Owner@Example.test ", "correct horse")
	require.NoError(t, err)
	return b
}

func (b *bundle) options() Options {
	return Options{
		Issuer: b.issuer, ClientID: clientID, RedirectURIs: []string{redirectURI, "http://127.0.0.1/callback"},
		Clock: b.clock, Logger: slog.New(slog.DiscardHandler),
	}
}

func (b *bundle) request() signinflow.Request {
	return signinflow.Request{
		Issuer: b.issuer, ClientID: clientID, RedirectURI: redirectURI, Email: "owner@example.test", Password: "correct horse",
	}
}

// browser is a client with cookies that stops at every redirect.
func browser(t *testing.T) func(method, address string, form url.Values) (int, http.Header, string) {
	t.Helper()
	var mu sync.Mutex
	cookies := map[string]*http.Cookie{}
	return func(method, address string, form url.Values) (int, http.Header, string) {
		request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		if form != nil {
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		mu.Lock()
		defer mu.Unlock()
		for _, cookie := range cookies {
			request.AddCookie(cookie)
		}
		answer, err := http.DefaultTransport.RoundTrip(request)
		require.NoError(t, err)
		defer answer.Body.Close()
		for _, cookie := range answer.Cookies() {
			cookies[cookie.Name] = cookie
		}
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, answer.Header, string(body)
	}
}

func (b *bundle) authorizeURL(change func(url.Values)) string {
	query := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {redirectURI}, "scope": {"openid email"},
		"state": {"the state"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"},
	}
	if change != nil {
		change(query)
	}
	return b.issuer + "/authorize?" + query.Encode()
}

// begin opens the sign-in page in a browser and returns the filled-in form.
func (b *bundle) begin(t *testing.T, visit func(string, string, url.Values) (int, http.Header, string)) url.Values {
	t.Helper()
	status, header, body := visit(http.MethodGet, b.authorizeURL(nil), nil)
	require.Equal(t, http.StatusFound, status, body)
	status, _, body = visit(http.MethodGet, b.issuer+header.Get("Location"), nil)
	require.Equal(t, http.StatusOK, status, body)
	field := func(name string) string {
		_, after, found := strings.Cut(body, `name="`+name+`" value="`)
		require.True(t, found, body)
		value, _, _ := strings.Cut(after, `"`)
		return value
	}
	return url.Values{
		"request": {field("request")}, "token": {field("token")}, "email": {"owner@example.test"}, "password": {"correct horse"},
	}
}

// code signs in and returns the code.
func (b *bundle) code(t *testing.T) string {
	t.Helper()
	visit := browser(t)
	status, header, body := visit(http.MethodPost, b.issuer+"/sign-in", b.begin(t, visit))
	require.Equal(t, http.StatusSeeOther, status, body)
	status, header, body = visit(http.MethodGet, b.issuer+header.Get("Location"), nil)
	require.Equal(t, http.StatusFound, status, body)
	back, err := url.Parse(header.Get("Location"))
	require.NoError(t, err)
	require.Equal(t, redirectURI, strings.TrimSuffix(back.String(), "?"+back.RawQuery))
	require.Equal(t, "the state", back.Query().Get("state"))
	return back.Query().Get("code")
}

func (b *bundle) redeem(t *testing.T, code, with string) (int, map[string]any) {
	t.Helper()
	status, _, body := browser(t)(http.MethodPost, b.issuer+"/oauth/token", url.Values{
		"grant_type": {"authorization_code"}, "client_id": {clientID}, "redirect_uri": {redirectURI},
		"code": {code}, "code_verifier": {with},
	})
	var answer map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &answer), body)
	return status, answer
}

// refuseCode fails t if the code is redeemed.
func (b *bundle) refuseCode(t *testing.T, code, with string) {
	t.Helper()
	status, answer := b.redeem(t, code, with)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "invalid_grant", answer["error"])
}

func TestSignIn_returnsAToken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, err := signinflow.SignIn(t.Context(), b.request())
	require.NoError(t, err)
	// The rest of the hour. A slow machine makes it shorter, never longer.
	require.LessOrEqual(t, token.Lifetime, time.Hour)
	require.Greater(t, token.Lifetime, 30*time.Minute)

	keys, err := keyfunc.NewDefaultCtx(t.Context(), []string{b.issuer + "/keys"})
	require.NoError(t, err)
	claims := jwt.MapClaims{}
	parsed, err := jwt.ParseWithClaims(token.AccessToken, claims, keys.Keyfunc, jwt.WithValidMethods([]string{"RS256"}),
		jwt.WithIssuer(b.issuer), jwt.WithAudience(clientID), jwt.WithExpirationRequired())
	require.NoError(t, err)
	require.True(t, parsed.Valid)
	require.Equal(t, b.sub, claims["sub"])
	require.Equal(t, "access", claims["token_use"])
	require.Equal(t, clientID, claims["client_id"])
	require.Equal(t, "owner@example.test", claims["email"])
	require.Equal(t, true, claims["email_verified"])

	claims = jwt.MapClaims{}
	_, err = jwt.ParseWithClaims(token.IDToken, claims, keys.Keyfunc, jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuer(b.issuer))
	require.NoError(t, err)
	require.Equal(t, "id", claims["token_use"])
	require.Equal(t, b.sub, claims["sub"])

	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.issuer+"/userinfo", nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+token.AccessToken)
	answer, err := http.DefaultTransport.RoundTrip(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	var info map[string]any
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&info))
	require.Equal(t, map[string]any{"sub": b.sub, "email": "owner@example.test", "email_verified": true}, info)
}

func TestRedirect_allowsAnyLoopbackPort(t *testing.T) {
	t.Parallel()
	b := setup(t)
	want := b.request()
	want.RedirectURI = "http://127.0.0.1:45123/callback"
	token, expires, err := signinflow.Token(t.Context(), want)
	require.NoError(t, err)
	require.NotEmpty(t, token)
	require.WithinDuration(t, b.clock.Now().Add(tokenLifetime), expires, time.Second)
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, change := range map[string]func(*signinflow.Request){
		"password": func(r *signinflow.Request) { r.Password = "correct house" },
		"account":  func(r *signinflow.Request) { r.Email = "nobody@example.test" },
		"address":  func(r *signinflow.Request) { r.Email = "no\x00body" },
	} {
		want := b.request()
		change(&want)
		_, err := signinflow.SignIn(t.Context(), want)
		require.ErrorIs(t, err, signinflow.ErrRefused, name)
	}
}

func TestRepeatedFailuresAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	visit := browser(t)
	form := b.begin(t, visit)
	form.Set("password", "guess")
	for range failuresByEmail {
		status, _, _ := visit(http.MethodPost, b.issuer+"/sign-in", form)
		require.Equal(t, http.StatusUnauthorized, status)
	}
	form.Set("password", "correct horse")
	status, header, _ := visit(http.MethodPost, b.issuer+"/sign-in", form)
	require.Equal(t, http.StatusTooManyRequests, status)
	require.Equal(t, "300", header.Get("Retry-After"))

	b.clock.Advance(failureWindow + time.Second)
	status, _, _ = visit(http.MethodPost, b.issuer+"/sign-in", form)
	require.Equal(t, http.StatusSeeOther, status)
}

func TestCodeWorksOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	code := b.code(t)
	status, answer := b.redeem(t, code, verifier)
	require.Equal(t, http.StatusOK, status, answer)
	b.refuseCode(t, code, verifier)
}

func TestCodeNeedsItsVerifier(t *testing.T) {
	t.Parallel()
	b := setup(t)
	code := b.code(t)
	for _, with := range []string{strings.Repeat("x", 43), verifier, ""} { // the right verifier is sent after a wrong one
		b.refuseCode(t, code, with)
	}
}

func TestCodeExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	code := b.code(t)
	b.clock.Advance(codeLifetime + time.Second)
	b.refuseCode(t, code, verifier)
}

func TestTokenExpires(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.clock.Advance(-2 * time.Hour)
	status, answer := b.redeem(t, b.code(t), verifier)
	require.Equal(t, http.StatusOK, status)
	keys, err := keyfunc.NewDefaultCtx(t.Context(), []string{b.issuer + "/keys"})
	require.NoError(t, err)
	_, err = jwt.Parse(answer["access_token"].(string), keys.Keyfunc, jwt.WithExpirationRequired())
	require.ErrorIs(t, err, jwt.ErrTokenExpired)
}

func TestInvalidAuthorizationRequests(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, tc := range map[string]struct {
		change func(url.Values)
		status int
		want   string // in the address it is sent back to
	}{
		"unknown client":   {func(q url.Values) { q.Set("client_id", "other") }, http.StatusBadRequest, ""},
		"foreign redirect": {func(q url.Values) { q.Set("redirect_uri", "https://evil.example.com/app/callback") }, http.StatusBadRequest, ""},
		"no PKCE":          {func(q url.Values) { q.Del("code_challenge") }, http.StatusFound, "invalid_request"},
		"plain PKCE":       {func(q url.Values) { q.Set("code_challenge_method", "plain") }, http.StatusFound, "invalid_request"},
		"implicit":         {func(q url.Values) { q.Set("response_type", "id_token token") }, http.StatusFound, "unauthorized_client"},
		"no dialogue":      {func(q url.Values) { q.Set("prompt", "none") }, http.StatusFound, "login_required"},
		"NUL in state":     {func(q url.Values) { q.Set("state", "a\x00b") }, http.StatusFound, "invalid_request"},
	} {
		status, header, body := browser(t)(http.MethodGet, b.authorizeURL(tc.change), nil)
		require.Equal(t, tc.status, status, name+body)
		require.Contains(t, header.Get("Location"), tc.want, name)
	}
}

func TestSignInBelongsToOneBrowser(t *testing.T) {
	t.Parallel()
	b := setup(t)
	victim, attacker := browser(t), browser(t)
	form := b.begin(t, victim)

	// Another browser can neither open the page, nor send the form, nor fetch the code.
	page := b.issuer + "/sign-in?request=" + form.Get("request")
	status, _, _ := attacker(http.MethodGet, page, nil)
	require.Equal(t, http.StatusBadRequest, status)
	status, _, _ = attacker(http.MethodPost, b.issuer+"/sign-in", form)
	require.Equal(t, http.StatusBadRequest, status)

	forged := url.Values{"request": form["request"], "email": form["email"], "password": form["password"], "token": {"forged"}}
	status, _, _ = victim(http.MethodPost, b.issuer+"/sign-in", forged)
	require.Equal(t, http.StatusBadRequest, status)

	status, header, _ := victim(http.MethodPost, b.issuer+"/sign-in", form)
	require.Equal(t, http.StatusSeeOther, status)
	status, _, _ = attacker(http.MethodGet, b.issuer+header.Get("Location"), nil)
	require.Equal(t, http.StatusBadRequest, status)
	status, _, _ = victim(http.MethodGet, b.issuer+header.Get("Location"), nil)
	require.Equal(t, http.StatusFound, status)
}

func TestPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	visit := browser(t)
	form := b.begin(t, visit)
	form.Set("email", `"><script>alert(1)</script>@x`)
	status, header, body := visit(http.MethodPost, b.issuer+"/sign-in", form)
	require.Equal(t, http.StatusUnauthorized, status)
	require.NotContains(t, body, "<script>")
	policy := header.Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	require.Contains(t, policy, "form-action 'self' http://localhost:8080")

	for _, id := range []string{"", "unknown", "a\x00b", strings.Repeat("x", 5000)} {
		status, _, _ = visit(http.MethodGet, b.issuer+"/sign-in?"+url.Values{"request": {id}}.Encode(), nil)
		require.Equal(t, http.StatusBadRequest, status)
	}
	status, _, _ = visit(http.MethodGet, b.issuer+"/style.css", nil)
	require.Equal(t, http.StatusOK, status)
	status, _, _ = visit(http.MethodPost, b.issuer+"/oauth/token", url.Values{"grant_type": {"authorization_code"}})
	require.Equal(t, http.StatusBadRequest, status)
	status, _, _ = visit(http.MethodPost, b.issuer+"/oauth/introspect", url.Values{"token": {"x"}})
	require.Equal(t, http.StatusNotFound, status)
	status, _, _ = visit(http.MethodPost, b.issuer+"/sign-in", url.Values{"password": {strings.Repeat("x", maxBody)}})
	require.Equal(t, http.StatusBadRequest, status)
}

func TestAccountsAndKeysAreKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	before, err := signinflow.SignIn(t.Context(), b.request())
	require.NoError(t, err)

	again, err := Open(t.Context(), b.pool, b.options())
	require.NoError(t, err)
	require.Equal(t, b.provider.storage.keys[0].id, again.storage.keys[0].id)
	sub, err := again.AddAccount(t.Context(), "owner@example.test", "another password")
	require.NoError(t, err)
	require.Equal(t, b.sub, sub)
	require.NotEmpty(t, before.AccessToken)

	_, err = signinflow.SignIn(t.Context(), b.request())
	require.ErrorIs(t, err, signinflow.ErrRefused)
	_, err = again.AddAccount(t.Context(), "not an address", "long enough")
	require.ErrorIs(t, err, ErrEmail)
	_, err = again.AddAccount(t.Context(), "x@example.test", "short")
	require.ErrorIs(t, err, ErrPassword)
}

func TestManyOpenProvidersAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			_, err := Open(t.Context(), b.pool, b.options())
			require.NoError(t, err)
		})
	}
	group.Wait()
	keys, err := loadKeys(t.Context(), b.pool)
	require.NoError(t, err)
	require.Len(t, keys, 1)
}
