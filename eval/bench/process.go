package bench

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
)

const (
	startWithin = 2 * time.Minute
	stopWithin  = 40 * time.Second
	pollEvery   = 2 * time.Millisecond
	clockTicks  = 100 // of a processor's second in /proc, on Linux
)

// process is a program that was started for the measurement.
type process struct {
	command *exec.Cmd
	ended   chan error
	took    time.Duration // from the start until it was ready
}

// start runs command and waits until ready says so.
func (b *bench) start(ctx context.Context, command *exec.Cmd, ready func(context.Context) bool) (*process, error) {
	p := &process{command: command, ended: make(chan error, 1)}
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if command.Stderr == nil {
		command.Stderr = b.opts.Log
	}
	began := b.opts.Clock.Now()
	if err := command.Start(); err != nil {
		return nil, err
	}
	go func() { p.ended <- command.Wait() }()
	ctx, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	for !ready(ctx) {
		select {
		case err := <-p.ended:
			p.ended <- err
			return nil, fmt.Errorf("%s ended at its start: %w", command.Path, err)
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("%s is not ready yet", command.Path), p.stop())
		case <-time.After(pollEvery):
		}
	}
	p.took = b.opts.Clock.Now().Sub(began)
	return p, nil
}

func (p *process) stop() error {
	_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGTERM)
	select {
	case err := <-p.ended:
		p.ended <- err
		return nil
	case <-time.After(stopWithin):
		_ = syscall.Kill(-p.command.Process.Pid, syscall.SIGKILL)
		return fmt.Errorf("%s did not stop within %s and was killed", p.command.Path, stopWithin)
	}
}

// resident is the memory of the process that is in use, in bytes; only Linux tells.
func (p *process) resident() (float64, error) {
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
	return 0, errors.New("the process's status names no VmRSS")
}

// worked is the processor time that the process has used, in milliseconds.
func (p *process) worked() (float64, error) {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(p.command.Process.Pid) + "/stat")
	if err != nil {
		return 0, err
	}
	_, behind, ok := strings.Cut(string(stat), ") ")
	fields := strings.Fields(behind)
	if !ok || len(fields) < 13 {
		return 0, errors.New("the process's stat cannot be read")
	}
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	return (user + system) * 1000 / clockTicks, err
}

// freeAddress is a loopback address on which nobody listens.
func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// listens tells whether somebody listens at address.
func listens(ctx context.Context, address string) bool {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
