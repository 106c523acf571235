package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"docqa/internal/platform/sandbox"
	"docqa/internal/testkit/sandboxtest"
)

// TestMain makes the test binary the program that Run starts: "sandbox" is the wrapper, every
// other command is a child that misbehaves in one way.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		os.Exit(child(os.Args[1], os.Args[2:]))
	}
	os.Exit(m.Run())
}

func child(command string, args []string) int {
	switch command {
	case "sandbox":
		return sandbox.Main(args, os.Stderr)
	case "host":
		if err := host(args); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 96
		}
		return 0
	case "host-sleep":
		if err := hostSleep(args[0], args[1]); err != nil {
			return 96
		}
		return 0
	case "attack-unconfined":
		return attackAll(args[0], os.Stdout)
	}
	share, err := sandbox.Confine(args[0])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
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
	case "both":
		return eatBoth(share, args[1], args[2:])
	case "attack":
		return attackAll(args[1], os.Stdout)
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
		code int // anyCode: the program decides
	}{
		{name: "hands over input and output", cmd: sandbox.Cmd{Path: "/bin/cat", Stdin: strings.NewReader("hello")}, want: "hello"},
		{name: "has an empty environment", cmd: sandbox.Cmd{Path: "/usr/bin/env"}, want: ""},
		{name: "reports an exit code", cmd: sandbox.Cmd{Path: "/bin/sh", Args: []string{"-c", "echo no >&2; exit 3"}}, code: 3},
		{name: "stops a sleeper", cmd: sandbox.Cmd{Path: "/bin/sleep", Args: []string{"60"}, Limits: sandbox.Limits{Duration: 200 * time.Millisecond}}, err: sandbox.ErrTimeout},
		{name: "stops a whole family", cmd: sandbox.Cmd{Path: "/bin/sh", Args: []string{"-c", "sleep 60 & sleep 60"}, Reads: []string{"/bin/sleep"}, Limits: sandbox.Limits{Duration: 200 * time.Millisecond, Program: 64 << 20}}, err: sandbox.ErrTimeout},
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

func TestRunner_Run_stopsWithItsContext(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := r.Run(ctx, sandbox.Cmd{Path: "/bin/sh", Args: []string{"-c", "echo ready; exec sleep 60"}, Reads: []string{"/bin/sleep"}}, func(out io.Reader) error {
		_, err := out.Read(make([]byte, 8))
		cancel()
		return err
	})
	require.ErrorIs(t, err, context.Canceled)
}

// TestRunner_Run_endsWhatIsLeft: when a child has ended without error, the processes that it
// started are ended too.
func TestRunner_Run_endsWhatIsLeft(t *testing.T) {
	t.Parallel()
	r, _ := newRunner(t)
	mark := mark(1)
	err := r.Run(t.Context(), sandbox.Cmd{
		Path: "/bin/sh", Args: []string{"-c", "sleep " + mark + " >/dev/null 2>&1 & exit 0"}, Reads: []string{"/bin/sleep"},
		Limits: sandbox.Limits{Program: 64 << 20},
	}, drain)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return !sleeping(t, mark) }, time.Minute, 10*time.Millisecond)
}

// TestRunner_Run_diesWithItsParent: the child ends even if its parent is killed.
func TestRunner_Run_diesWithItsParent(t *testing.T) {
	t.Parallel()
	for i, without := range []string{"", sandboxtest.Namespaces, sandboxtest.Landlock} {
		t.Run("without "+without, func(t *testing.T) {
			t.Parallel()
			self, err := os.Executable()
			require.NoError(t, err)
			mark := mark(2 + i)
			cmd := exec.CommandContext(t.Context(), self, "host-sleep", mark, without)
			cmd.Dir = t.TempDir()
			require.NoError(t, cmd.Start())
			require.Eventually(t, func() bool { return sleeping(t, mark) }, time.Minute, 10*time.Millisecond)
			require.NoError(t, cmd.Process.Kill())
			require.Error(t, cmd.Wait())
			require.Eventually(t, func() bool { return !sleeping(t, mark) }, time.Minute, 10*time.Millisecond)
		})
	}
}

// hostSleep is a service whose child sleeps.
func hostSleep(mark, without string) error {
	if without != "" {
		if err := sandboxtest.Without(without); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	return sandbox.New(self, ".").Run(context.Background(), sandbox.Cmd{Path: "/bin/sleep", Args: []string{mark}, Limits: sandbox.Limits{Duration: time.Hour}}, drain)
}

// mark is a duration of sleep by which this process finds the sleeping programs of its tests.
func mark(n int) string { return fmt.Sprintf("%d%d", 1000+n, os.Getpid()) }

// sleeping tells whether a program sleeps for the duration mark.
func sleeping(t *testing.T, mark string) bool {
	t.Helper()
	running, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, name := range running {
		if line, _ := os.ReadFile(name); strings.HasSuffix(string(line), "sleep\x00"+mark+"\x00") && !strings.Contains(string(line), "sandbox") {
			return true
		}
	}
	return false
}

// eatBoth uses as much memory as it can get, beside a program that does the same, and prints
// the maximum of each, in bytes.
func eatBoth(share sandbox.Share, program string, args []string) int {
	cmd := share.Program(program, args...)
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 95
	}
	const piece = 1 << 20
	var last []byte
	for {
		data, err := unix.Mmap(-1, 0, piece, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			break
		}
		for i := 0; i < piece; i += 4096 {
			data[i] = 1
		}
		last = data
	}
	_ = unix.Munmap(last) // frees address space for the lines below
	_ = cmd.Wait()        // the program ends when it cannot get more
	var own unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &own); err != nil {
		return 94
	}
	beside, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	fmt.Println(own.Maxrss<<10, beside.Maxrss<<10)
	return 0
}

// TestRunner_Run_boundsTheTree: the memory limit applies to the child and its program
// together.
func TestRunner_Run_boundsTheTree(t *testing.T) {
	t.Parallel()
	const memory, program = 512<<20 + detector, 128 << 20
	r, _ := newRunner(t)
	var own, beside int64
	err := r.Run(t.Context(), sandbox.Cmd{
		Args: []string{"both", "/usr/bin/tail", "/dev/zero"}, Reads: []string{"/usr/bin/tail", "/dev/zero"},
		Limits: sandbox.Limits{Memory: memory, Program: program},
	}, func(out io.Reader) error {
		_, err := fmt.Fscan(out, &own, &beside)
		return err
	})
	require.NoError(t, err)
	t.Logf("the child had %d MB, its program %d MB", own>>20, beside>>20)
	require.LessOrEqual(t, own+beside, int64(memory))
	require.LessOrEqual(t, beside, int64(program+8<<20), "its own files come on top")
	require.Greater(t, beside, int64(program/2), "the program took what it could")
	require.Greater(t, own, int64(memory-detector-program)/2, "the child took what it could")
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
