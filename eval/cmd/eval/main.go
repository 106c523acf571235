// Command eval measures retrieval, answers, refusals and citations over a folder of
// evaluation data, on an instance that it starts and stops itself.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"docqa/eval/quality"
	"docqa/internal/platform/clock"
)

type flags struct {
	Data     string   `required:"" type:"existingdir" help:"Folder of the evaluation data."`
	Sets     []string `help:"Sets to measure, comma separated; default all that the folder holds."`
	Limit    int      `help:"Questions of each set, evenly spread; 0 = all."`
	Parallel int      `default:"4" help:"Requests at once."`
	Binary   string   `default:"bin/docqa" type:"existingfile" help:"The docqa binary."`
	Model    string   `type:"existingdir" help:"Folder of the embedding model; default keywords alone."`
	Out      string   `help:"File for the report as JSON, with every question."`
	Log      string   `default:"/dev/null" help:"File for the instance's output."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	var f flags
	kong.Parse(&f, kong.Name("eval"), kong.Description("Measures the quality of search and answers over evaluation data."))
	log, err := os.OpenFile(f.Log, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	report, err := quality.Run(ctx, quality.Options{
		Binary: f.Binary, Data: f.Data, Sets: f.Sets, Limit: f.Limit, Parallel: f.Parallel, Model: f.Model,
		Clock: clock.System(), Progress: os.Stderr, Rewrite: term.IsTerminal(int(os.Stderr.Fd())), Log: log,
	})
	if report == nil {
		return err
	}
	if len(report.Rows) > 0 {
		err = errors.Join(err, report.Print(os.Stdout))
	}
	if f.Out != "" {
		err = errors.Join(err, write(f.Out, report))
	}
	return err
}

func write(path string, report *quality.Report) error {
	data, err := json.MarshalIndent(report, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}
