package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"docqa/internal/app"
	"docqa/internal/devenv/s3"
	"docqa/internal/platform/config"
	"docqa/internal/store"
)

// load reads the settings and gives a logger that follows them.
func (e *environment) load() (*config.Config, error) {
	cfg, problems := config.Load(e.lookup)
	if len(problems) > 0 {
		return nil, &app.SettingsError{Problems: problems}
	}
	return cfg, nil
}

type serveCommand struct {
	Services []string `default:"main,extract,rag" enum:"main,extract,rag" help:"The APIs to serve: main, extract, rag."`
	Jobs     bool     `default:"true" negatable:"" help:"Work the jobs in this process too."`
}

// Run serves until it is told to stop.
func (c *serveCommand) Run(e *environment) error {
	cfg, err := e.load()
	if err != nil {
		return err
	}
	return app.Serve(e.ctx, cfg, app.NewLogger(e.errOut, cfg), app.ServeOptions{Services: c.Services, Jobs: c.Jobs})
}

type workCommand struct {
	Queues []string `help:"The queues to work; default all."`
}

// Run works jobs until it is told to stop.
func (c *workCommand) Run(e *environment) error {
	cfg, err := e.load()
	if err != nil {
		return err
	}
	return app.Serve(e.ctx, cfg, app.NewLogger(e.errOut, cfg), app.ServeOptions{Jobs: true, Queues: c.Queues})
}

type migrateCommand struct {
	RolesOnly bool `help:"Make the application's role alone: before a backup is restored into a new database server."`
}

// Run migrates the database.
func (c *migrateCommand) Run(e *environment) error {
	cfg, err := e.load()
	if err != nil {
		return err
	}
	if c.RolesOnly {
		return store.MakeRoles(e.ctx, cfg.DatabaseMigrateURL)
	}
	return store.Migrate(e.ctx, cfg.DatabaseMigrateURL)
}

type checkConfigCommand struct {
	JSON bool `help:"Print JSON."`
}

// Run prints the settings; with a problem the exit code is 2.
func (c *checkConfigCommand) Run(e *environment) error {
	cfg, problems := config.Load(e.lookup)
	list := config.Describe(cfg)
	if c.JSON {
		out := json.NewEncoder(e.out)
		out.SetIndent("", "  ")
		if err := out.Encode(map[string]any{"settings": list, "problems": append([]string{}, problems...)}); err != nil {
			return err
		}
	} else {
		for _, s := range list {
			_, _ = fmt.Fprintf(e.out, "%-22s %-28s default %-24s %s\n", s.Name, orDash(s.Value), orDash(s.Default), s.Help)
		}
	}
	if len(problems) > 0 {
		return &app.SettingsError{Problems: problems}
	}
	return nil
}

func orDash(s string) string {
	if strings.TrimSpace(s) == "" {
		return "-"
	}
	return s
}

type versionCommand struct{}

// Run prints the version.
func (c *versionCommand) Run(e *environment) error {
	_, err := fmt.Fprintln(e.out, app.Version())
	return err
}

type devCommand struct {
	Data       string `default:".data" type:"path" help:"Where everything is kept over restarts."`
	Port       int    `default:"8080" help:"Port of the API; a taken one moves to a free one."`
	OpsPort    int    `default:"9090" help:"Port for operators."`
	IDPPort    int    `default:"8090" name:"idp-port" help:"Port of the identity provider."`
	MailPort   int    `default:"8025" help:"Port of the mail page."`
	SMTPPort   int    `default:"2525" name:"smtp-port" help:"Port of the mail sink."`
	S3Port     int    `default:"9000" name:"s3-port" help:"Port of the object storage."`
	PgPort     int    `default:"0" help:"Port of Postgres; 0 keeps the last one."`
	Seed       bool   `default:"true" negatable:"" help:"Make the example companies."`
	Quickstart bool   `help:"Do the main job once when everything is up."`
	Once       bool   `help:"Stop after the main job."`
	Examples   string `default:"examples" type:"path" help:"The folder of the examples."`
}

// Run runs the development until it is told to stop.
func (c *devCommand) Run(e *environment) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return app.Dev(e.ctx, app.DevOptions{
		Data: c.Data, Port: c.Port, OpsPort: c.OpsPort, IDPPort: c.IDPPort, MailPort: c.MailPort, SMTPPort: c.SMTPPort,
		S3Port: c.S3Port, PostgresPort: c.PgPort, Seed: c.Seed, Quickstart: c.Quickstart, Once: c.Once,
		Examples: c.Examples, Self: self, Lookup: e.lookup, Out: e.out, Terminal: isTerminal(e.out),
	})
}

type devS3Command struct{}

// Run serves until the parent is gone.
func (c *devS3Command) Run(e *environment) error { return s3.Child(e.ctx, e.in) }
