package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/idp"
	"docqa/internal/devenv/loopback"
	"docqa/internal/devenv/mailsink"
	"docqa/internal/devenv/pgbin"
	"docqa/internal/devenv/postgres"
	"docqa/internal/devenv/quickstart"
	"docqa/internal/devenv/s3"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/config"
	"docqa/internal/store"
)

const (
	devDatabase = "docqa"
	devBucket   = "docqa"
	devClientID = "docqa-dashboard"
	devModel    = "all-MiniLM-L6-v2" // of make model
)

// DevOptions says where and how the development runs.
type DevOptions struct {
	Data         string // the folder that keeps everything
	Port         int    // each port: a taken one moves to a free one
	OpsPort      int
	IDPPort      int
	MailPort     int
	SMTPPort     int
	S3Port       int
	PostgresPort int
	Seed         bool // make the example companies
	Quickstart   bool // do the main job once
	Once         bool // stop after it
	Examples     string
	Self         string // this program, for child processes
	Lookup       config.Lookup
	Out          io.Writer // for the person at the terminal; the log goes to a file
	Terminal     bool
}

// development is what Dev has started, to be stopped in reverse.
type development struct {
	opts    DevOptions
	log     *slog.Logger
	file    *devfile.File
	secrets *devSecrets
	stops   []func() error
}

