package postgres

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/devenv/pgbin"
)

// TestMain makes the test program also the parent of a cluster, which a test can kill: it
// starts what the variable names, prints its address, and waits.
func TestMain(m *testing.M) {
	kind, dir, _ := strings.Cut(os.Getenv("DOCQA_TEST_PARENT"), ":")
	if kind == "" {
		os.Exit(m.Run())
	}
	address, err := playParent(context.Background(), kind, dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, address)
	_, _ = io.Copy(io.Discard, os.Stdin)
	os.Exit(0)
}

func playParent(ctx context.Context, kind, dir string) (string, error) {
	bin, err := pgbin.Find(ctx, pgbin.ProjectRoot("."), os.Getenv("PG_BIN"))
	if err != nil {
		return "", err
	}
	if kind == "shared" {
		as, err := serverAccount()
		if err != nil {
			return "", err
		}
		return shared(ctx, dir, bin, as)
	}
	server, err := Start(ctx, Options{Dir: dir, Bin: bin, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return "", err
	}
	return server.URL(superuser), nil
}

// parent is a program of its own that uses a cluster.
type parent struct {
	cmd     *exec.Cmd
	stdin   io.Closer
	address string
}

func startParent(t *testing.T, kind, dir string) *parent {
	t.Helper()
	wd, err := os.Getwd()
	require.NoError(t, err)
	program, err := os.Executable()
	require.NoError(t, err)
	p := &parent{cmd: exec.CommandContext(t.Context(), program)}
	p.cmd.Dir = pgbin.ProjectRoot(wd)
	p.cmd.Env = append(os.Environ(), "DOCQA_TEST_PARENT="+kind+":"+dir)
	p.cmd.Stderr = os.Stderr
	p.stdin, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	p.address = strings.TrimSpace(line)
	return p
}

func (p *parent) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Kill())
	require.Error(t, p.cmd.Wait())
}

func options(t *testing.T, dir string) Options {
	t.Helper()
	wd, err := os.Getwd()
	require.NoError(t, err)
	bin, err := pgbin.Find(t.Context(), pgbin.ProjectRoot(wd), os.Getenv("PG_BIN"))
	require.NoError(t, err)
	return Options{Dir: dir, Bin: bin, Logger: slog.New(slog.DiscardHandler)}
}

// clusterDir is a short folder that the server's user can reach.
func clusterDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "docqa-pg-") //nolint:usetesting // the server's user cannot enter t.TempDir
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	require.NoError(t, os.Chmod(dir, 0o755))
	return filepath.Join(dir, "pg")
}

func start(t *testing.T, opts Options) *Server {
	t.Helper()
	server, err := Start(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	return server
}

func query(t *testing.T, address, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var value string
	require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&value))
	return value
}

// keep writes data that a later start must find again.
func keep(t *testing.T, address string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(t.Context(), "create extension vector; create table kept as select '[1]'::vector::text as answer")
	require.NoError(t, err)
}

func TestClusterIsKept(t *testing.T) {
	t.Parallel()
	opts := options(t, clusterDir(t))
	first, err := Start(t.Context(), opts)
	require.NoError(t, err)
	require.NoError(t, first.EnsureDatabase(t.Context(), "docqa"))
	require.NoError(t, first.EnsureDatabase(t.Context(), "docqa"))
	keep(t, first.URL("docqa"))
	require.Equal(t, "on", query(t, first.URL("docqa"), "show fsync"))

	_, err = Start(t.Context(), opts)
	require.ErrorIs(t, err, ErrInUse)

	require.NoError(t, first.Stop())
	<-first.Done()
	require.NoError(t, first.Stop())

	second := start(t, opts)
	require.Equal(t, first.URL("docqa"), second.URL("docqa"))
	require.Equal(t, "[1]", query(t, second.URL("docqa"), "select answer from kept"))
}

func TestClusterNeedsItsPassword(t *testing.T) {
	t.Parallel()
	opts := options(t, clusterDir(t))
	server := start(t, opts)
	info, err := os.Stat(filepath.Join(opts.Dir, "password"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	wrong := strings.Replace(server.URL(superuser), server.password, "wrong", 1)
	require.ErrorContains(t, ping(t.Context(), wrong), "password authentication failed")
}

func TestIncompleteFolderIsReplaced(t *testing.T) {
	t.Parallel()
	opts := options(t, clusterDir(t))
	require.NoError(t, os.MkdirAll(filepath.Join(opts.Dir, "data", "base"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(opts.Dir, "data", "PG_VERSION"), []byte("15\n"), 0o600))
	require.NoError(t, os.MkdirAll(filepath.Join(opts.Dir, "init-killed", "data"), 0o700))

	require.NoError(t, ping(t.Context(), start(t, opts).URL(superuser)))
	require.NoDirExists(t, filepath.Join(opts.Dir, "init-killed"))
}

func TestStalePidFileAndTakenPort(t *testing.T) {
	t.Parallel()
	opts := options(t, clusterDir(t))
	first, err := Start(t.Context(), opts)
	require.NoError(t, err)
	require.NoError(t, first.Stop())

	// As after a power failure: the pid file exists, and its number is that of another
	// process.
	stale := fmt.Sprintf("%d\n%s\n1\n%d\n\n127.0.0.1\n0 0\nready\n", os.Getpid(), filepath.Join(opts.Dir, "data"), first.port)
	require.NoError(t, os.WriteFile(filepath.Join(opts.Dir, "data", "postmaster.pid"), []byte(stale), 0o600))
	var config net.ListenConfig
	busy, err := config.Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(first.port)))
	require.NoError(t, err)
	defer busy.Close()

	second := start(t, opts)
	require.NotEqual(t, first.port, second.port)
}

func TestNothingOutlivesAKilledParent(t *testing.T) {
	t.Parallel()
	opts := options(t, clusterDir(t))
	killed := startParent(t, "kept", opts.Dir)
	keep(t, killed.address)
	data := filepath.Join(opts.Dir, "data")
	require.NotEmpty(t, workingIn(data))

	killed.kill(t)
	require.NoError(t, poll(t.Context(), 2*time.Minute, func() bool { return len(workingIn(data)) == 0 }))
	require.Equal(t, "[1]", query(t, start(t, opts).URL(superuser), "select answer from kept"))
}

func TestStartRightAfterAKill(t *testing.T) {
	t.Parallel()
	opts := options(t, clusterDir(t))
	startParent(t, "kept", opts.Dir).kill(t)
	require.NoError(t, ping(t.Context(), start(t, opts).URL(superuser)))
}

func TestSharedClusterLivesAsLongAsItsUsers(t *testing.T) {
	t.Parallel()
	dir := clusterDir(t)
	first := startParent(t, "shared", dir)
	second := startParent(t, "shared", dir)
	require.Equal(t, first.address, second.address)
	require.Equal(t, "off", query(t, first.address, "show fsync"))
	data := filepath.Join(dir, "data")

	first.kill(t)
	require.Equal(t, "1", query(t, second.address, "select 1::text"))
	require.NoError(t, second.stdin.Close())
	require.NoError(t, second.cmd.Wait())
	require.NoError(t, poll(t.Context(), 2*time.Minute, func() bool { return len(workingIn(data)) == 0 && !supervised(dir) }))
	require.NoDirExists(t, data)

	again := startParent(t, "shared", dir)
	require.Equal(t, "1", query(t, again.address, "select 1::text"))
	again.kill(t)
	require.NoError(t, poll(t.Context(), 2*time.Minute, func() bool { return !supervised(dir) }))
}
