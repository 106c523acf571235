package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Cmd is a program to run.
type Cmd struct {
	Path   string    // of the program; "" = the service's own binary
	Args   []string  // without the program; for the service's own binary the command, then its arguments
	Stdin  io.Reader // a child gets an *os.File directly
	Limits Limits
	Reads  []string // files and folders that a program needs besides Path and the system's libraries
}

// The errors of a child.
var (
	ErrTimeout = errors.New("sandbox: out of time")
	ErrOutput  = errors.New("sandbox: too much output")
)

// ExitError says that a child ended by itself with an error.
type ExitError struct {
	Code   int    // -1 if a signal ended it
	Signal string // "" if no signal ended it
	Stderr string // the beginning of standard error
}

// Error gives the exit code or signal and the beginning of standard error.
func (e *ExitError) Error() string {
	if e.Signal != "" {
		return fmt.Sprintf("sandbox: ended by %s: %s", e.Signal, e.Stderr)
	}
	return fmt.Sprintf("sandbox: exit code %d: %s", e.Code, e.Stderr)
}

// Runner runs programs. It is safe for concurrent use.
type Runner struct {
	self      string
	scratch   string
	probe     sync.Once
	isolation Isolation
}

// New returns a runner. self is the path of the service's binary, scratch the folder
// in which the children's folders are made ("" = the system's).
func New(self, scratch string) *Runner { return &Runner{self: self, scratch: scratch} }

// Run starts the program and passes its standard output to consume, which should read to the
// end; an error of consume ends the child. The error is that of consume, ErrTimeout,
// ErrOutput, an *ExitError, or that of ctx.
func (r *Runner) Run(ctx context.Context, c Cmd, consume func(io.Reader) error) error {
	limits := c.Limits.withDefaults()
	isolation := r.Isolation(ctx)
	dir, err := os.MkdirTemp(r.scratch, "docqa-child-")
	if err != nil {
		return fmt.Errorf("make scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	timed, cancel := context.WithTimeoutCause(ctx, limits.Duration, ErrTimeout)
	defer cancel()
	cmd := r.command(timed, c, limits, dir, isolation)
	return r.run(timed, cmd, limits, func() (func(), error) { return start(cmd, isolation, r.reads(c)) }, consume)
}

// threads bounds the threads of a child of this binary. Otherwise there could be one for each
// core, and the stack of each counts as data.
const threads = "GOMAXPROCS=2"

// command makes the command line. The service's own binary confines itself; any other program
// is started by Main.
func (r *Runner) command(ctx context.Context, c Cmd, limits Limits, dir string, isolation Isolation) *exec.Cmd {
	var args []string
	if c.Path == "" {
		args = append([]string{c.Args[0], c.encode(limits, isolation)}, c.Args[1:]...)
	} else {
		args = append([]string{"sandbox", c.encode(limits, isolation), "--", c.Path}, c.Args...)
	}
	cmd := exec.CommandContext(ctx, r.self, args...) //nolint:gosec // programs and arguments are the service's choice
	cmd.Dir, cmd.Env, cmd.Stdin = dir, []string{}, c.Stdin
	if c.Path == "" {
		cmd.Env = append(cmd.Env, threads)
	}
	cmd.SysProcAttr = attributes(isolation.Namespaces)
	cmd.WaitDelay = time.Second
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	return cmd
}

// reads are the files and folders that a child may read and run.
func (r *Runner) reads(c Cmd) []string {
	reads := append(systemFiles(), c.Reads...)
	if c.Path != "" {
		reads = append(reads, c.Path)
	}
	return append(reads, r.self)
}

func (r *Runner) run(ctx context.Context, cmd *exec.Cmd, limits Limits, start func() (func(), error), consume func(io.Reader) error) error {
	stderr := &head{}
	cmd.Stderr = stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("open pipe: %w", err)
	}
	end, err := start()
	if err != nil {
		return err
	}
	defer end()
	bounded := &capped{r: stdout, left: limits.Output}
	used := consume(bounded)
	if used != nil {
		_ = cmd.Cancel()
	}
	killRest(cmd.Process.Pid)
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

// killRest waits for the end of the child and kills what is left of its group. Until then the
// child stays a zombie, so that no other process can get its number.
func killRest(pid int) {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			break
		}
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
}

func killed(cmd *exec.Cmd) bool {
	ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && ws.Signaled() && ws.Signal() == syscall.SIGKILL
}

// outOfCPU tells whether the kernel ended the child because of the processor time it used. The
// kernel counts clock ticks for the limit but reports a measured time, so the two may differ a
// little.
func outOfCPU(cmd *exec.Cmd, limits Limits) bool {
	ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if !ok || !ws.Signaled() {
		return false
	}
	used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return ws.Signal() == syscall.SIGXCPU || ws.Signal() == syscall.SIGKILL && used >= limits.CPU*3/4
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
