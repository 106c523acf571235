package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

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
	"docqa/internal/parsing"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/config"
	"docqa/internal/platform/cursor"
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
	"docqa/internal/workspace"
	"docqa/jobs"
)

// New connects to the database and puts the parts together. The database must have
// been migrated.
func New(ctx context.Context, cfg *config.Config, log *slog.Logger) (*App, error) {
	writer, err := writers(ctx, cfg.Models, clock.System())
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, cfg.DatabaseURL, store.Options{MaxConns: cfg.DatabaseMaxConns})
	if err != nil {
		return nil, err
	}
	a := &App{cfg: cfg, log: log, store: s, failed: make(chan error, len(AllServices()))}
	a.requests, a.endRequests = context.WithCancelCause(context.WithoutCancel(ctx))
	if a.models, err = openModels(ctx, cfg, s, log); err != nil {
		s.Close()
		return nil, err
	}
	if a.reranker, err = openReranker(ctx, cfg, log); err != nil {
		s.Close()
		return nil, errors.Join(err, a.models.Close())
	}
	if err := a.build(writer); err != nil {
		s.Close()
		return nil, errors.Join(err, a.models.Close(), a.reranker.Close())
	}
	return a, nil
}

func (a *App) build(writer chat.Writer) error {
	c, cfg := clock.System(), a.cfg
	objects, err := blob.New(blob.Options{
		Endpoint: cfg.S3Endpoint, PublicEndpoint: cfg.S3PublicEndpoint, Region: cfg.S3Region, Bucket: cfg.S3Bucket,
		AccessKey: cfg.S3AccessKey, SecretKey: cfg.S3SecretKey,
	})
	if err != nil {
		return err
	}
	queue, err := jobs.NewInserter(a.store.Pool().Pool, a.log)
	if err != nil {
		return err
	}
	guard, err := outbound.New(outbound.Options{AllowCIDRs: cfg.OutboundAllowCIDRs, CAFile: cfg.OutboundCAFile})
	if err != nil {
		return err
	}
	secrets, err := secretbox.New(cfg.EncryptionKeyset)
	if err != nil {
		return err
	}
	program, err := self()
	if err != nil {
		return err
	}
	cursors, once := cursor.New(derivedKey(cfg, "cursor"), c), idempotency.New(c, []byte(cfg.KeyPepper))
	files := parsing.New(parsing.Options{Self: program})
	a.documents = documents.New(documents.Options{
		Store: a.store, Objects: objects, Jobs: queue, Formats: files, Clock: c, Cursors: cursors,
		Pages: guard, SharedPrefix: cfg.RagObjectPrefix, Vectors: a.models, Once: once,
	})
	a.ingester = documents.NewIngester(documents.IngesterOptions{
		Store: a.store, Objects: objects, Jobs: queue, Formats: files, Pages: guard, Clock: c, Parser: files, Logger: a.log,
		Vectors: a.models,
	})
	a.workspace = workspace.New(a.store, c)
	a.keys = apikeys.New(a.store, c, a.log, apikeys.Options{Pepper: []byte(cfg.KeyPepper), Environments: cfg.KeyEnvironments})
	a.projects = projects.New(projects.Deps{
		Store: a.store, Clock: c, Models: cfg.Models, URLs: guard, Secrets: secrets, Ingester: a.documents, Keys: a.keys,
		BaseURL: cfg.BaseURL, Once: once,
	})
	searcher := a.searcher(c)
	a.people = signin.New(a.store, c, a.log, signin.Options{
		Provider: cfg.IDPProvider, Issuer: cfg.IDPIssuer, ClientID: cfg.IDPClientID, Audience: cfg.IDPAudience,
	})
	shares := sharetoken.New(a.store, c, []byte(cfg.ShareTokenSecret))
	a.edge, err = edge.New(edge.Deps{
		Keys: a.keys, Shares: shares, People: a.people, Limiter: ratelimit.New(a.store, c, cfg.RateLimitScale),
		LoadProject: a.projects.Get, Unavailable: unavailable,
		RagServiceKeys: cfg.RagServiceKeys, DashboardOrigins: cfg.DashboardOrigins, TrustedProxies: cfg.TrustedProxies,
		Log: a.log, Clock: c,
	})
	if err != nil {
		return err
	}
	dev, err := devinfo.Of(cfg)
	if err != nil {
		return err
	}
	a.answers = chat.New(a.store, c, searcher, writer)
	a.tests = prompttests.New(prompttests.Deps{Store: a.store, Clock: c, Chat: a.answers, Jobs: queue, Logger: a.log})
	a.served.Main, err = mainapi.New(mainapi.Deps{
		Edge: a.edge, Clock: c, Answers: a.answers, Conversations: conversations.New(a.store, cursors), Documents: a.documents,
		Keys: a.keys, Projects: a.projects, Shares: shares, Tests: a.tests, Workspace: a.workspace,
		Environment: cfg.Environment, Config: a.publicConfig(), Dev: dev,
	})
	if err != nil {
		return err
	}
	a.served.Extract, err = extractapi.New(extractapi.Deps{Edge: a.edge, Enabled: *cfg.EnableExtract, Version: Version()})
	if err != nil {
		return err
	}
	return a.buildForPrograms(searcher, c)
}

// buildForPrograms makes what services of the operator and language models call.
func (a *App) buildForPrograms(searcher *search.Service, c clock.Clock) (err error) {
	a.served.Tools = mcpapi.New(mcpapi.Deps{
		Edge: a.edge, Answers: a.answers, Retrieval: searcher, Documents: a.documents, Version: Version(), Log: a.log,
	})
	a.served.Rag, err = ragapi.New(ragapi.Deps{
		Edge: a.edge, Retrieval: searcher, Documents: a.documents, Answers: a.answers, Projects: a.projects, Models: a.models,
		Clock: c, Version: Version(), ChunkKey: derivedKey(a.cfg, "chunk ids"),
	})
	return err
}

// unavailable tells whether err says that what the service stands on is away.
func unavailable(err error) bool { return store.IsUnavailable(err) || blob.IsUnavailable(err) }

// handler returns the handler of the named services.
func (a *App) handler(services []string) (http.Handler, error) {
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

// derivedKey returns a key for one use, so that no two uses share one.
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

// health answers operators: /healthz lives as long as the process, /readyz until it is
// told to stop, as long as the database answers.
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
