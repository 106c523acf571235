package s3

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"docqa/internal/devenv/loopback"
)

const region = "us-east-1"

// Options says which storage to run.
type Options struct {
	// Dir is where objects and keys are stored; Start creates it.
	Dir  string
	Port loopback.Port
	// Bucket is created if it is missing.
	Bucket string
	// Origins are the web origins whose pages may use presigned URLs.
	Origins []string
	// Command and Env start a process that calls Child: this program itself.
	Command []string
	Env     []string
}

// Server is a running storage.
type Server struct {
	keys
	port  int
	cmd   *exec.Cmd
	alive io.Closer
	done  chan struct{}
	err   error
}

// keys are the keys of the storage's only account.
type keys struct {
	AccessKey string `json:"accessKey"`
	SecretKey string `json:"secretKey"`
}

// Start runs the storage in a child process and returns when its bucket is ready. The child
// ends with Stop or with this process.
func Start(ctx context.Context, opts Options) (_ *Server, err error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	s := &Server{done: make(chan struct{})}
	if s.keys, err = loadKeys(filepath.Join(dir, "keys.json")); err != nil {
		return nil, err
	}
	if s.port, err = loopback.FreePort(ctx, opts.Port); err != nil {
		return nil, err
	}
	if err := s.launch(ctx, dir, opts); err != nil {
		return nil, err
	}
	if err := s.await(ctx, opts); err != nil {
		return nil, errors.Join(err, s.Stop(), s.lastLog(dir))
	}
	return s, nil
}

func (s *Server) launch(ctx context.Context, dir string, opts Options) error {
	log, err := os.OpenFile(filepath.Join(dir, "log"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	want, err := json.Marshal(setup{
		Dir: dir, Address: loopback.Addr(s.port), Region: region, AccessKey: s.AccessKey, SecretKey: s.SecretKey,
	})
	if err != nil {
		return err
	}
	s.cmd = exec.CommandContext(context.WithoutCancel(ctx), opts.Command[0], opts.Command[1:]...)
	s.cmd.Env = append(os.Environ(), opts.Env...)
	s.cmd.Stdout, s.cmd.Stderr = log, log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C must reach the parent only
	stdin, err := s.cmd.StdinPipe()
	if err != nil {
		return err
	}
	s.alive = stdin
	if err := s.cmd.Start(); err != nil {
		return err
	}
	go func() {
		s.err = s.cmd.Wait()
		close(s.done)
	}()
	_, err = stdin.Write(want)
	return err
}

// await returns when the bucket exists and its rules are set.
func (s *Server) await(ctx context.Context, opts Options) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := s.prepareBucket(ctx, opts)
		if err == nil {
			return nil
		}
		select {
		case <-s.done:
			return fmt.Errorf("the object storage ended: %w", errors.Join(s.err, err))
		case <-ctx.Done():
			return fmt.Errorf("the object storage does not answer: %w", err)
		case <-tick.C:
		}
	}
}

func (s *Server) lastLog(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		return err
	}
	return errors.New(string(text[max(0, len(text)-2000):]))
}

// Endpoint returns the storage's address, without a path.
func (s *Server) Endpoint() string { return "http://" + loopback.Addr(s.port) }

// Port returns the port that the storage listens on.
func (s *Server) Port() int { return s.port }

// Region returns the region that signatures name.
func (s *Server) Region() string { return region }

// Done is closed when the server has ended, by Stop or by itself.
func (s *Server) Done() <-chan struct{} { return s.done }

// Stop ends the server. It may be called again.
func (s *Server) Stop() error {
	_ = s.alive.Close()
	select {
	case <-s.done:
		return nil
	case <-time.After(10 * time.Second):
	}
	_ = s.cmd.Process.Kill()
	<-s.done
	return errors.New("the object storage had to be killed")
}

// loadKeys reads the keys; the first start makes them.
func loadKeys(path string) (keys, error) {
	var have keys
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &have)
	}
	if err == nil && have.AccessKey != "" && have.SecretKey != "" {
		return have, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return keys{}, fmt.Errorf("%s: %w", path, err)
	}
	have = keys{AccessKey: rand.Text()[:20], SecretKey: rand.Text() + rand.Text()[:14]}
	text, err = json.Marshal(have)
	if err != nil {
		return keys{}, err
	}
	return have, os.WriteFile(path, text, 0o600)
}
