package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/handlers/extractapi"
	"docqa/handlers/mainapi"
	"docqa/handlers/ragapi"
	"docqa/internal/apikeys"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/ratelimit"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/idptest"
)

const (
	site      = "https://shop.example"
	dashboard = "https://app.example"
	ragKey    = "a service key of at least thirty-two bytes"
)

// bundle is the whole edge on a real database, with a clock that the test moves.
type bundle struct {
	t      testing.TB
	url    string
	store  *store.Store
	clock  *clock.Manual
	idp    *idptest.IDP
	keys   *apikeys.Service
	shares *sharetoken.Service
	tenant factory.Tenant
	log    *logBuffer
}

type logBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func (b *logBuffer) text() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.String()
}

// options changes what setup makes.
type options struct {
	plan       string
	scale      float64 // of the rates; default 1000
	proxies    int
	extractOff bool
	noRagKeys  bool
	noSecret   bool
}

func setup(tb testing.TB, o options) *bundle {
	tb.Helper()
	s := &bundle{t: tb, store: dbtest.New(tb), clock: clock.Fixed(factory.Epoch()), idp: idptest.New(tb), log: &logBuffer{}}
	log := slog.New(slog.NewJSONHandler(s.log, nil))
	if o.plan == "" {
		o.plan = "growth"
	}
	if o.scale == 0 {
		o.scale = 1000
	}
	s.tenant = factory.NewTenant(tb, s.store, factory.TenantOpts{Plan: o.plan})
	s.exec("update projects set allowed_origins = array['" + site + "'], share_enabled = true, share_slug = 'acme'")
	s.keys = apikeys.New(apikeys.Deps{Store: s.store, Clock: s.clock, Logger: log, Pepper: []byte("pepper")})
	secret := []byte("a secret of at least thirty-two bytes")
	if o.noSecret {
		secret = nil
	}
	s.shares = sharetoken.New(sharetoken.Deps{Store: s.store, Clock: s.clock, Secret: secret})
	people := signin.New(signin.Deps{Store: s.store, Clock: s.clock, Logger: log, Provider: "idp", Issuer: s.idp.URL, ClientID: idptest.ClientID})
	deps := edge.Deps{
		Keys: s.keys, Shares: s.shares, People: people, Limiter: ratelimit.New(ratelimit.Deps{Store: s.store, Clock: s.clock, Scale: o.scale}),
		LoadProject: s.loadProject, Unavailable: store.IsUnavailable, RagServiceKeys: []string{"an older service key of that length", ragKey},
		DashboardOrigins: []string{dashboard}, TrustedProxies: o.proxies, Log: log, Clock: s.clock,
		PublicPatience: time.Minute, // a busy machine is no reason to answer without a limit
	}
	if o.noRagKeys {
		deps.RagServiceKeys = nil
	}
	front, err := edge.New(deps)
	require.NoError(tb, err)
	served := edge.Served{}
	served.Main, err = mainapi.New(mainapi.Deps{Edge: front, Clock: s.clock, Config: oas.PublicConfig{APIURL: "http://api.example"}, Keys: s.keys, Shares: s.shares})
	require.NoError(tb, err)
	served.Extract, err = extractapi.New(extractapi.Deps{Edge: front, Enabled: !o.extractOff, Version: "1.0.0"})
	require.NoError(tb, err)
	served.Rag, err = ragapi.New(ragapi.Deps{Edge: front})
	require.NoError(tb, err)
	web := httptest.NewServer(front.Handler(served))
	tb.Cleanup(func() { web.Close(); s.keys.Wait(context.WithoutCancel(tb.Context())); people.Close() })
	s.url = web.URL
	return s
}

func (s *bundle) loadProject(ctx context.Context, companyID, projectID string) (dbsqlc.Project, error) {
	p, err := dbsqlc.New().ProjectGet(ctx, s.store.Pool(), dbsqlc.ProjectGetParams{CompanyID: companyID, ProjectID: projectID})
	if store.IsNoRows(err) {
		return p, apperr.NotFound()
	}
	return p, err
}

func (s *bundle) exec(sql string) {
	s.t.Helper()
	_, err := s.store.Pool().Exec(store.AsSystem(s.t.Context(), "test"), sql)
	require.NoError(s.t, err)
	if s.keys != nil {
		s.keys.Forget(s.tenant.CompanyID)
		s.shares.Forget(s.tenant.CompanyID)
	}
}

// key issues a key of the tenant's project.
func (s *bundle) key(kind, environment string) string {
	s.t.Helper()
	issued, err := s.keys.Create(s.tenant.Context(s.t.Context()), s.tenant.CompanyID, s.tenant.Project.ProjectID, apikeys.Input{
		Kind: kind, Environment: environment, By: "usr",
	})
	require.NoError(s.t, err)
	return issued.Secret
}

func (s *bundle) shareToken() string {
	s.t.Helper()
	shared, err := s.shares.Find(s.t.Context(), "acme")
	require.NoError(s.t, err)
	token, err := s.shares.Issue(shared.Project)
	require.NoError(s.t, err)
	return token.Value
}

// person returns the token of a new person with a role in a company; no role: no company.
func (s *bundle) person(companyID, role string) string {
	s.t.Helper()
	userID, subject := ids.New(ids.User), ids.New("sub")
	ctx, q, now := store.AsSystem(s.t.Context(), "test"), dbsqlc.New(), s.clock.Now()
	email := subject + "@example.com"
	_, err := q.UserCreate(ctx, s.store.Pool(), dbsqlc.UserCreateParams{UserID: userID, Email: email, Now: now})
	require.NoError(s.t, err)
	require.NoError(s.t, q.IdentityCreate(ctx, s.store.Pool(), dbsqlc.IdentityCreateParams{
		Provider: "idp", Subject: subject, UserID: userID, Email: email, EmailVerified: true, Now: now,
	}))
	if role != "" {
		_, err = q.MemberCreate(ctx, s.store.Pool(), dbsqlc.MemberCreateParams{
			CompanyID: companyID, UserID: userID, Email: email, Role: role, Status: "active", Now: now,
		})
		require.NoError(s.t, err)
	}
	return idptest.Sign(s.t, s.idp.Claims(now, subject))
}

func (s *bundle) admin() string { return s.person(s.tenant.CompanyID, authn.RoleAdmin) }

// request is one call; header holds pairs of names and values.
type request struct {
	method, path string
	header       []string
	body         string
}

type response struct {
	*http.Response
	body []byte
}

func (r response) code(t *testing.T) string {
	t.Helper()
	var e struct{ Error, Code string }
	require.NoError(t, json.Unmarshal(r.body, &e), "%s", r.body)
	require.NotEmpty(t, e.Error)
	return e.Code
}

func (s *bundle) do(tb testing.TB, r request) response {
	tb.Helper()
	var body io.Reader
	if r.body != "" {
		body = strings.NewReader(r.body)
	}
	req, err := http.NewRequestWithContext(tb.Context(), r.method, s.url+r.path, body)
	require.NoError(tb, err)
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(r.header); i += 2 {
		if r.header[i+1] == "" {
			req.Header.Del(r.header[i])
			continue
		}
		req.Header.Add(r.header[i], r.header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(tb, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	require.NotEmpty(tb, resp.Header.Get("X-Request-Id"))
	return response{resp, data}
}

func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

type object = map[string]any

func projectPath(projectID string) string { return "/v1/projects/" + projectID }
