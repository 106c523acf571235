package dev

import (
	"context"
	"net/http"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"docqa/internal/devenv/devfile"
	"docqa/internal/devenv/idp"
	"docqa/internal/devenv/mailsink"
	"docqa/internal/devenv/pgbin"
	"docqa/internal/devenv/postgres"
	"docqa/internal/devenv/s3"
	"docqa/internal/platform/clock"
)

const (
	database = "docqa"
	bucket   = "docqa"
	clientID = "docqa-dashboard"
)

// setting returns a setting of the environment; empty if it is not set.
func (d *development) setting(name string) string {
	v, _ := d.opts.Lookup(name)
	return v
}

// startPostgres runs the cluster of the data folder, unless DATABASE_URL names another one.
func (d *development) startPostgres(ctx context.Context) error {
	if url := d.setting("DATABASE_URL"); url != "" {
		d.file.DatabaseURL = url
		return nil
	}
	install, err := pgbin.Find(ctx, pgbin.ProjectRoot(filepath.Dir(d.opts.Examples)), d.setting("PG_BIN"))
	if err != nil {
		return err
	}
	want := d.opts.Ports.postgres()
	server, err := postgres.Start(ctx, postgres.Options{
		Dir: filepath.Join(d.opts.Data, "pg"), Bin: install, Port: want.Port, Logger: d.log,
	})
	if err != nil {
		return want.explain(err)
	}
	d.stops = append(d.stops, server.Stop)
	// Nobody else runs this folder now: a dev.json is left from a run that was killed.
	if err := devfile.Remove(d.opts.Data); err != nil {
		return err
	}
	if err := server.EnsureDatabase(ctx, database); err != nil {
		return err
	}
	d.file.DatabaseURL = server.URL(database)
	return nil
}

// startStorage runs the object storage, unless S3_ENDPOINT names another one.
func (d *development) startStorage(ctx context.Context) error {
	if d.setting("S3_ENDPOINT") != "" {
		return nil
	}
	want := d.opts.Ports.s3()
	server, err := s3.Start(ctx, s3.Options{
		Dir: filepath.Join(d.opts.Data, "s3"), Port: want.Port, Bucket: bucket, Origins: []string{d.file.BaseURL},
		Command: []string{d.opts.Self, "dev-s3"},
	})
	if err != nil {
		return want.explain(err)
	}
	d.stops = append(d.stops, server.Stop)
	d.reportMove(want, server.Port())
	d.file.S3 = devfile.S3{Endpoint: server.Endpoint(), Bucket: bucket, AccessKey: server.AccessKey, SecretKey: server.SecretKey}
	return nil
}

func (d *development) startMail(ctx context.Context) error {
	mail, web := d.opts.Ports.smtp(), d.opts.Ports.mail()
	sink, err := mailsink.Start(ctx, mailsink.Options{
		Dir: filepath.Join(d.opts.Data, "mail"), SMTPPort: mail.Port, WebPort: web.Port, Clock: clock.System(), Logger: d.log,
	})
	if err != nil {
		return err
	}
	d.stops = append(d.stops, sink.Stop)
	d.reportMove(mail, sink.SMTPPort())
	d.reportMove(web, sink.WebPort())
	d.file.Mail = devfile.Mail{SMTP: sink.SMTPAddr(), Web: sink.URL()}
	return nil
}

// startIDP serves the identity provider. It returns nil if IDP_ISSUER names another one,
// whose accounts docqa dev cannot make.
func (d *development) startIDP(ctx context.Context) (*idp.Provider, error) {
	d.file.IDP.RedirectURI = d.file.BaseURL + "/app/callback"
	if issuer := d.setting("IDP_ISSUER"); issuer != "" {
		d.file.IDP.Issuer, d.file.IDP.ClientID = issuer, d.setting("IDP_CLIENT_ID")
		return nil, nil //nolint:nilnil // no embedded provider is no error
	}
	listener, err := d.listen(ctx, d.opts.Ports.idp())
	if err != nil {
		return nil, err
	}
	d.file.IDP.Issuer, d.file.IDP.ClientID = "http://"+listener.Addr().String(), clientID
	pool, err := pgxpool.New(ctx, d.file.DatabaseURL)
	if err != nil {
		return nil, err
	}
	provider, err := idp.Open(ctx, pool, idp.Options{
		Issuer: d.file.IDP.Issuer, ClientID: clientID, RedirectURIs: []string{d.file.IDP.RedirectURI}, Clock: clock.System(), Logger: d.log,
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
