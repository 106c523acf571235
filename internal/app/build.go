package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/handlers/extractapi"
	"docqa/handlers/mainapi"
	"docqa/handlers/mcpapi"
	"docqa/handlers/ragapi"
	"docqa/internal/apikeys"
	"docqa/internal/chat"
	"docqa/internal/conversations"
	"docqa/internal/devenv/devinfo"
	"docqa/internal/documents"
	"docqa/internal/idempotency"
	"docqa/internal/ingest"
	"docqa/internal/ingest/parsing"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/config"
	"docqa/internal/platform/cursor"
	"docqa/internal/platform/outbound"
	"docqa/internal/platform/secretbox"
	"docqa/internal/projects"
	"docqa/internal/prompttests"
	"docqa/internal/provider/blob"
	"docqa/internal/ragservice"
	"docqa/internal/ratelimit"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
	"docqa/internal/store"
	"docqa/internal/workspace"
	"docqa/jobs"
)

// New connects to the database and builds the service. The database must have been migrated.
func New(ctx context.Context, cfg *config.Config, log *slog.Logger) (*App, error) {
	return NewWith(ctx, cfg, log, Overrides{})
}

// NewWith is New with parts that replace those made from the settings.
func NewWith(ctx context.Context, cfg *config.Config, log *slog.Logger, over Overrides) (*App, error) {
	a := &App{cfg: cfg, log: log, clock: over.Clock, failed: make(chan error, len(AllServices()))}
	if a.clock == nil {
		a.clock = clock.System()
	}
	a.requests, a.endRequests = context.WithCancelCause(context.WithoutCancel(ctx))
	if err := a.open(ctx, over); err != nil {
		return nil, errors.Join(err, a.close(context.WithoutCancel(ctx)))
	}
	if err := a.build(over); err != nil {
		return nil, errors.Join(err, a.close(context.WithoutCancel(ctx)))
	}
	return a, nil
}

// open connects to the database and opens the models.
func (a *App) open(ctx context.Context, over Overrides) (err error) {
	if a.writer = over.Writer; a.writer == nil {
		if a.writer, err = writers(ctx, a.cfg.Models, a.clock); err != nil {
			return err
		}
	}
	if a.store = over.Store; a.store == nil {
		if a.store, err = store.Open(ctx, a.cfg.DatabaseURL, store.Options{MaxConns: a.cfg.DatabaseMaxConns}); err != nil {
			return err
		}
		a.ownsStore = true
	}
	if a.models = over.Models; a.models == nil {
		if a.models, err = openModels(ctx, a.cfg, a.store, a.log); err != nil {
			return err
		}
		a.ownsModels = true
	}
	a.reranker, err = openReranker(ctx, a.cfg, a.log)
	return err
}

// close closes what open has opened.
func (a *App) close(ctx context.Context) error {
	return errors.Join(a.closeStore(), a.closeModels(ctx))
}

// objects returns the object storage.
func (a *App) objects(over Overrides) (*blob.Store, error) {
	if over.Objects != nil {
		return over.Objects, nil
	}
	return blob.New(blob.Options{
		Endpoint: a.cfg.S3Endpoint, PublicEndpoint: a.cfg.S3PublicEndpoint, Region: a.cfg.S3Region, Bucket: a.cfg.S3Bucket,
		AccessKey: a.cfg.S3AccessKey, SecretKey: a.cfg.S3SecretKey,
	})
}

// base holds the parts that several services use.
type base struct {
	objects *blob.Store
	queue   *river.Client[pgx.Tx]
	guard   *outbound.Guard
	cursors *cursor.Codec
	once    *idempotency.Keeper
}

func (a *App) newBase(over Overrides) (b base, err error) {
	if b.objects, err = a.objects(over); err != nil {
		return b, err
	}
	if b.queue, err = jobs.NewInserter(a.store.Pool().Pool, a.log); err != nil {
		return b, err
	}
	b.guard, err = outbound.New(outbound.Options{AllowCIDRs: a.cfg.OutboundAllowCIDRs, CAFile: a.cfg.OutboundCAFile, Resolver: over.Resolver})
	b.cursors, b.once = cursor.New(derivedKey(a.cfg, "cursor"), a.clock), idempotency.New(a.clock, []byte(a.cfg.KeyPepper))
	return b, err
}

func (a *App) build(over Overrides) error {
	b, err := a.newBase(over)
	if err != nil {
		return err
	}
	if err := a.buildServices(b, over); err != nil {
		return err
	}
	return a.buildEdge(b, over)
}

