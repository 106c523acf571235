package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// clearLeftovers ends the processes of an earlier server that still use data, and removes its
// pid file. The file alone proves nothing: its number may belong to another process by now,
// and the new server would refuse to start because of it.
func clearLeftovers(ctx context.Context, data string) error {
	pidFile := filepath.Join(data, "postmaster.pid")
	text, err := os.ReadFile(pidFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	postmaster, _ := strconv.Atoi(strings.TrimSpace(first))
	for _, step := range shutdown(10*time.Second, 3*time.Second) {
		for _, pid := range workingIn(data) {
			// SIGINT makes the server stop its children itself.
			if pid == postmaster || step.signal != syscall.SIGINT {
				_ = syscall.Kill(pid, step.signal)
			}
		}
		gone := func() bool { return len(workingIn(data)) == 0 }
		if err := poll(ctx, step.wait, gone); err == nil {
			if err := os.Remove(pidFile); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
			return nil
		}
	}
	return fmt.Errorf("processes %v still use %s", workingIn(data), data)
}

// workingIn returns the processes whose working folder is data: a server and its children.
// Without /proc it finds none; then only the server's own check of its pid file helps.
func workingIn(data string) []int {
	links, _ := filepath.Glob("/proc/[0-9]*/cwd")
	var pids []int
	for _, link := range links {
		if at, err := os.Readlink(link); err != nil || at != data {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// poll calls done every few milliseconds until it returns true. The error is that of ctx, also
// if the limit is over.
func poll(ctx context.Context, limit time.Duration, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}
