package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync/atomic"
	"time"

	"docqa/handlers/edge"
	"docqa/internal/apikeys"
	"docqa/internal/chat"
	"docqa/internal/documents"
	"docqa/internal/embedding"
	"docqa/internal/ingest"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/config"
	"docqa/internal/projects"
	"docqa/internal/prompttests"
	"docqa/internal/provider/rerank"
	"docqa/internal/ragservice"
	"docqa/internal/search"
	"docqa/internal/sharetoken"
	"docqa/internal/signin"
	"docqa/internal/store"
	"docqa/internal/workspace"
	"docqa/jobs"
)

const (
	migrateTimeout    = 5 * time.Minute
	readHeaderTimeout = 10 * time.Second
	readTimeout       = time.Minute
	writeTimeout      = 2 * time.Minute // streams remove this limit
	idleTimeout       = 2 * time.Minute
	headerBytes       = 64 << 10
)

// App is the service: built, but not serving yet.
type App struct {
	cfg       *config.Config
	log       *slog.Logger
	clock     clock.Clock
	writer    chat.Writer
	store     *store.Store
	workspace *workspace.Service
	projects  *projects.Service
	keys      *apikeys.Service
	documents *documents.Service
	ingest    *ingest.Service
	rag       *ragservice.Service
	tests     *prompttests.Service
	answers   *chat.Service
	search    *search.Service
	models    *search.Models
	reranker  *rerank.CrossEncoder // nil: none is configured
	people    *signin.Service
	shares    *sharetoken.Service
	edge      *edge.Edge
	served    edge.Served
	runner    *jobs.Runner
	api       *http.Server // nil: no API is served
	ops       *http.Server // nil: no health checks are served
	failed    chan error

	ownsStore, ownsModels bool // they were opened here, not passed in, so Stop closes them

	stopping    atomic.Bool
	requests    context.Context //nolint:containedctx // the parent of every request's context
	endRequests context.CancelCauseFunc
}

// ServeOptions says which parts run in this process.
type ServeOptions struct {
	Services    []string // main, extract, rag; none: no API
	Jobs        bool
	Queues      []string     // with Jobs; none: all
	Listener    net.Listener // default: cfg.Addr
	OpsListener net.Listener // default: cfg.OpsAddr
}

// The APIs that one process may serve.
const (
	serviceMain    = "main"
	serviceExtract = "extract"
	serviceRag     = "rag"
)

// AllServices names the APIs that a process may serve.
func AllServices() []string { return []string{serviceMain, serviceExtract, serviceRag} }

// Serve migrates the database, starts what opts names, and stops it when ctx ends.
func Serve(ctx context.Context, cfg *config.Config, log *slog.Logger, opts ServeOptions) error {
	if cfg.RateLimitScale != 1 {
		log.WarnContext(ctx, "RATE_LIMIT_SCALE multiplies every rate limit", "scale", cfg.RateLimitScale)
	}
	if len(cfg.OutboundAllowCIDRs) > 0 || cfg.OutboundCAFile != "" {
		log.WarnContext(ctx, "outbound calls may reach private networks or trust a private CA",
			"allow_cidrs", cfg.OutboundAllowCIDRs, "ca_file", cfg.OutboundCAFile)
	}
	if err := Isolate(ctx, cfg, log, opts.Jobs); err != nil {
		return err
	}
	if cfg.DatabaseMigrate {
		migrating, cancel := context.WithTimeout(ctx, migrateTimeout)
		err := store.Migrate(migrating, cfg.DatabaseMigrateURL)
		cancel()
		if err != nil {
			return err
		}
	}
	app, err := New(ctx, cfg, log)
	if err != nil {
		return err
	}
	if err := app.Start(ctx, opts); err != nil {
		return errors.Join(err, app.Stop(ctx))
	}
	select {
	case <-ctx.Done():
		log.InfoContext(ctx, "stopping")
		err = nil
	case err = <-app.Failed():
	}
	return errors.Join(err, app.Stop(ctx))
}

// Start begins to run jobs and to listen, and returns when both have begun.
func (a *App) Start(ctx context.Context, opts ServeOptions) error {
	if opts.Jobs {
		if err := a.work(ctx, opts.Queues); err != nil {
			return err
		}
	}
	if len(opts.Services) > 0 {
		handler, err := a.Handler(opts.Services)
		if err != nil {
			return err
		}
		if a.api, err = a.listen(ctx, opts.Listener, a.cfg.Addr, a.leaving(handler), "api"); err != nil {
			return err
		}
	}
	if a.cfg.OpsAddr != "" {
		var err error
		a.ops, err = a.listen(ctx, opts.OpsListener, a.cfg.OpsAddr, a.health(), "ops")
		return err
	}
	return nil
}

// work begins to run the jobs of queues.
func (a *App) work(ctx context.Context, queues []string) error {
	deps := jobs.Deps{
		Store: a.store, Documents: a.documents, Ingester: a.ingest, Rag: a.rag, Tests: a.tests, Clock: a.clock, Logger: a.log,
		Queues: queues, Parsers: a.cfg.IngestWorkers, SoftStop: a.cfg.ShutdownTimeout * softStopShare / 100,
	}
	deps.LargeIndexer = search.NewLargeIndexer(search.LargeIndexDeps{Store: a.store, Owner: a.cfg.DatabaseMigrateURL, Clock: a.clock, Logger: a.log})
	if a.models.Default() != "" {
		deps.Vectors = embedding.New(embedding.Deps{Store: a.store, Models: a.models, Clock: a.clock})
	}
	runner, err := jobs.New(deps)
	if err != nil {
		return err
	}
	if err := runner.Start(store.AsSystem(ctx, "the queue serves every company")); err != nil {
		return fmt.Errorf("start the workers: %w", err)
	}
	a.runner = runner
	return nil
}

func (a *App) listen(ctx context.Context, l net.Listener, addr string, h http.Handler, what string) (*http.Server, error) {
	if l == nil {
		var err error
		var lc net.ListenConfig
		if l, err = lc.Listen(ctx, "tcp", addr); err != nil {
			return nil, fmt.Errorf("listen for %s: %w", what, err)
		}
	}
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
		BaseContext: func(net.Listener) context.Context { return a.requests },
	}
	a.log.InfoContext(ctx, "listening", "for", what, "address", l.Addr().String())
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serve %s: %w", what, err)
		}
	}()
	return server, nil
}

// Failed delivers the error of a listener that ended without being told to.
func (a *App) Failed() <-chan error { return a.failed }

// self is the path of this program, for the children that read documents.
func self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return path, nil
}
