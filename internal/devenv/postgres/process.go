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

// watch waits for the end of its input, which comes with the end of our process,
// however that ends, and then stops the server.
const watch = `read -r _; kill -INT "$1" 2>/dev/null`

// process is a running server with its watchdog.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the server has ended
	err  error         // why; read after done

	watchdog *exec.Cmd
	alive    io.Closer // the watchdog's input
}

// run starts cmd and sees to it that it does not outlive us.
func run(ctx context.Context, cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // the kernel's signal is bound to this thread's life
		defer runtime.UnlockOSThread()
		dieWithParent(cmd.SysProcAttr)
		cmd.SysProcAttr.Setpgid = true // Ctrl-C is for us alone
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

// stop ends the server: politely, then as in a crash, which loses nothing either,
// then by force.
func (p *process) stop() error {
	for _, step := range []struct {
		signal syscall.Signal
		wait   time.Duration
	}{
		{syscall.SIGINT, 20 * time.Second},
		{syscall.SIGQUIT, 5 * time.Second},
		{syscall.SIGKILL, 5 * time.Second},
	} {
		_ = p.cmd.Process.Signal(step.signal)
		select {
		case <-p.done:
			return p.stopWatchdog()
		case <-time.After(step.wait):
		}
	}
	return errors.New("the server does not end")
}

func (p *process) stopWatchdog() error {
	if p.watchdog == nil || p.watchdog.Process == nil {
		return nil
	}
	// Before its input closes: the server's process id is no longer ours.
	_ = p.watchdog.Process.Signal(os.Kill)
	_ = p.watchdog.Wait()
	_ = p.alive.Close()
	return nil
}
