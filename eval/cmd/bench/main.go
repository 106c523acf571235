// Command bench measures the speed and the size of the service, beside what it is
// compared with, on processes that it starts and stops itself.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"docqa/eval/bench"
	"docqa/internal/platform/clock"
)

type commands struct {
	Run      runCommand      `cmd:"" default:"withargs" help:"Measure and print the table."`
	Upstream upstreamCommand `cmd:"" hidden:"" help:"The model's server of the measurements."`
}

type runCommand struct {
	Binary  string   `default:"bin/docqa" type:"existingfile" help:"The docqa binary."`
	Only    []string `help:"Parts to measure, such as P1,P6; default all."`
	Rounds  int      `default:"300" help:"Rounds of what is repeated alone."`
	Starts  int      `default:"5" help:"Starts of docqa serve."`
	Streams int      `default:"1000" help:"Streams at once."`
	Seconds int      `default:"15" help:"Seconds that the streams last."`
	Chunks  int      `default:"1000000" help:"The most passages that are stored."`
	Data    string   `help:"Folder of evaluation data, for the parts that need judged questions."`
	Model   string   `help:"Folder of the embedding model; default: none."`
	Peers   string   `default:".tools/bench" help:"Folder into which eval/peers/peers.sh installs."`
	Out     string   `help:"File for the measurements as JSON."`
	Log     string   `default:"/dev/null" help:"File for the processes' output."`
}

type upstreamCommand struct {
	Addr string `required:"" help:"Address to listen at."`
}

// Run serves until it is ended.
func (c *upstreamCommand) Run(context.Context) error {
	server := &http.Server{Addr: c.Addr, Handler: bench.Upstream(), ReadHeaderTimeout: time.Minute}
	return server.ListenAndServe()
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	var c commands
	parsed := kong.Parse(&c, kong.Name("bench"), kong.Description("Measures the service beside what it is compared with."))
	parsed.BindTo(ctx, (*context.Context)(nil))
	err := parsed.Run()
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// Run measures.
func (c *runCommand) Run(ctx context.Context) (err error) {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.OpenFile(c.Log, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	report, err := bench.Run(ctx, bench.Options{
		Binary: c.Binary, Self: self, Only: c.Only, Rounds: c.Rounds, Starts: c.Starts, Streams: c.Streams, Seconds: c.Seconds,
		Chunks: c.Chunks, Data: c.Data, Model: c.Model, Peers: c.Peers, Clock: clock.System(), Log: log, Out: os.Stderr,
	})
	if report == nil {
		return err
	}
	err = errors.Join(err, report.Print(os.Stdout))
	if c.Out == "" {
		return err
	}
	data, encodeErr := json.MarshalIndent(report, "", "  ")
	return errors.Join(err, encodeErr, os.WriteFile(c.Out, append(data, '\n'), 0o600))
}
