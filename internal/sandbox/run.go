package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"time"
)

// Cmd is a program to run.
type Cmd struct {
	Path   string    // of the program; "" = the service's own binary
	Args   []string  // without the program; for the own binary the command, then its arguments
	Stdin  io.Reader // an *os.File is handed over as it is
	Limits Limits
}

// Faults of a child.
var (
	ErrTimeout = errors.New("sandbox: out of time")
	ErrOutput  = errors.New("sandbox: too much output")
)

// ExitError says that a child ended by itself, but not well.
type ExitError struct {
	Code   int    // -1 where a signal ended it
	Signal string // "" where none did
	Stderr string // its beginning
}

// Error names the exit code or signal and the first words of the child.
func (e *ExitError) Error() string {
	if e.Signal != "" {
		return fmt.Sprintf("sandbox: ended by %s: %s", e.Signal, e.Stderr)
	}
	return fmt.Sprintf("sandbox: exit code %d: %s", e.Code, e.Stderr)
}

// Runner runs programs. It is safe for concurrent use.
type Runner struct {
	self    string
	scratch string
	probe   sync.Once
	apart   bool // user and network namespaces are allowed
}

// New returns a runner. self is the path of the service's binary, scratch the folder
// in which the children's folders are made ("" = the system's).
func New(self, scratch string) *Runner { return &Runner{self: self, scratch: scratch} }

// Apart tells whether children get user and network namespaces of their own, which
// not every kernel and container allows.
func (r *Runner) Apart(ctx context.Context) bool {
	r.probe.Do(func() { r.apart = namespaces(ctx, r.self) })
	return r.apart
}

// Run starts the program and gives its standard output to consume, which should read
// to the end; an error of consume ends the child. The error is consume's, ErrTimeout,
// ErrOutput, an *ExitError, or that of ctx.
func (r *Runner) Run(ctx context.Context, c Cmd, consume func(io.Reader) error) error {
	limits := c.Limits.withDefaults()
	apart := r.Apart(ctx)
	dir, err := os.MkdirTemp(r.scratch, "docqa-child-")
	if err != nil {
		return fmt.Errorf("make scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	// A child asks to be killed when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	timed, cancel := context.WithTimeoutCause(ctx, limits.Wall, ErrTimeout)
	defer cancel()
	return r.run(timed, r.command(timed, c, limits, dir, apart), limits, consume)
}

// command makes the command line: the own binary confines itself, any other program
// is started by way of Main.
func (r *Runner) command(ctx context.Context, c Cmd, limits Limits, dir string, apart bool) *exec.Cmd {
	var args []string
	if c.Path == "" {
		args = append([]string{c.Args[0], limits.encode(apart)}, c.Args[1:]...)
	} else {
		args = append([]string{"sandbox", limits.encode(apart), "--", c.Path}, c.Args...)
	}
	cmd := exec.CommandContext(ctx, r.self, args...) //nolint:gosec // programs and arguments are the service's choice
	cmd.Dir, cmd.Env, cmd.Stdin = dir, []string{}, c.Stdin
	cmd.SysProcAttr = attributes(apart)
	cmd.WaitDelay = time.Second
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

func (r *Runner) run(ctx context.Context, cmd *exec.Cmd, limits Limits, consume func(io.Reader) error) error {
	stderr := &head{}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("open pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start child: %w", err)
	}
	bounded := &capped{r: stdout, left: limits.Output}
	used := consume(bounded)
	if used != nil {
		_ = cmd.Cancel()
	}
	ended := cmd.Wait()
	switch {
	case bounded.over:
		return ErrOutput
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case outOfCPU(cmd, limits):
		return ErrTimeout
	case used != nil && killed(cmd):
		return used
	case ended != nil:
		return exitError(cmd, ended, stderr)
	}
	return used
}

func killed(cmd *exec.Cmd) bool {
	ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && ws.Signaled() && ws.Signal() == syscall.SIGKILL
}

// outOfCPU tells whether the kernel ended the child for the time it used.
func outOfCPU(cmd *exec.Cmd, limits Limits) bool {
	ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return false
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return ws.Signal() == syscall.SIGXCPU || ws.Signal() == syscall.SIGKILL && used >= limits.CPU
}

func exitError(cmd *exec.Cmd, err error, stderr *head) error {
	if _, ok := errors.AsType[*exec.ExitError](err); !ok {
		return fmt.Errorf("run child: %w", err)
	}
	e := &ExitError{Code: cmd.ProcessState.ExitCode(), Stderr: stderr.String()}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		e.Signal = ws.Signal().String()
	}
	return e
}
