package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/internal/devenv/loopback"
	"docqa/internal/devenv/pgbin"
)

// ErrInUse is returned if another program runs the cluster of this folder.
var ErrInUse = errors.New("the data folder is in use by another docqa dev")

// Options says which cluster to run.
type Options struct {
	// Dir is where the cluster is stored; Start creates it.
	Dir string
	// Bin holds PostgreSQL's programs.
	Bin pgbin.Install
	// Port to listen on. The number 0 stands for the port of the last start, or a free one if
	// that is taken.
	Port   loopback.Port
	Logger *slog.Logger
}

// Server is a running cluster.
type Server struct {
	dir      string
	password string
	port     int
	lock     *os.File
	process  *process
}

// Start runs the cluster in opts.Dir on 127.0.0.1 and creates it first if it is missing. The
// server ends with Stop or with this process. The error is ErrInUse if another process runs
// the cluster.
func Start(ctx context.Context, opts Options) (_ *Server, err error) {
	as, err := serverAccount()
	if err != nil {
		return nil, err
	}
	dir, err := place(opts.Dir, as)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(filepath.Join(dir, "lock"), syscall.LOCK_EX|syscall.LOCK_NB)
	if err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = fmt.Errorf("%s: %w", opts.Dir, ErrInUse)
		}
		return nil, err
	}
	s := &Server{dir: dir, lock: lock}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	if err := s.prepare(ctx, opts, as); err != nil {
		return nil, err
	}
	return s, s.launch(ctx, opts, as)
}

// prepare makes sure that the data folder is complete and that no process works in it.
func (s *Server) prepare(ctx context.Context, opts Options, as account) error {
	data := s.path("data")
	if !whole(data) {
		if _, err := os.Stat(data); err == nil {
			aside := s.path("incomplete-" + strings.ToLower(rand.Text()[:8]))
			opts.Logger.WarnContext(ctx, "the data folder is incomplete: moving it away", "folder", aside)
			if err := os.Rename(data, aside); err != nil {
				return err
			}
		}
		opts.Logger.InfoContext(ctx, "creating a database cluster", "folder", s.dir)
		if err := s.create(ctx, opts.Bin, as); err != nil {
			return err
		}
	}
	password, err := os.ReadFile(s.path("password"))
	if err != nil {
		return fmt.Errorf("the cluster's password is lost; remove %s to start with an empty cluster: %w", s.dir, err)
	}
	s.password = string(password)
	return clearLeftovers(ctx, data)
}

func (s *Server) create(ctx context.Context, bin pgbin.Install, as account) error {
	file := s.path("password")
	if err := os.WriteFile(file, []byte(rand.Text()), 0o600); err != nil {
		return err
	}
	if err := as.own(file); err != nil {
		return err
	}
	return initialise(ctx, bin, as, s.path("data"), "--pwfile", file, "--auth", "scram-sha-256", "--data-checksums")
}

// launch starts the server and waits until it answers.
func (s *Server) launch(ctx context.Context, opts Options, as account) error {
	if err := s.choosePort(ctx, opts.Port); err != nil {
		return err
	}
	log, err := os.OpenFile(s.path("log"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), opts.Bin.Path("postgres"), arguments(s.path("data"), append([]string{
		"listen_addresses=127.0.0.1", "port=" + strconv.Itoa(s.port), "unix_socket_directories=",
		"max_connections=100", "shared_buffers=128MB", "jit=off",
	}, common()...))...)
	cmd.Env = environment(opts.Bin)
	cmd.Dir = s.dir
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as.credential}
	if s.process, err = run(ctx, cmd); err != nil {
		return err
	}
	return s.await(ctx)
}

// choosePort sets the port and notes it for the next start.
func (s *Server) choosePort(ctx context.Context, want loopback.Port) (err error) {
	if want.Number == 0 {
		text, _ := os.ReadFile(s.path("port"))
		last, _ := strconv.Atoi(strings.TrimSpace(string(text)))
		want = loopback.Port{Number: last, Movable: true}
	}
	if s.port, err = loopback.FreePort(ctx, want); err != nil {
		return err
	}
	return os.WriteFile(s.path("port"), []byte(strconv.Itoa(s.port)), 0o600)
}

// await returns when the server answers, which takes longer after a crash.
func (s *Server) await(ctx context.Context) error {
	var last error
	err := poll(ctx, time.Minute, func() bool {
		select {
		case <-s.process.done:
			last = nil
			return true
		default:
		}
		last = ping(ctx, s.URL(superuser))
		return last == nil
	})
	select {
	case <-s.process.done:
		text, _ := os.ReadFile(s.path("log"))
		return fmt.Errorf("postgres ended: %w\n%s", s.process.err, text[max(0, len(text)-2000):])
	default:
	}
	if err != nil {
		return errors.Join(err, last)
	}
	return nil
}

// URL returns the address of a database of the cluster, as superuser.
func (s *Server) URL(database string) string {
	address := url.URL{
		Scheme: "postgres", User: url.UserPassword(superuser, s.password),
		Host: loopback.Addr(s.port), Path: "/" + database,
		RawQuery: "sslmode=disable",
	}
	return address.String()
}

// EnsureDatabase creates the database if it is missing.
func (s *Server) EnsureDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, s.URL(superuser))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var there bool
	if err := conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", name).Scan(&there); err != nil || there {
		return err
	}
	_, err = conn.Exec(ctx, "create database "+pgx.Identifier{name}.Sanitize())
	return err
}

// Done is closed when the server has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.process.done }

// Stop ends the server and frees the folder. It may be called again.
func (s *Server) Stop() error {
	var err error
	if s.process != nil {
		err = s.process.stop()
	}
	if closing := s.lock.Close(); !errors.Is(closing, os.ErrClosed) {
		err = errors.Join(err, closing)
	}
	return err
}

func (s *Server) path(name string) string { return filepath.Join(s.dir, name) }
