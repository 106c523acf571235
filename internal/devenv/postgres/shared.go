package postgres

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"docqa/internal/devenv/pgbin"
)

//go:embed supervise.sh
var supervise string

// Shared returns the superuser's URL of the cluster that all test programs of this machine and
// user share, and starts the cluster if it does not run. A server for each test program would
// cost a second each.
//
// The process counts as a user of the cluster until it ends. The cluster is removed when it has
// no user and the `go test` that started it has ended. It listens on a socket only, and its
// settings would lose data in a power cut.
func Shared(ctx context.Context, bin pgbin.Install) (string, error) {
	as, err := serverAccount()
	if err != nil {
		return "", err
	}
	name := fnv.New32a()
	_, _ = name.Write([]byte(bin.Bin))
	// A socket's path has at most 107 bytes, so it is not below the folder for temporary files.
	return shared(ctx, fmt.Sprintf("/tmp/docqa-test-%d-%08x", os.Geteuid(), name.Sum32()), bin, as)
}

func shared(ctx context.Context, dir string, bin pgbin.Install, as account) (string, error) {
	if err := ownFolder(dir, as); err != nil {
		return "", err
	}
	start, err := lockFile(filepath.Join(dir, "start"), syscall.LOCK_EX)
	if err != nil {
		return "", err
	}
	defer start.Close()
	if err := use(filepath.Join(dir, "users"), as); err != nil {
		return "", err
	}
	address := (&url.URL{Scheme: "postgres", User: url.User(superuser), Path: "/" + superuser, RawQuery: url.Values{
		"host": {dir}, "sslmode": {"disable"},
	}.Encode()}).String()
	if supervised(dir) {
		err := poll(ctx, time.Minute, func() bool { return ping(ctx, address) == nil || !supervised(dir) })
		if err != nil {
			return "", fmt.Errorf("the test cluster in %s does not answer: %w", dir, err)
		}
	}
	if supervised(dir) {
		return address, nil
	}
	return address, startShared(ctx, dir, address, bin, as)
}

// use takes a shared lock on the file until this process ends.
func use(path string, as account) error {
	fd, err := syscall.Open(path, syscall.O_RDWR|syscall.O_CREAT|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	// A plain descriptor, because an *os.File is closed when it is garbage.
	return errors.Join(as.own(path), syscall.Flock(fd, syscall.LOCK_SH))
}

// supervised tells whether the supervisor runs, which stops the server.
func supervised(dir string) bool {
	lock, err := lockFile(filepath.Join(dir, "running"), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		_ = lock.Close()
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

func startShared(ctx context.Context, dir, address string, bin pgbin.Install, as account) error {
	data := filepath.Join(dir, "data")
	if err := clearLeftovers(ctx, data); err != nil {
		return err
	}
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	if err := initialise(ctx, bin, as, data, "--auth", "trust", "--no-sync"); err != nil {
		return err
	}
	for _, name := range []string{"start", "running"} {
		if err := as.own(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := launchSupervisor(ctx, dir, data, bin, as); err != nil {
		return err
	}
	var last error
	if err := poll(ctx, 30*time.Second, func() bool { last = ping(ctx, address); return last == nil }); err != nil {
		text, _ := os.ReadFile(filepath.Join(dir, "log"))
		return fmt.Errorf("the test cluster does not start: %w\n%s", errors.Join(err, last), text)
	}
	return nil
}

func launchSupervisor(ctx context.Context, dir, data string, bin pgbin.Install, as account) error {
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	if err := as.own(log.Name()); err != nil {
		return err
	}
	settings := append(append([]string{"listen_addresses=", "unix_socket_directories=" + dir}, throwAway()...), common()...)
	args := append([]string{"-c", supervise, "supervise", dir, strconv.Itoa(goCommand()), bin.Path("postgres")}, arguments(data, settings)...)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), "/bin/sh", args...)
	cmd.Env = environment(bin)
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: as.credential}
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

// goCommand returns the process id of the go command if it started this process, else 0.
func goCommand() int {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", os.Getppid()))
	if err != nil || strings.TrimSpace(string(name)) != "go" {
		return 0
	}
	return os.Getppid()
}
