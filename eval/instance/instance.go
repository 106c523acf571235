package instance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"docqa/internal/devenv/devfile"
)

const (
	startWithin = 3 * time.Minute // the first start makes a database
	stopWithin  = 40 * time.Second
	pollEvery   = 100 * time.Millisecond
)

// Options say what to run.
type Options struct {
	Binary string    // the docqa binary
	Data   string    // the data folder; empty = a temporary one, removed by Stop
	Env    []string  // added to this process's environment
	Log    io.Writer // where the output goes
}

// Instance is a running `docqa dev`.
type Instance struct {
	Dev *devfile.File

	binary, data string
	temporary    bool
	command      *exec.Cmd
	ended        chan error
}

// Start runs `docqa dev` without examples and waits until it is healthy.
func Start(ctx context.Context, opts Options) (*Instance, error) {
	i := &Instance{binary: opts.Binary, data: opts.Data, ended: make(chan error, 1)}
	if i.data == "" {
		folder, err := os.MkdirTemp("", "docqa-evaluation-")
		if err != nil {
			return nil, err
		}
		i.data, i.temporary = filepath.Join(folder, "data"), true
		if err := os.Chmod(folder, 0o755); err != nil { //nolint:gosec // the database's user has to reach its folder below
			return nil, err
		}
	}
	i.command = exec.CommandContext(context.WithoutCancel(ctx), i.binary, "dev", "--data", i.data, "--no-seed") //nolint:gosec // the operator names the binary
	i.command.Env = append(append(Environment(), "RATE_LIMIT_SCALE=1000"), opts.Env...)
	i.command.Stdout, i.command.Stderr = opts.Log, opts.Log
	i.command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := i.command.Start(); err != nil {
		i.remove()
		return nil, fmt.Errorf("start the instance: %w", err)
	}
	go func() { i.ended <- i.command.Wait() }()
	if err := i.wait(ctx); err != nil {
		return nil, errors.Join(err, i.Stop())
	}
	return i, nil
}

// wait polls until dev.json is there and the API is healthy.
func (i *Instance) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		if dev, err := devfile.Read(i.data); err == nil && Healthy(ctx, dev.BaseURL) {
			i.Dev = dev
			return nil
		}
		select {
		case err := <-i.ended:
			i.ended <- err
			return fmt.Errorf("the instance ended before it was healthy: %w", err)
		case <-ctx.Done():
			return errors.New("the instance is not healthy yet")
		case <-tick.C:
		}
	}
}

// Healthy tells whether the API at baseURL answers its health check.
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

// Environment is this process's without another database: the instance brings its own.
func Environment() []string {
	return slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DATABASE_") })
}

// Vectors is the setting that takes the embedding model in folder; none for keywords alone.
func Vectors(folder string) []string {
	if folder == "" {
		return []string{"EMBEDDINGS=none"}
	}
	if full, err := filepath.Abs(folder); err == nil {
		folder = full
	}
	return []string{"EMBEDDINGS=local:" + folder}
}

// PID is the process id of `docqa dev`.
func (i *Instance) PID() int { return i.command.Process.Pid }

// Stop ends the instance and removes a temporary folder. It may be called twice.
func (i *Instance) Stop() error {
	defer i.remove()
	_ = i.command.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-i.ended:
		i.ended <- err
		return nil
	case <-time.After(stopWithin):
		_ = syscall.Kill(-i.command.Process.Pid, syscall.SIGKILL)
		return fmt.Errorf("the instance did not stop within %s and was killed", stopWithin)
	}
}

func (i *Instance) remove() {
	if i.temporary {
		_ = os.RemoveAll(filepath.Dir(i.data))
	}
}
