package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"docqa/internal/app"
	"docqa/internal/platform/config"
	"docqa/internal/store"
)

// load reads the settings and makes the logger.
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

// Run runs jobs until it is told to stop.
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

// Run prints the settings. If one has a problem, the exit code is 2.
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
