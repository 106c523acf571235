package apitest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/app"
	"docqa/internal/chat"
	"docqa/internal/documents"
	"docqa/internal/platform/clock"
	"docqa/internal/projects"
	"docqa/internal/prompttests"
	"docqa/internal/provider/blob"
	"docqa/internal/search"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/idptest"
	"docqa/internal/workspace"
)

// The settings of an Env.
const (
	OtherModel      = "other-model"             // a curated model that is not the default
	BaseURL         = "https://api.example.com" // in addresses that the API returns; tests call Env.URL
	DashboardOrigin = "https://dashboard.example.com"
	SharedPrefix    = "shared/" // where rag clients may name objects
	RagKey          = "rag-service-key-of-the-test-installation"

	secret = "a secret of at least thirty-two characters"
)

// Options changes what New starts. The zero value is right for most tests.
type Options struct {
	Clock          clock.Clock    // default: the machine's
	RateLimitScale float64        // default: so large that no test meets a limit
	WithoutKeyset  bool           // leaves ENCRYPTION_KEYSET out
	WithoutRagKey  bool           // leaves RAG_SERVICE_KEYS out
	AllowCIDRs     []string       // private networks that outbound calls reach
	Objects        *blob.Store    // blobtest.New; without it files cannot be reserved or confirmed
	Model          chat.Writer    // default: the built-in one
	Models         *search.Models // that make vectors; default: none
	CountFor       *Env           // its Cover also counts the answers of this Env
	Store          *store.Store   // default: dbtest.New
	RequestTime    time.Duration  // default: the product's
}

// Env is the service, built by internal/app as for production, with the systems that it uses.
type Env struct {
	URL     string
	Handler http.Handler // serves URL
	Store   *store.Store
	Clock   clock.Clock
	IDP     *idptest.IDP

	Companies *workspace.Service
	Documents *documents.Service
	Keys      *apikeys.Service
	People    *signin.Service
	Projects  *projects.Service
	Shares    *sharetoken.Service
	Tests     *prompttests.Service

	service *app.App
	client  *http.Client
	covered *coverage
}

// New builds the service for t, serves it and stops it when t ends.
func New(t *testing.T, opts Options) *Env {
	t.Helper()
	if opts.Store == nil {
		opts.Store = dbtest.New(t)
	}
	if opts.Clock == nil {
		opts.Clock = clock.System()
	}
	if opts.Model == nil {
		opts.Model = chat.Extractive()
	}
	e := &Env{Store: opts.Store, Clock: opts.Clock, IDP: idptest.New(t), covered: &coverage{}}
	if opts.CountFor != nil {
		e.covered = opts.CountFor.covered
	}
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	var err error
	e.service, err = app.NewWith(t.Context(), e.config(t, opts), log, app.Overrides{
		Clock: opts.Clock, Store: opts.Store, Objects: opts.Objects, Writer: opts.Model, Models: opts.Models,
		Resolver: names{}, Parser: factory.Reader{}, TempDir: t.TempDir(), RequestTime: opts.RequestTime,
	})
	require.NoError(t, err)
	// The context of the test has ended when this runs.
	t.Cleanup(func() { require.NoError(t, e.service.Stop(context.Background())) })
	parts := e.service.Parts()
	e.Companies, e.Documents, e.Keys, e.People = parts.Workspace, parts.Documents, parts.Keys, parts.People
	e.Projects, e.Shares, e.Tests = parts.Projects, parts.Shares, parts.Tests
	e.Handler, err = e.service.Handler(app.AllServices())
	require.NoError(t, err)
	server := httptest.NewServer(e.Handler)
	t.Cleanup(server.Close)
	e.URL, e.client = server.URL, server.Client()
	e.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return e
}

// Settle waits until every process can resume the streams that have ended, or until ctx ends.
func (e *Env) Settle(ctx context.Context) { e.service.Parts().Answers.Wait(ctx) }

// Work runs the jobs until t ends: documents that are synced afterwards are ingested.
func (e *Env) Work(t *testing.T) {
	t.Helper()
	require.NoError(t, e.service.Start(context.WithoutCancel(t.Context()), app.ServeOptions{Jobs: true}))
}