// Dev runs everything that the service needs and the service itself in one process
// tree on loopback, until ctx ends. What is kept lies in opts.Data. A setting that the
// environment holds wins over the part that is embedded.
func Dev(ctx context.Context, opts DevOptions) (err error) {
	// Postgres runs as another user where we are root: it must reach its own folder in here.
	if err := os.MkdirAll(opts.Data, 0o755); err != nil { //nolint:gosec // each file in it is 0600
		return fmt.Errorf("the data folder cannot be made: %w", err)
	}
	logFile, err := os.OpenFile(filepath.Join(opts.Data, "docqa.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("the log cannot be written: %w", err)
	}
	defer logFile.Close()
	d := &development{
		opts: opts, file: &devfile.File{Version: 1, PID: os.Getpid()},
		log: slog.New(slog.NewJSONHandler(logFile, nil)),
	}
	defer func() { err = errors.Join(err, d.stop()) }()
	app, err := d.start(ctx)
	if errors.Is(err, postgres.ErrInUse) {
		return inUse(opts.Data, err)
	}
	if err != nil {
		return err
	}
	return d.work(ctx, app)
}

func inUse(dir string, err error) error {
	if running, readErr := devfile.Read(dir); readErr == nil {
		return fmt.Errorf("docqa dev runs already as process %d at %s", running.PID, running.BaseURL)
	}
	return err
}

// start brings everything up, in the order in which the parts need each other.
func (d *development) start(ctx context.Context) (*App, error) {
	began := clock.System().Now()
	var err error
	if d.secrets, err = loadSecrets(d.opts.Data); err != nil {
		return nil, err
	}
	d.file.RagServiceKey, d.file.Secrets = d.secrets.RagServiceKey, d.secrets.Providers
	if err := d.startPostgres(ctx); err != nil {
		return nil, fmt.Errorf("start Postgres: %w", err)
	}
	listener, err := loopback.Listen(ctx, d.opts.Port)
	if err != nil {
		return nil, err
	}
	ops, err := loopback.Listen(ctx, d.opts.OpsPort)
	if err != nil {
		return nil, err
	}
	d.file.BaseURL = "http://localhost:" + strconv.Itoa(portOf(listener))
	d.file.OpsURL = "http://" + ops.Addr().String()
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
	app, err := d.startService(ctx, listener, ops)
	if err != nil {
		return nil, err
	}
	d.say("Everything is up after %s.", clock.System().Now().Sub(began).Round(10*time.Millisecond))
	if d.opts.Seed {
		if err := d.seed(ctx, app, accounts); err != nil {
			return nil, fmt.Errorf("make the examples: %w", err)
		}
	}
	return app, devfile.Write(d.opts.Data, d.file)
}

// work does what was asked and then waits for the end. A main job that fails ends a run
// that is there for it alone; else the development stays up, for somebody to look into it.
func (d *development) work(ctx context.Context, app *App) error {
	if d.opts.Seed && d.opts.Quickstart {
		if err := d.mainJob(ctx); err != nil {
			if d.opts.Once || ctx.Err() != nil {
				return err
			}
			d.say("\nThe main job was not done: %v", err)
		}
	}
	d.describe(app.models.State())
	if d.opts.Once {
		return nil
	}
	select {
	case <-ctx.Done():
		d.say("\nStopping.")
		return nil
	case err := <-app.Failed():
		return err
	}
}

// mainJob brings the examples into both companies and asks in the first.
func (d *development) mainJob(ctx context.Context) error {
	examples := os.DirFS(d.opts.Examples)
	if len(d.file.Companies) > 1 {
		err := bringExamples(ctx, d.file, d.file.Companies[1], examples, "other-company", quickstart.Options{Out: io.Discard})
		if err != nil {
			return fmt.Errorf("bring the second company's documents: %w", err)
		}
	}
	return runQuickstart(ctx, d.file, examples, d.opts.Out, d.opts.Terminal)
}

// stop ends what was started, last first. The file goes first: nobody should find the way here.
func (d *development) stop() error {
	err := devfile.Remove(d.opts.Data)
	for _, stop := range slices.Backward(d.stops) {
		err = errors.Join(err, stop())
	}
	return err
}

func (d *development) say(format string, args ...any) {
	_, _ = fmt.Fprintf(d.opts.Out, format+"\n", args...)
}

func (d *development) set(name string) bool {
	v, ok := d.opts.Lookup(name)
	return ok && v != ""
}

func (d *development) startPostgres(ctx context.Context) error {
	if url, _ := d.opts.Lookup("DATABASE_URL"); url != "" {
		d.file.DatabaseURL = url
		return nil
	}
	bin, _ := d.opts.Lookup("PG_BIN")
	install, err := pgbin.Find(ctx, pgbin.ProjectRoot(filepath.Dir(d.opts.Examples)), bin)
	if err != nil {
		return err
	}
	server, err := postgres.Start(ctx, postgres.Options{
		Dir: filepath.Join(d.opts.Data, "pg"), Bin: install, Port: d.opts.PostgresPort, Logger: d.log,
	})
	if err != nil {
		return err
	}
	d.stops = append(d.stops, server.Stop)
	if err := server.EnsureDatabase(ctx, devDatabase); err != nil {
		return err
	}
	d.file.DatabaseURL = server.URL(devDatabase)
	return nil
}

func (d *development) startStorage(ctx context.Context) error {
	if d.set("S3_ENDPOINT") {
		return nil
	}
	server, err := s3.Start(ctx, s3.Options{
		Dir: filepath.Join(d.opts.Data, "s3"), Port: d.opts.S3Port, Bucket: devBucket, Origins: []string{d.file.BaseURL},
		Command: []string{d.opts.Self, "dev-s3"},
	})
	if err != nil {
		return err
	}
	d.stops = append(d.stops, server.Stop)
	d.file.S3 = devfile.S3{Endpoint: server.Endpoint(), Bucket: devBucket, AccessKey: server.AccessKey, SecretKey: server.SecretKey}
	return nil
}

func (d *development) startMail(ctx context.Context) error {
	sink, err := mailsink.Start(ctx, mailsink.Options{
		Dir: filepath.Join(d.opts.Data, "mail"), SMTPPort: d.opts.SMTPPort, WebPort: d.opts.MailPort, Clock: clock.System(), Logger: d.log,
	})
	if err != nil {
		return err
	}
	d.stops = append(d.stops, sink.Stop)
	d.file.Mail = devfile.Mail{SMTP: sink.SMTPAddr(), Web: sink.URL()}
	return nil
}

// startIDP serves the identity provider; nil where the environment names another one.
func (d *development) startIDP(ctx context.Context) (*idp.Provider, error) {
	if issuer, _ := d.opts.Lookup("IDP_ISSUER"); issuer != "" {
		client, _ := d.opts.Lookup("IDP_CLIENT_ID")
		d.file.IDP = devfile.IDP{Issuer: issuer, ClientID: client, RedirectURI: d.file.BaseURL + "/app/callback"}
		return nil, nil //nolint:nilnil // no embedded provider is no error
	}
	listener, err := loopback.Listen(ctx, d.opts.IDPPort)
	if err != nil {
		return nil, err
	}
	d.file.IDP = devfile.IDP{
		Issuer: "http://" + listener.Addr().String(), ClientID: devClientID, RedirectURI: d.file.BaseURL + "/app/callback",
	}
	pool, err := pgxpool.New(ctx, d.file.DatabaseURL)
	if err != nil {
		return nil, err
	}
	provider, err := idp.Open(ctx, pool, idp.Options{
		Issuer: d.file.IDP.Issuer, ClientID: devClientID, RedirectURIs: []string{d.file.IDP.RedirectURI}, Clock: clock.System(), Logger: d.log,
	})
	if err != nil {
		pool.Close()
		return nil, err
	}
	server := &http.Server{Handler: provider.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(listener) }()
	d.stops = append(d.stops, func() error { err := server.Close(); pool.Close(); return err })
	return provider, nil
}

func (d *development) startService(ctx context.Context, listener, ops net.Listener) (*App, error) {
	cfg, problems := config.Load(d.lookup(portOf(listener)))
	if len(problems) > 0 {
		return nil, &SettingsError{Problems: problems}
	}
	if err := isolate(ctx, cfg, d.log, true); err != nil {
		return nil, err
	}
	if err := store.Migrate(ctx, cfg.DatabaseMigrateURL); err != nil {
		return nil, err
	}
	app, err := New(ctx, cfg, d.log)
	if err != nil {
		return nil, err
	}
	if err := app.Start(ctx, ServeOptions{Jobs: true, Services: allServices(), Listener: listener, OpsListener: ops}); err != nil {
		return nil, errors.Join(err, app.Stop(ctx))
	}
	d.stops = append(d.stops, func() error { return app.Stop(ctx) })
	return app, nil
}

// lookup answers settings from the environment first, then from what runs here.
func (d *development) lookup(port int) config.Lookup {
	dev := map[string]string{
		"DRAIN_TIME":  "0s", // nobody stands in front
		"ENVIRONMENT": config.EnvironmentDev, "ADDR": loopback.Addr(port), "BASE_URL": d.file.BaseURL,
		"DATABASE_URL": d.file.DatabaseURL, "DASHBOARD_ORIGINS": d.file.BaseURL, "IDP_PROVIDER": "embedded",
		"IDP_ISSUER": d.file.IDP.Issuer, "IDP_CLIENT_ID": d.file.IDP.ClientID, "IDP_REDIRECT_URI": d.file.IDP.RedirectURI,
		"IDP_USER_POOL_ID": "embedded", "IDP_REGION": "local", "IDP_DOMAIN": d.file.IDP.Issuer,
		"S3_ENDPOINT": d.file.S3.Endpoint, "S3_BUCKET": d.file.S3.Bucket, "S3_ACCESS_KEY": d.file.S3.AccessKey,
		"S3_SECRET_KEY": d.file.S3.SecretKey, "SMTP_URL": "smtp://" + d.file.Mail.SMTP, "MAIL_FROM": "service@example.test",
		"KEY_PEPPER": d.secrets.KeyPepper, "SHARE_TOKEN_SECRET": d.secrets.ShareTokenSecret,
		"ENCRYPTION_KEYSET": string(d.secrets.EncryptionKeyset), "RAG_SERVICE_KEYS": d.secrets.RagServiceKey,
	}
	if folder := filepath.Join(d.opts.Data, "models", devModel); installed(folder) {
		dev["EMBEDDINGS"] = "local:" + folder
	}
	return func(name string) (string, bool) {
		if v, ok := d.opts.Lookup(name); ok && v != "" {
			return v, true
		}
		v, ok := dev[name]
		return v, ok
	}
}

// installed tells whether make model has put a model into the folder.
func installed(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "model.onnx"))
	return err == nil
}

func portOf(l net.Listener) int {
	if a, ok := l.Addr().(*net.TCPAddr); ok {
		return a.Port
	}
	return 0
}
