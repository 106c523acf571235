// Command bench measures the speed and the size of the service and of what it is compared with, on processes that it starts and
// stops itself.
package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/alecthomas/kong"

	"docqa/eval/bench"
	"docqa/eval/bench/harness"
	"docqa/eval/bench/modelserver"
	"docqa/eval/command"
	"docqa/internal/platform/clock"
)

type commands struct {
	Run      runCommand      `cmd:"" default:"withargs" help:"Measure and print the table."`
	Upstream upstreamCommand `cmd:"" hidden:"" help:"Serve the made-up model of the measurements."`
}

type runCommand struct {
	Binary  string   `default:"bin/docqa" type:"existingfile" help:"The docqa binary."`
	Only    []string `help:"Parts to measure, such as P1,P6; default all."`
	Rounds  int      `default:"300" help:"How often a step is repeated."`
	Starts  int      `default:"5" help:"How often docqa serve is started."`
	Streams int      `default:"1000" help:"Streams at the same time."`
	Seconds int      `default:"15" help:"How long the streams last, in seconds."`
	Chunks  int      `default:"1000000" help:"The largest number of chunks to store."`
	Data    string   `help:"Folder of evaluation data, for parts that need questions with known answers."`
	Model   string   `help:"Folder of the embedding model; default: none."`
	Peers   string   `default:".tools/bench" help:"Folder into which eval/peers/peers.sh installs."`
	Out     string   `help:"File for the measurements as JSON."`
	Log     string   `default:"/dev/null" help:"File for the output of the processes."`
}

type upstreamCommand struct {
	Addr string `required:"" help:"Address to listen at."`
}

// Run serves until ctx is cancelled.
func (c *upstreamCommand) Run(ctx context.Context) error {
	server := &http.Server{Addr: c.Addr, Handler: modelserver.Handler(), ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func main() {
	var c commands
	parsed := kong.Parse(&c, kong.Name("bench"), kong.Description("Measures the service and compares it with other products."))
	command.Main("bench", func(ctx context.Context) error {
		parsed.BindTo(ctx, (*context.Context)(nil))
		return parsed.Run()
	})
}

// Run measures, prints the table and writes the report.
func (c *runCommand) Run(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return command.WithLog(c.Log, func(log io.Writer) error {
		report, err := bench.Run(ctx, c.Only, harness.Options{
			Binary: c.Binary, Self: self, Rounds: c.Rounds, Starts: c.Starts, Streams: c.Streams, Seconds: c.Seconds,
			Chunks: c.Chunks, Data: c.Data, Model: c.Model, Peers: c.Peers, Clock: clock.System(), Log: log, Out: os.Stderr,
		})
		if report == nil {
			return err
		}
		return errors.Join(err, report.Print(os.Stdout), command.WriteJSON(c.Out, report))
	})
}
