// Package process starts other programs for a measurement and stops them again.
//
// It does not know what the programs are. Its invariant: a program that did not become ready is stopped before Start returns.
package process

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"docqa/internal/platform/clock"
)

const (
	stopTimeout = 40 * time.Second
	clockTicks  = 100 // per second of processor time in /proc, on Linux
)

// Options say when a program is ready and how it is stopped.
type Options struct {
	Clock   clock.Clock
	Ready   func(context.Context) bool // asked again and again until it says yes
	Timeout time.Duration              // how long the program may take to become ready
	Every   time.Duration              // between two questions to Ready
	// LeaderOnly sends the signal to stop only to the program itself, which then stops its own children. Otherwise the whole process
	// group gets it.
	LeaderOnly bool
}

// Process is a running program.
type Process struct {
	// StartTime is how long the program took from its start until it was ready.
	StartTime time.Duration

	command    *exec.Cmd
	ended      chan error
	leaderOnly bool
}

// Start runs command in a process group of its own and waits until it is ready.
func Start(ctx context.Context, command *exec.Cmd, opts Options) (*Process, error) {
	p := &Process{command: command, ended: make(chan error, 1), leaderOnly: opts.LeaderOnly}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	began := opts.Clock.Now()
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() { p.ended <- command.Wait() }()
	ctx, cancel := context.WithTimeout(ctx, opts.Timeout)
	defer cancel()
	for !opts.Ready(ctx) {
		select {
		case err := <-p.ended:
			p.ended <- err
			return nil, fmt.Errorf("%s ended before it was ready: %w", command.Path, err)
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("%s was not ready in time", command.Path), p.Stop())
		case <-time.After(opts.Every):
		}
	}
	p.StartTime = opts.Clock.Now().Sub(began)
	return p, nil
}

// Stop asks the program to end and kills it if it does not. It may be called twice.
func (p *Process) Stop() error {
	group := -p.command.Process.Pid
	target := group
	if p.leaderOnly {
		target = p.command.Process.Pid
	}
	select {
	case err := <-p.ended: // its id may belong to another process by now
		p.ended <- err
		return nil
	default:
	}
	_ = syscall.Kill(target, syscall.SIGTERM)
	select {
	case err := <-p.ended:
		p.ended <- err
		return nil
	case <-time.After(stopTimeout):
		_ = syscall.Kill(group, syscall.SIGKILL)
		return fmt.Errorf("%s did not stop within %s and was killed", p.command.Path, stopTimeout)
	}
}

// ResidentBytes returns the resident memory of the program. It works on Linux only.
func (p *Process) ResidentBytes() (float64, error) {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(p.command.Process.Pid) + "/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(kb), "kB")), 64)
			return n * 1024, err
		}
	}
	return 0, errors.New("the status of the process has no VmRSS")
}

// CPUMilliseconds returns the processor time that the program has used, in milliseconds. It works on Linux only.
func (p *Process) CPUMilliseconds() (float64, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(p.command.Process.Pid) + "/stat")
	if err != nil {
		return 0, err
	}
	_, afterName, ok := strings.Cut(string(stat), ") ")
	fields := strings.Fields(afterName)
	if !ok || len(fields) < 13 {
		return 0, errors.New("the stat of the process cannot be parsed")
	}
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	return (user + system) * 1000 / clockTicks, err
}

// FreeAddress returns a loopback address on which no program listens.
func FreeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// Listens reports whether a program accepts connections at address.
func Listens(ctx context.Context, address string) bool {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