// buildServices makes the services, in the order in which they need each other.
func (a *App) buildServices(b base, over Overrides) error {
	c, cfg := a.clock, a.cfg
	secrets, err := secretbox.New(cfg.EncryptionKeyset)
	if err != nil {
		return err
	}
	program, err := self()
	if err != nil {
		return err
	}
	files := parsing.New(parsing.Options{Self: program})
	parser := over.Parser
	if parser == nil {
		parser = files
	}
	a.documents = documents.New(documents.Deps{
		Store: a.store, Objects: b.objects, Jobs: b.queue, Formats: files, Clock: c, Cursors: b.cursors, Once: b.once,
	})
	a.ingest = ingest.New(ingest.Deps{
		Store: a.store, Objects: b.objects, Jobs: b.queue, Formats: files, Pages: b.guard, Clock: c, Parser: parser, Logger: a.log,
		Vectors: a.models, SharedPrefix: cfg.RagObjectPrefix, TempDir: over.TempDir,
	})
	a.rag = ragservice.New(ragservice.Deps{
		Store: a.store, Objects: b.objects, Jobs: b.queue, Clock: c, Documents: a.documents, Ingestion: a.ingest, Vectors: a.models, Once: b.once,
	})
	a.workspace = workspace.New(workspace.Deps{Store: a.store, Clock: c})
	a.keys = apikeys.New(apikeys.Deps{Store: a.store, Clock: c, Logger: a.log, Pepper: []byte(cfg.KeyPepper), Environments: cfg.KeyEnvironments})
	a.projects = projects.New(projects.Deps{
		Store: a.store, Clock: c, Models: cfg.Models, URLs: b.guard, Secrets: secrets, Ingester: a.ingest, Keys: a.keys,
		BaseURL: cfg.BaseURL, Once: b.once,
	})
	a.people = signin.New(signin.Deps{
		Store: a.store, Clock: c, Logger: a.log,
		Provider: cfg.IDPProvider, Issuer: cfg.IDPIssuer, ClientID: cfg.IDPClientID, Audience: cfg.IDPAudience,
	})
	a.shares = sharetoken.New(sharetoken.Deps{Store: a.store, Clock: c, Secret: []byte(cfg.ShareTokenSecret)})
	a.search = a.searcher()
	a.answers = chat.New(chat.Deps{Store: a.store, Clock: c, Search: a.search, Writer: a.writer})
	a.tests = prompttests.New(prompttests.Deps{Store: a.store, Clock: c, Chat: a.answers, Jobs: b.queue, Logger: a.log})
	return nil
}

// buildEdge makes the middleware and handlers that answer requests.
func (a *App) buildEdge(b base, over Overrides) (err error) {
	c, cfg := a.clock, a.cfg
	a.edge, err = edge.New(edge.Deps{
		Keys: a.keys, Shares: a.shares, People: a.people,
		Limiter:     ratelimit.New(ratelimit.Deps{Store: a.store, Clock: c, Scale: cfg.RateLimitScale}),
		LoadProject: a.projects.Get, Unavailable: unavailable,
		RagServiceKeys: cfg.RagServiceKeys, DashboardOrigins: cfg.DashboardOrigins, TrustedProxies: cfg.TrustedProxies,
		Log: a.log, Clock: c, RequestTime: over.RequestTime,
	})
	if err != nil {
		return err
	}
	dev, err := devinfo.Describe(cfg)
	if err != nil {
		return err
	}
	a.served.Main, err = mainapi.New(mainapi.Deps{
		Edge: a.edge, Clock: c, Answers: a.answers, Conversations: conversations.New(a.store, b.cursors), Documents: a.documents,
		Ingest: a.ingest, Keys: a.keys, Projects: a.projects, Shares: a.shares, Tests: a.tests, Workspace: a.workspace,
		Environment: cfg.Environment, Config: a.publicConfig(), Dev: dev,
	})
	if err != nil {
		return err
	}
	a.served.Extract, err = extractapi.New(extractapi.Deps{Edge: a.edge, Enabled: *cfg.EnableExtract, Version: Version()})
	if err != nil {
		return err
	}
	a.served.Tools = mcpapi.New(mcpapi.Deps{
		Edge: a.edge, Answers: a.answers, Retrieval: a.search, Documents: a.documents, Version: Version(), Log: a.log,
	})
	a.served.Rag, err = ragapi.New(ragapi.Deps{
		Edge: a.edge, Retrieval: a.search, Documents: a.rag, Answers: a.answers, Models: a.models,
		Clock: c, Version: Version(), ChunkKey: derivedKey(cfg, "chunk ids"),
	})
	return err
}

// unavailable tells whether err says that the database or the object storage cannot be
// reached.
func unavailable(err error) bool { return store.IsUnavailable(err) || blob.IsUnavailable(err) }

// Handler returns the handler of the named APIs.
func (a *App) Handler(services []string) (http.Handler, error) {
	s := a.served
	for _, name := range services {
		if !slices.Contains(AllServices(), name) {
			return nil, fmt.Errorf("there is no service %q; there are %v", name, AllServices())
		}
	}
	if !slices.Contains(services, serviceMain) {
		s.Main, s.Tools = edge.API{}, edge.Tools{}
	}
	if !slices.Contains(services, serviceExtract) {
		s.Extract = edge.API{}
	}
	if !slices.Contains(services, serviceRag) {
		s.Rag = edge.API{}
	}
	return a.edge.Handler(s), nil
}

// derivedKey returns a key for one use. Different uses get different keys.
func derivedKey(cfg *config.Config, use string) []byte {
	sum := sha256.Sum256([]byte(use + "\x00" + cfg.KeyPepper))
	return sum[:]
}

func (a *App) publicConfig() oas.PublicConfig {
	cfg := a.cfg
	return oas.PublicConfig{
		IdpUserPoolID: cfg.IDPUserPoolID, IdpClientID: cfg.IDPClientID, APIURL: cfg.BaseURL, IdpRegion: cfg.IDPRegion,
		IdpDomain: cfg.IDPDomain, OAuthRedirectURI: cfg.IDPRedirectURI, SocialProviders: append([]string{}, cfg.SocialProviders...), IdpIssuer: cfg.IDPIssuer,
	}
}

// health answers the health checks. /healthz is 200 while the process runs; /readyz is 200
// while the database answers and the process is not told to stop.
func (a *App) health() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if a.stopping.Load() {
			http.Error(w, "the process is stopping", http.StatusServiceUnavailable)
			return
		}
		if err := a.store.Pool().Ping(r.Context()); err != nil {
			http.Error(w, "the database does not answer", http.StatusServiceUnavailable)
		}
	})
	return mux
}
