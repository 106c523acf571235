package postgres

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// watch waits for the end of its input, which comes when this process ends in any way, and
// then stops the server.
const watch = `read -r _; kill -INT "$1" 2>/dev/null`

// process is a running server with its watchdog.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the server has ended
	err  error         // why; read after done

	watchdog *exec.Cmd
	alive    io.Closer // the watchdog's input
}

// run starts cmd, which ends at the latest with this process.
func run(ctx context.Context, cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the kernel sends the signal when this thread ends
		defer runtime.UnlockOSThread()
		dieWithParent(cmd.SysProcAttr)
		cmd.SysProcAttr.Setpgid = true // Ctrl-C must reach this process only
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = cmd.Wait()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	if err := p.startWatchdog(ctx); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

func (p *process) startWatchdog(ctx context.Context) error {
	p.watchdog = exec.CommandContext(context.WithoutCancel(ctx), "/bin/sh", "-c", watch, "watch", strconv.Itoa(p.cmd.Process.Pid))
	p.watchdog.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: p.cmd.SysProcAttr.Credential}
	p.watchdog.Dir = "/"
	alive, err := p.watchdog.StdinPipe()
	if err != nil {
		return err
	}
	p.alive = alive
	return p.watchdog.Start()
}

// shutdownStep is a signal to a server and how long to wait until it has ended.
type shutdownStep struct {
	signal syscall.Signal
	wait   time.Duration
}

// shutdown returns how a server is ended: by a fast shutdown, then by an immediate one, which
// loses nothing either, then by SIGKILL.
func shutdown(fast, immediate time.Duration) []shutdownStep {
	return []shutdownStep{{syscall.SIGINT, fast}, {syscall.SIGQUIT, immediate}, {syscall.SIGKILL, immediate}}
}

// stop ends the server.
func (p *process) stop() error {
	for _, step := range shutdown(20*time.Second, 5*time.Second) {
		_ = p.cmd.Process.Signal(step.signal)
		select {
		case <-p.done:
			return p.stopWatchdog()
		case <-time.After(step.wait):
		}
	}
	return errors.New("the Postgres server does not end")
}

func (p *process) stopWatchdog() error {
	if p.watchdog == nil || p.watchdog.Process == nil {
		return nil
	}
	// Kill it before its input closes: the server's process id may belong to another process now.
	_ = p.watchdog.Process.Signal(os.Kill)
	_ = p.watchdog.Wait()
	_ = p.alive.Close()
	return nil
}
