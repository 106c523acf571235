package dev

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"docqa/internal/app"
	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/idp"
	"docqa/internal/devenv/loopback"
	"docqa/internal/devenv/postgres"
	"docqa/internal/devenv/quickstart"
	"docqa/internal/devenv/secrets"
	"docqa/internal/devenv/seed"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/config"
	"docqa/internal/store"
)

// Options says where and how the development runs.
type Options struct {
	Data       string // the folder that keeps everything
	Ports      Ports
	Seed       bool   // make the example companies
	Quickstart bool   // do the main job once
	Once       bool   // stop after it
	Examples   string // the folder of the example documents
	Self       string // this program, for child processes
	Lookup     config.Lookup
	Out        io.Writer // for the person at the terminal; the log goes to a file
	Terminal   bool      // Out is a terminal
}

// development is what Run has started, to be stopped in reverse.
type development struct {
	opts  Options
	log   *slog.Logger
	file  *devfile.File
	kept  *secrets.File
	stops []func() error
}

// Run runs everything that the service needs and the service itself in one process tree on
// loopback, until ctx ends. Everything is kept in opts.Data. A setting that the environment
// holds wins over the embedded part.
func Run(ctx context.Context, opts Options) (err error) {
	// PostgreSQL does not run as root, so its user must be able to enter this folder.
	if err := os.MkdirAll(opts.Data, 0o755); err != nil { //nolint:gosec // each file in it is 0600
		return fmt.Errorf("make the data folder: %w", err)
	}
	logFile, err := os.OpenFile(filepath.Join(opts.Data, "docqa.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	defer logFile.Close()
	d := &development{
		opts: opts, file: &devfile.File{Version: 1, PID: os.Getpid()},
		log: slog.New(slog.NewJSONHandler(logFile, nil)),
	}
	defer func() { err = errors.Join(err, d.stop()) }()
	service, err := d.start(ctx)
	if errors.Is(err, postgres.ErrInUse) {
		return alreadyRunning(opts.Data, err)
	}
	if err != nil {
		return err
	}
	return d.work(ctx, service)
}

func alreadyRunning(dir string, err error) error {
	if running, readErr := devfile.Read(dir); readErr == nil {
		return fmt.Errorf("docqa dev runs already as process %d at %s", running.PID, running.BaseURL)
	}
	return err
}

// start brings everything up, in the order in which the parts need each other.
func (d *development) start(ctx context.Context) (*app.App, error) {
	began := clock.System().Now()
	var err error
	if d.kept, err = secrets.Load(d.opts.Data); err != nil {
		return nil, err
	}
	d.file.RagServiceKey, d.file.Secrets = d.kept.RagServiceKey, d.kept.Providers
	if err := d.startPostgres(ctx); err != nil {
		return nil, fmt.Errorf("start Postgres: %w", err)
	}
	if err := d.opts.Ports.check(ctx); err != nil {
		return nil, err
	}
	api, err := d.listen(ctx, d.opts.Ports.api())
	if err != nil {
		return nil, err
	}
	ops, err := d.listen(ctx, d.opts.Ports.ops())
	if err != nil {
		return nil, err
	}
	d.file.BaseURL, d.file.OpsURL = baseURL(api), "http://"+ops.Addr().String()
	if err := d.startStorage(ctx); err != nil {
		return nil, fmt.Errorf("start the object storage: %w", err)
	}
	if err := d.startMail(ctx); err != nil {
		return nil, fmt.Errorf("start the mail sink: %w", err)
	}
	accounts, err := d.startIDP(ctx)
	if err != nil {
		return nil, fmt.Errorf("start the identity provider: %w", err)
	}
	service, err := d.startService(ctx, api, ops)
	if err != nil {
		return nil, err
	}
	d.say("Everything is up after %s.", clock.System().Now().Sub(began).Round(10*time.Millisecond))
	if d.opts.Seed && accounts != nil {
		if err := d.seed(ctx, service, accounts); err != nil {
			return nil, fmt.Errorf("make the examples: %w", err)
		}
	}
	if err := devfile.Write(d.opts.Data, d.file); err != nil {
		return nil, err
	}
	d.stops = append(d.stops, func() error { return devfile.Remove(d.opts.Data) })
	return service, nil
}

// seed makes the example companies.
func (d *development) seed(ctx context.Context, service *app.App, accounts *idp.Provider) error {
	parts := service.Parts()
	return seed.New(seed.Deps{
		Store: parts.Store, Workspace: parts.Workspace, Projects: parts.Projects, Keys: parts.Keys, Clock: clock.System(),
		Accounts: accounts, Provider: service.Config().IDPProvider, Kept: d.kept, Origin: d.file.BaseURL,
	}).Run(ctx, d.file)
}

// work does what was asked for and then waits for the end. If the main job fails, a run with
// Once ends; otherwise everything stays up, so that somebody can look into it.
func (d *development) work(ctx context.Context, service *app.App) error {
	if d.opts.Seed && d.opts.Quickstart {
		if err := d.mainJob(ctx); err != nil {
			if d.opts.Once || ctx.Err() != nil {
				return err
			}
			d.say("\nThe main job failed: %v", err)
		}
	}
	d.banner(service.Parts().Models.State())
	if d.opts.Once {
		return nil
	}
	select {
	case <-ctx.Done():
		d.say("\nStopping.")
		return nil
	case err := <-service.Failed():
		return err
	}
}

// mainJob brings the example documents into both companies and asks in the first.
func (d *development) mainJob(ctx context.Context) error {
	examples := os.DirFS(d.opts.Examples)
	if len(d.file.Companies) > 1 {
		if err := quickstart.Ingest(ctx, d.file, d.file.Companies[1], examples, "other-company"); err != nil {
			return fmt.Errorf("bring in the second company's documents: %w", err)
		}
	}
	return quickstart.MainJob(ctx, d.file, examples, d.opts.Out, d.opts.Terminal)
}

// stop ends what was started, last first: dev.json goes before everything else, so that no
// script finds a service that is about to stop.
func (d *development) stop() (err error) {
	for _, stop := range slices.Backward(d.stops) {
		err = errors.Join(err, stop())
	}
	return err
}

func (d *development) say(format string, args ...any) {
	_, _ = fmt.Fprintf(d.opts.Out, format+"\n", args...)
}

func (d *development) startService(ctx context.Context, api, ops net.Listener) (*app.App, error) {
	cfg, problems := config.Load(d.lookup(loopback.NumberOf(api)))
	if len(problems) > 0 {
		return nil, &app.SettingsError{Problems: problems}
	}
	if err := app.Isolate(ctx, cfg, d.log, true); err != nil {
		return nil, err
	}
	if err := store.Migrate(ctx, cfg.DatabaseMigrateURL); err != nil {
		return nil, err
	}
	service, err := app.New(ctx, cfg, d.log)
	if err != nil {
		return nil, err
	}
	serve := app.ServeOptions{Jobs: true, Services: app.AllServices(), Listener: api, OpsListener: ops}
	if err := service.Start(ctx, serve); err != nil {
		return nil, errors.Join(err, service.Stop(ctx))
	}
	d.stops = append(d.stops, func() error { return service.Stop(ctx) })
	return service, nil
}
