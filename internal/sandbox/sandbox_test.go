package sandbox_test

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/sandbox"
)

// TestMain makes the test binary the program that Run starts: "sandbox" is the
// wrapper, every other command a child that misbehaves in its own way.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		os.Exit(child(os.Args[1], os.Args[2:]))
	}
	os.Exit(m.Run())
}

func child(command string, args []string) int {
	if command == "sandbox" {
		return sandbox.Main(args, os.Stderr)
	}
	if err := sandbox.Confine(args[0]); err != nil {
		return 99
	}
	switch command {
	case "eat":
		for kept := []byte{1}; ; {
			kept = append(kept, kept...)
		}
	case "spin":
		for n := 0; ; n++ {
			_ = n
		}
	case "dial":
		c, err := net.DialTimeout("tcp", args[1], time.Second)
		if err != nil {
			return 7
		}
		_ = c.Close()
		return 0
	case "write":
		if err := os.WriteFile("big", make([]byte, 2<<20), 0o600); err != nil {
			return 7
		}
		return 0
	}
	return 98
}

// anyCode stands for any exit code but 0.
const anyCode = -2

func newRunner(t *testing.T) (r *sandbox.Runner, scratch string) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	scratch = t.TempDir()
	return sandbox.New(self, scratch), scratch
}

func TestRunner_Run(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		cmd  sandbox.Cmd
		want string
		err  error
		code int // anyCode = whatever the program makes of it
	}{
		{name: "hands over input and output", cmd: sandbox.Cmd{Path: "/bin/cat", Stdin: strings.NewReader("hello")}, want: "hello"},
		{name: "has an empty environment", cmd: sandbox.Cmd{Path: "/usr/bin/env"}, want: ""},
		{name: "reports an exit code", cmd: sandbox.Cmd{Path: "/bin/sh", Args: []string{"-c", "echo no >&2; exit 3"}}, code: 3},
		{name: "stops a sleeper", cmd: sandbox.Cmd{Path: "/bin/sleep", Args: []string{"60"}, Limits: sandbox.Limits{Wall: 200 * time.Millisecond}}, err: sandbox.ErrTimeout},
		{name: "stops a whole family", cmd: sandbox.Cmd{Path: "/bin/sh", Args: []string{"-c", "sleep 60 & sleep 60"}, Limits: sandbox.Limits{Wall: 200 * time.Millisecond}}, err: sandbox.ErrTimeout},
		{name: "stops a busy loop", cmd: sandbox.Cmd{Args: []string{"spin"}, Limits: sandbox.Limits{CPU: time.Second}}, err: sandbox.ErrTimeout},
		{name: "stops a torrent", cmd: sandbox.Cmd{Path: "/usr/bin/yes", Limits: sandbox.Limits{Output: 1 << 20}}, err: sandbox.ErrOutput},
		{name: "bounds memory", cmd: sandbox.Cmd{Args: []string{"eat"}, Limits: sandbox.Limits{Memory: 128 << 20}}, code: anyCode},
		{name: "bounds files", cmd: sandbox.Cmd{Args: []string{"write"}, Limits: sandbox.Limits{FileSize: 1 << 20}}, code: 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, scratch := newRunner(t)
			var got []byte
			err := r.Run(t.Context(), tt.cmd, func(out io.Reader) error {
				var err error
				got, err = io.ReadAll(out)
				return err
			})
			switch {
			case tt.err != nil:
				require.ErrorIs(t, err, tt.err)
			case tt.code != 0:
				var exit *sandbox.ExitError
				require.ErrorAs(t, err, &exit)
				if tt.code != anyCode {
					require.Equal(t, tt.code, exit.Code)
				}
			default:
				require.NoError(t, err)
				require.Equal(t, tt.want, string(got))
			}
			left, err := filepath.Glob(filepath.Join(scratch, "*"))
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

func TestRunner_Run_hasNoNetwork(t *testing.T) {
	t.Parallel()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	r, _ := newRunner(t)
	if !r.Apart(t.Context()) {
		t.Log("this kernel allows no namespaces: the child keeps the network")
		return
	}
	err = r.Run(t.Context(), sandbox.Cmd{Args: []string{"dial", l.Addr().String()}}, drain)
	var exit *sandbox.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 7, exit.Code)
}

func TestRunner_Run_stopsWithItsContext(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := r.Run(ctx, sandbox.Cmd{Path: "/bin/sh", Args: []string{"-c", "echo ready; sleep 60"}}, func(out io.Reader) error {
		_, err := out.Read(make([]byte, 8))
		cancel()
		return err
	})
	require.ErrorIs(t, err, context.Canceled)
}

func drain(out io.Reader) error {
	_, err := io.Copy(io.Discard, out)
	return err
}

func BenchmarkRunner_Run(b *testing.B) {
	self, err := os.Executable()
	require.NoError(b, err)
	r := sandbox.New(self, b.TempDir())
	for b.Loop() {
		require.NoError(b, r.Run(b.Context(), sandbox.Cmd{Path: "/bin/true"}, drain))
	}
}
