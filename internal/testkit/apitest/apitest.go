package apitest

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/handlers/extractapi"
	"docqa/handlers/mainapi"
	"docqa/handlers/mcpapi"
	"docqa/handlers/ragapi"
	"docqa/internal/apikeys"
	"docqa/internal/chat"
	"docqa/internal/conversations"
	"docqa/internal/documents"
	"docqa/internal/embedding"
	"docqa/internal/parsing"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/cursor"
	"docqa/internal/platform/models"
	"docqa/internal/platform/outbound"
	"docqa/internal/platform/secretbox"
	"docqa/internal/projects"
	"docqa/internal/prompttests"
	"docqa/internal/provider/blob"
	"docqa/internal/ratelimit"
	"docqa/internal/search"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
	"docqa/internal/testkit/idptest"
	"docqa/internal/workspace"
	"docqa/jobs"
)

// What an Env is configured with.
const (
	OtherModel      = "other-model"             // a curated model that is not the default
	BaseURL         = "https://api.example.com" // as documents name it; tests call Env.URL
	DashboardOrigin = "https://dashboard.example.com"
	SharedPrefix    = "shared/" // where services may name objects
	RagKey          = "rag-service-key-of-the-test-installation"

	secret = "a secret of at least thirty-two characters"
)

// Options changes what New starts. The zero value is what most tests want.
type Options struct {
	Clock          clock.Clock    // default: the machine's
	RateLimitScale float64        // default: so large that no test meets a limit
	WithoutKeyset  bool           // leaves ENCRYPTION_KEYSET out
	WithoutRagKey  bool           // leaves RAG_SERVICE_KEYS out
	AllowCIDRs     []string       // private networks that outbound calls reach
	Objects        *blob.Store    // blobtest.New; without it files cannot be reserved or confirmed
	Model          chat.Writer    // default: the built-in one
	Models         *search.Models // that make vectors; default: none
	CountFor       *Env           // its Cover counts this one's answers too
	Store          *store.Store   // default: dbtest.New
	RequestTime    time.Duration  // default: the product's
}

// Env is a running edge with what it runs on.
type Env struct {
	URL     string
	Handler http.Handler // that the URL leads to
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

	chat    *chat.Service
	models  *search.Models
	search  *search.Service
	log     *slog.Logger
	objects *blob.Store
	queue   documents.Jobs
	guard   *outbound.Guard
	files   *parsing.Parser
	client  *http.Client
	covered *coverage
}

// New starts the edge for t and stops it at t's end.
func New(t *testing.T, opts Options) *Env {
	t.Helper()
	if opts.Store == nil {
		opts.Store = dbtest.New(t)
	}
	e := &Env{Store: opts.Store, Clock: opts.Clock, IDP: idptest.New(t), objects: opts.Objects, models: opts.Models, covered: &coverage{}}
	if opts.CountFor != nil {
		e.covered = opts.CountFor.covered
	}
	if e.Clock == nil {
		e.Clock = clock.System()
	}
	if opts.RateLimitScale == 0 {
		opts.RateLimitScale = 1e6
	}
	e.log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	cursors := cursor.New([]byte(secret), e.Clock)
	e.services(t, opts, cursors)
	e.Handler = e.handler(t, opts, cursors)
	server := httptest.NewServer(e.Handler)
	t.Cleanup(server.Close)
	e.URL, e.client = server.URL, server.Client()
	e.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return e
}

func (e *Env) services(t *testing.T, opts Options, cursors *cursor.Codec) {
	t.Helper()
	queue, err := jobs.NewInserter(e.Store.Pool().Pool, e.log)
	require.NoError(t, err)
	guard, err := outbound.New(outbound.Options{Resolver: names{}, AllowCIDRs: opts.AllowCIDRs})
	require.NoError(t, err)
	e.queue, e.guard, e.files = queue, guard, parsing.New(parsing.Options{})
	keyset := ""
	if !opts.WithoutKeyset {
		keyset, err = secretbox.GenerateKeyset()
		require.NoError(t, err)
	}
	box, err := secretbox.New(keyset)
	require.NoError(t, err)
	e.Companies = workspace.New(e.Store, e.Clock)
	e.Documents = documents.New(documents.Options{
		Store: e.Store, Objects: opts.Objects, Jobs: queue, Formats: e.files, Clock: e.Clock, Cursors: cursors,
		Pages: guard, SharedPrefix: SharedPrefix, Vectors: opts.Models,
	})
	e.Keys = apikeys.New(e.Store, e.Clock, e.log, apikeys.Options{Pepper: []byte(secret)})
	t.Cleanup(func() { e.Keys.Wait(context.WithoutCancel(t.Context())) })
	e.People = signin.New(e.Store, e.Clock, e.log, signin.Options{Provider: "test", Issuer: e.IDP.URL, ClientID: idptest.ClientID})
	t.Cleanup(e.People.Close)
	e.Projects = projects.New(projects.Deps{
		Store: e.Store, Clock: e.Clock, URLs: guard, Secrets: box, Ingester: e.Documents, Keys: e.Keys,
		BaseURL: BaseURL,
		Models:  models.New(models.Model{ID: models.Extractive}, models.Model{ID: OtherModel}),
	})
	e.Shares = sharetoken.New(e.Store, e.Clock, []byte(secret))
	if opts.Model == nil {
		opts.Model = chat.Extractive()
	}
	e.search = search.New(search.Deps{Store: e.Store, Clock: e.Clock, Vectors: opts.Models})
	e.chat = chat.New(e.Store, e.Clock, e.search, opts.Model)
	t.Cleanup(func() { e.Settle(context.Background()) })
	e.Tests = prompttests.New(prompttests.Deps{Store: e.Store, Clock: e.Clock, Chat: e.chat, Jobs: queue, Logger: e.log})
}

