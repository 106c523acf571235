package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"docqa/handlers"
	"docqa/internal/apikeys"
	"docqa/internal/chat"
	"docqa/internal/clock"
	"docqa/internal/config"
	"docqa/internal/documents"
	"docqa/internal/projects"
	"docqa/internal/promotion"
	"docqa/internal/prompttests"
	"docqa/internal/provider/rerank"
	"docqa/internal/store"
	"docqa/internal/vectors"
	"docqa/internal/workspace"
	"docqa/jobs"
)

const (
	migrateTimeout    = 5 * time.Minute
	readHeaderTimeout = 10 * time.Second
	readTimeout       = time.Minute
	writeTimeout      = 2 * time.Minute // streams lift it
	idleTimeout       = 2 * time.Minute
	headerBytes       = 64 << 10
	closeTimeout      = 2 * time.Second

	// softStopShare is the part of the time for a stop, in percent, after which running
	// jobs are cancelled: what is left is for them to say so.
	softStopShare = 80
)

// App is the service, put together but not yet serving.
type App struct {
	cfg       *config.Config
	log       *slog.Logger
	store     *store.Store
	workspace *workspace.Service
	projects  *projects.Service
	keys      *apikeys.Service
	documents *documents.Service
	ingester  *documents.Ingester
	tests     *prompttests.Service
	answers   *chat.Service
	models    *vectors.Models
	reranker  *rerank.CrossEncoder // nil: none is configured
	edge      handlers.Deps
	runner    *jobs.Runner
	servers   []*http.Server
	failed    chan error
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

func allServices() []string { return []string{serviceMain, serviceExtract, serviceRag} }

// Serve migrates, starts what opts asks for, and stops it when ctx ends.
func Serve(ctx context.Context, cfg *config.Config, log *slog.Logger, opts ServeOptions) error {
	if cfg.RateLimitScale != 1 {
		log.WarnContext(ctx, "RATE_LIMIT_SCALE multiplies every rate limit", "scale", cfg.RateLimitScale)
	}
	if len(cfg.OutboundAllowCIDRs) > 0 || cfg.OutboundCAFile != "" {
		log.WarnContext(ctx, "outbound calls may reach private networks or trust a private CA",
			"allow_cidrs", cfg.OutboundAllowCIDRs, "ca_file", cfg.OutboundCAFile)
	}
	if err := isolate(ctx, cfg, log, opts.Jobs); err != nil {
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

// Start begins to work jobs and to listen, and returns when both have begun.
func (a *App) Start(ctx context.Context, opts ServeOptions) error {
	if opts.Jobs {
		if err := a.work(ctx, opts.Queues); err != nil {
			return err
		}
	}
	if len(opts.Services) > 0 {
		api, err := a.api(opts.Services)
		if err != nil {
			return err
		}
		if err := a.listen(ctx, opts.Listener, a.cfg.Addr, api, "api"); err != nil {
			return err
		}
	}
	if a.cfg.OpsAddr != "" {
		return a.listen(ctx, opts.OpsListener, a.cfg.OpsAddr, a.ops(), "ops")
	}
	return nil
}

// work begins to work the jobs of queues.
func (a *App) work(ctx context.Context, queues []string) error {
	deps := jobs.Deps{
		Store: a.store, Documents: a.documents, Ingester: a.ingester, Tests: a.tests, Clock: clock.System(), Logger: a.log,
		Queues: queues, Parsers: a.cfg.IngestWorkers, SoftStop: a.cfg.ShutdownTimeout * softStopShare / 100,
	}
	deps.Promotion = promotion.New(promotion.Options{Store: a.store, Owner: a.cfg.DatabaseMigrateURL, Clock: clock.System(), Logger: a.log})
	if a.models.Default() != "" {
		deps.Vectors = vectors.NewService(a.store, a.models, clock.System())
	}
	runner, err := jobs.New(deps)
	if err != nil {
		return err
	}
	if err := runner.Start(store.ForJobs(store.AsSystem(ctx, "the queue serves every company"))); err != nil {
		return fmt.Errorf("start the workers: %w", err)
	}
	a.runner = runner
	return nil
}

func (a *App) listen(ctx context.Context, l net.Listener, addr string, h http.Handler, what string) error {
	if l == nil {
		var err error
		var lc net.ListenConfig
		if l, err = lc.Listen(ctx, "tcp", addr); err != nil {
			return fmt.Errorf("listen for %s: %w", what, err)
		}
	}
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: readHeaderTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	a.servers = append(a.servers, server)
	a.log.InfoContext(ctx, "listening", "for", what, "address", l.Addr().String())
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- fmt.Errorf("serve %s: %w", what, err)
		}
	}()
	return nil
}

// Failed gives the error of a listener that ended by itself.
func (a *App) Failed() <-chan error { return a.failed }

// Stop lets requests and jobs end, both within the configured time, and closes everything,
// also where ctx has ended.
func (a *App) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.cfg.ShutdownTimeout)
	defer cancel()
	var ending sync.WaitGroup
	errs := make([]error, len(a.servers)+3) // of the servers, the jobs, the database and the models
	for i, s := range a.servers {
		ending.Go(func() { errs[i] = shutdown(ctx, s) })
	}
	if a.runner != nil {
		ending.Go(func() { errs[len(a.servers)] = a.runner.Stop(ctx) })
	}
	ending.Wait()
	a.keys.Wait(ctx)
	a.answers.Wait(ctx)
	a.edge.People.Close()
	errs[len(a.servers)+1] = a.closeStore()
	if ctx.Err() == nil { // else an answer may still be reading a question
		errs[len(a.servers)+2] = errors.Join(a.models.Close(), a.reranker.Close())
	}
	return errors.Join(errs...)
}

// closeStore gives back the connections; what still holds one ends with the process.
func (a *App) closeStore() error {
	closed := make(chan struct{})
	go func() { a.store.Close(); close(closed) }()
	select {
	case <-closed:
		return nil
	case <-time.After(closeTimeout):
		return errors.New("connections to the database are still in use")
	}
}

// shutdown lets the requests of s end, and cuts off those that have not when ctx ends.
func shutdown(ctx context.Context, s *http.Server) error {
	if err := s.Shutdown(ctx); err != nil {
		return errors.Join(fmt.Errorf("wait for requests: %w", err), s.Close())
	}
	return nil
}

// self is the path of this program, for the children that read documents.
func self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program: %w", err)
	}
	return path, nil
}
