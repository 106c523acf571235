// Command bench measures the speed and the size of the service on processes that it
// starts and stops itself.
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

	"docqa/internal/clock"
	"docqa/internal/evaluation/benchmark"
)

type flags struct {
	Binary string `default:"bin/docqa" type:"existingfile" help:"The docqa binary."`
	Rounds int    `default:"300" help:"Rounds of SELECT 1, commit and chat."`
	Starts int    `default:"5" help:"Starts of docqa serve."`
	Out    string `help:"File for the measurements as JSON."`
	Log    string `default:"/dev/null" help:"File for the processes' output."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) (err error) {
	var f flags
	kong.Parse(&f, kong.Name("bench"), kong.Description("Measures the service beside the floor under it."))
	log, err := os.OpenFile(f.Log, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	report, err := benchmark.Run(ctx, benchmark.Options{
		Binary: f.Binary, Rounds: f.Rounds, Starts: f.Starts, Clock: clock.System(), Log: log, Out: os.Stderr,
	})
	if report == nil || len(report.ChatMS) == 0 {
		return err
	}
	err = errors.Join(err, report.Print(os.Stdout))
	if f.Out == "" {
		return err
	}
	data, encodeErr := json.MarshalIndent(report, "", "  ")
	return errors.Join(err, encodeErr, os.WriteFile(f.Out, append(data, '\n'), 0o600))
}