func (e *Env) handler(t *testing.T, opts Options, cursors *cursor.Codec) http.Handler {
	t.Helper()
	ragKeys := []string{RagKey}
	if opts.WithoutRagKey {
		ragKeys = nil
	}
	front, err := edge.New(edge.Deps{
		Keys: e.Keys, Shares: e.Shares, People: e.People, Limiter: ratelimit.New(e.Store, e.Clock, opts.RateLimitScale),
		LoadProject: e.Projects.Get, Unavailable: store.IsUnavailable, RagServiceKeys: ragKeys,
		DashboardOrigins: []string{DashboardOrigin}, Log: e.log, Clock: e.Clock, RequestTime: opts.RequestTime,
	})
	require.NoError(t, err)
	served := edge.Served{Tools: mcpapi.New(mcpapi.Deps{
		Edge: front, Answers: e.chat, Retrieval: e.search, Documents: e.Documents, Version: "test", Log: e.log,
	})}
	served.Main, err = mainapi.New(mainapi.Deps{
		Edge: front, Clock: e.Clock, Answers: e.chat, Conversations: conversations.New(e.Store, cursors), Documents: e.Documents,
		Keys: e.Keys, Projects: e.Projects, Shares: e.Shares, Tests: e.Tests, Workspace: e.Companies,
		Environment: "dev", Config: publicConfig(e.IDP.URL),
	})
	require.NoError(t, err)
	served.Extract, err = extractapi.New(extractapi.Deps{Edge: front, Enabled: true, Version: "test"})
	require.NoError(t, err)
	served.Rag, err = ragapi.New(ragapi.Deps{
		Edge: front, Retrieval: e.search, Documents: e.Documents, Answers: e.chat, Projects: e.Projects, Models: opts.Models, Clock: e.Clock,
		Version: "test", ChunkKey: []byte(secret),
	})
	require.NoError(t, err)
	return front.Handler(served)
}

func publicConfig(issuer string) oas.PublicConfig {
	return oas.PublicConfig{
		IdpUserPoolID: "pool", IdpClientID: idptest.ClientID, APIURL: "http://localhost:8080", IdpRegion: "eu-central-1", IdpDomain: "sign-in",
		OAuthRedirectURI: DashboardOrigin + "/callback", SocialProviders: []string{}, IdpIssuer: issuer,
	}
}

// Settle returns when streams that have ended can be resumed by every process, or ctx
// has ended.
func (e *Env) Settle(ctx context.Context) { e.chat.Wait(ctx) }

// Work runs the jobs until t ends: what is synced from here on is ingested.
func (e *Env) Work(t *testing.T) {
	t.Helper()
	ingester := documents.NewIngester(documents.IngesterOptions{
		Store: e.Store, Objects: e.objects, Jobs: e.queue, Formats: e.files, Pages: e.guard, Vectors: e.models,
		Clock: e.Clock, Parser: factory.Reader{}, Logger: e.log, TempDir: t.TempDir(),
	})
	deps := jobs.Deps{Store: e.Store, Documents: e.Documents, Ingester: ingester, Tests: e.Tests, Clock: e.Clock, Logger: e.log, Parsers: 2}
	if e.models != nil {
		deps.Vectors = embedding.NewService(e.Store, e.models, e.Clock)
	}
	runner, err := jobs.New(deps)
	require.NoError(t, err)
	require.NoError(t, runner.Start(t.Context()))
	// The test's own context has ended by then.
	t.Cleanup(func() { _ = runner.Stop(context.Background()) })
}
