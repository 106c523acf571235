// Package harness starts what the benchmarks measure, `docqa serve` with a database of its own and the server of a made-up model,
// and measures steps in turns.
//
// It decides no targets. Its invariant: Stop ends everything that was started through a Harness.
package harness

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"docqa/eval/instance"
	"docqa/eval/process"
	"docqa/internal/platform/clock"
)

const (
	startTimeout = 2 * time.Minute
	pollInterval = 2 * time.Millisecond
)

// Options say what to measure and how often.
type Options struct {
	Binary  string // the docqa binary
	Self    string // this program; it is started again as the server of the model
	Rounds  int    // how often a step is repeated
	Starts  int    // how often `docqa serve` is started
	Streams int    // how many streams run at the same time
	Seconds int    // how long the streams last
	Chunks  int    // the largest number of chunks to store
	Data    string // folder of evaluation data, for parts that need questions with known answers; may be empty
	Model   string // folder of the embedding model; may be empty
	Peers   string // folder into which eval/peers/peers.sh installs the other products
	Clock   clock.Clock
	Log     io.Writer // the output of the processes
	Out     io.Writer // one line for each step of the run
}

// Harness runs one development instance, which brings Postgres, object storage and sign-in, and any number of servers beside it.
type Harness struct {
	Options

	dev     *instance.Instance
	servers map[string]*Server
}

// Start starts the development instance.
func Start(ctx context.Context, opts Options) (*Harness, error) {
	h := &Harness{Options: opts, servers: map[string]*Server{}}
	h.Progress("starting Postgres, the object storage and the sign-in")
	var err error
	h.dev, err = instance.Start(ctx, instance.Options{Binary: opts.Binary, Log: opts.Log, Clock: opts.Clock})
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Stop ends everything that is still running.
func (h *Harness) Stop(ctx context.Context) error {
	var errs []error
	for name := range h.servers {
		errs = append(errs, h.Close(ctx, name))
	}
	return errors.Join(append(errs, h.dev.Stop())...)
}

// Progress writes a line about what is being done.
func (h *Harness) Progress(format string, args ...any) {
	_, _ = fmt.Fprintf(h.Out, format+"\n", args...)
}

// Run starts command and waits until it is ready. Its error output goes to the log if the command says nothing else.
func (h *Harness) Run(ctx context.Context, command *exec.Cmd, ready func(context.Context) bool) (*process.Process, error) {
	if command.Stderr == nil {
		command.Stderr = h.Log
	}
	return process.Start(ctx, command, process.Options{Clock: h.Clock, Ready: ready, Timeout: startTimeout, Every: pollInterval})
}

// StartModelServer starts the server of the made-up model in a process of its own and returns its base URL.
func (h *Harness) StartModelServer(ctx context.Context) (p *process.Process, baseURL string, err error) {
	address, err := process.FreeAddress(ctx)
	if err != nil {
		return nil, "", err
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), h.Self, "upstream", "--addr", address) //nolint:gosec // this program
	p, err = h.Run(ctx, command, func(ctx context.Context) bool { return process.Listens(ctx, address) })
	return p, "http://" + address + "/v1", err
}

// ErrNotInstalled says how to get a product that is missing.
var ErrNotInstalled = errors.New("not installed, see eval/peers")

// Installed returns the path of a file of an installed product, or ErrNotInstalled.
func (h *Harness) Installed(path ...string) (string, error) {
	full := Absolute(filepath.Join(append([]string{h.Peers}, path...)...))
	if _, err := os.Stat(full); err != nil {
		return "", ErrNotInstalled
	}
	return full, nil
}

// Absolute returns path as an absolute one, or as it is if the working folder is unknown.
func Absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
