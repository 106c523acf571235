package apitest

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/mainapi"
	"docqa/handlers"
	"docqa/internal/apikeys"
	"docqa/internal/clock"
	"docqa/internal/dbtest"
	"docqa/internal/models"
	"docqa/internal/outbound"
	"docqa/internal/projects"
	"docqa/internal/ratelimit"
	"docqa/internal/secretbox"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
	"docqa/internal/store"
	"docqa/internal/workspace"
)

// OtherModel is a curated model that is not the default.
const OtherModel = "other-model"

// DashboardOrigin is the one origin of the dashboard.
const DashboardOrigin = "https://dashboard.example.com"

// RagKey is the service key of the installation.
const RagKey = "rag-service-key-of-the-test-installation"

const secret = "a secret of at least thirty-two characters"

// Options changes what New starts. The zero value is what most tests want.
type Options struct {
	Clock          clock.Clock       // default: the machine's
	RateLimitScale float64           // default: so large that no test meets a limit
	WithoutKeyset  bool              // leaves ENCRYPTION_KEYSET out
	CountFor       *Env              // its Cover counts this one's answers too
	Ingester       projects.Ingester // default: marks documents and runs no jobs
	// Extend adds groups of operations before the server starts.
	Extend func(e *Env, m *handlers.Main, r *handlers.Rag)
}

// Env is a running edge with what it runs on.
type Env struct {
	URL   string
	Store *store.Store
	Clock clock.Clock
	IDP   *IDP

	Companies *workspace.Service
	Projects  *projects.Service
	Keys      *apikeys.Service
	Shares    *sharetoken.Service
	People    *signin.Service

	client  *http.Client
	covered *coverage
}

// New starts the edge for t and stops it at t's end.
func New(t *testing.T, opts Options) *Env {
	t.Helper()
	e := &Env{Store: dbtest.New(t), Clock: opts.Clock, covered: &coverage{}}
	if opts.CountFor != nil {
		e.covered = opts.CountFor.covered
	}
	if e.Clock == nil {
		e.Clock = clock.System()
	}
	if opts.RateLimitScale == 0 {
		opts.RateLimitScale = 1e6
	}
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	e.IDP = newIDP(t, e.Clock)
	e.People = signin.New(e.Store, e.Clock, log, signin.Options{Provider: "test", Issuer: e.IDP.Issuer, ClientID: clientID})
	t.Cleanup(e.People.Close)
	e.Keys = apikeys.New(e.Store, e.Clock, log, apikeys.Options{Pepper: []byte(secret)})
	t.Cleanup(e.Keys.Wait)
	e.Shares = sharetoken.New(e.Store, e.Clock, []byte(secret))
	e.Companies = workspace.New(e.Store, e.Clock)
	e.Projects = newProjects(t, e, opts)

	main := &handlers.Main{
		CompaniesAPI: &handlers.CompaniesAPI{Workspace: e.Companies},
		KeysAPI:      &handlers.KeysAPI{Keys: e.Keys, Clock: e.Clock},
		PlatformAPI:  &handlers.PlatformAPI{Clock: e.Clock, Config: publicConfig(e.IDP)},
		ProjectsAPI:  &handlers.ProjectsAPI{Projects: e.Projects, Environment: "dev"},
		ShareAPI:     &handlers.ShareAPI{Shares: e.Shares},
	}
	rag := &handlers.Rag{}
	if opts.Extend != nil {
		opts.Extend(e, main, rag)
	}
	handler, err := handlers.New(handlers.Deps{
		Main: main, Extract: &handlers.Extract{Enabled: true, Version: "test"}, Rag: rag,
		Keys: e.Keys, Shares: e.Shares, People: e.People, Limits: handlers.NewLimits(ratelimit.New(e.Store, e.Clock, opts.RateLimitScale)),
		LoadProject: e.Projects.Get, Unavailable: store.IsUnavailable, RagServiceKeys: []string{RagKey},
		DashboardOrigins: []string{DashboardOrigin}, Log: log, Clock: e.Clock,
	})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	e.URL, e.client = server.URL, server.Client()
	e.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return e
}

func newProjects(t *testing.T, e *Env, opts Options) *projects.Service {
	t.Helper()
	keyset := ""
	if !opts.WithoutKeyset {
		var err error
		keyset, err = secretbox.GenerateKeyset()
		require.NoError(t, err)
	}
	box, err := secretbox.New(keyset)
	require.NoError(t, err)
	guard, err := outbound.New(outbound.Options{Resolver: names{}})
	require.NoError(t, err)
	if opts.Ingester == nil {
		opts.Ingester = marker{e.Clock}
	}
	return projects.New(projects.Deps{
		Store: e.Store, Clock: e.Clock, URLs: guard, Secrets: box, Ingester: opts.Ingester, Keys: e.Keys,
		Models: models.New(models.Model{ID: models.Extractive}, models.Model{ID: OtherModel}),
	})
}

func publicConfig(p *IDP) mainapi.PublicConfig {
	return mainapi.PublicConfig{
		IdpUserPoolID: "pool", IdpClientID: clientID, APIURL: "http://localhost:8080", IdpRegion: "eu-central-1", IdpDomain: "sign-in",
		OAuthRedirectURI: DashboardOrigin + "/callback", SocialProviders: []string{}, IdpIssuer: p.Issuer,
	}
}
