package instance

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"docqa/eval/process"
	"docqa/internal/devenv/devfile"
	"docqa/internal/platform/clock"
)

const (
	startTimeout = 3 * time.Minute // the first start makes a database
	pollInterval = 100 * time.Millisecond
)

// Options say what to run.
type Options struct {
	Binary string    // the docqa binary
	Env    []string  // added to this process's environment
	Log    io.Writer // the output of the instance
	Clock  clock.Clock
}

// Instance is a running `docqa dev`.
type Instance struct {
	Dev *devfile.File

	binary  string
	folder  string // temporary; data is below it
	process *process.Process
}

// Start runs `docqa dev` without examples and waits until it is healthy.
func Start(ctx context.Context, opts Options) (*Instance, error) {
	folder, err := os.MkdirTemp("", "docqa-evaluation-")
	if err != nil {
		return nil, err
	}
	i := &Instance{binary: opts.Binary, folder: folder}
	if err := os.Chmod(folder, 0o755); err != nil { //nolint:gosec // the database runs as another user and has its folder below
		return nil, err
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), i.binary, "dev", "--data", i.data(), "--no-seed") //nolint:gosec // the operator names the binary
	command.Env = append(append(Environment(), "RATE_LIMIT_SCALE=1000"), opts.Env...)
	command.Stdout, command.Stderr = opts.Log, opts.Log
	// `docqa dev` stops the programs that it started in the right order.
	i.process, err = process.Start(ctx, command, process.Options{
		Clock: opts.Clock, Ready: i.ready, Timeout: startTimeout, Every: pollInterval, LeaderOnly: true,
	})
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, fmt.Errorf("start the instance: %w", err)
	}
	return i, nil
}

func (i *Instance) data() string { return filepath.Join(i.folder, "data") }

// ready reads dev.json, which `docqa dev` writes when it is up, and reports whether the API is healthy.
func (i *Instance) ready(ctx context.Context) bool {
	dev, err := devfile.Read(i.data())
	if err != nil || !Healthy(ctx, dev.BaseURL) {
		return false
	}
	i.Dev = dev
	return true
}

// Healthy reports whether the API at baseURL answers its health check.
func Healthy(ctx context.Context, baseURL string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, baseURL+"/health", nil)
	if err != nil {
		return false
	}
	resp, err := (&http.Client{}).Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

// Environment is this process's environment without the settings of another database: the instance brings its own.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DATABASE_") })
}

// Vectors is the setting that uses the embedding model in folder. An empty folder means keyword search only.
func Vectors(folder string) []string {
	if folder == "" {
		return []string{"EMBEDDINGS=none"}
	}
	if full, err := filepath.Abs(folder); err == nil {
		folder = full
	}
	return []string{"EMBEDDINGS=local:" + folder}
}

// Stop ends the instance and removes its folder. It may be called twice.
func (i *Instance) Stop() error {
	defer func() { _ = os.RemoveAll(i.folder) }()
	return i.process.Stop()
}
