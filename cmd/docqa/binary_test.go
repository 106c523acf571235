package main_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/sandboxtest"
)

// binary is the program that these tests run, built once for all of them.
var binary struct {
	once sync.Once
	dir  string
	path string
	err  error
}

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "without" {
		fmt.Fprintln(os.Stderr, without(os.Args[2], os.Args[3:]))
		os.Exit(99)
	}
	blobtest.Main(m, func() { _ = os.RemoveAll(binary.dir) })
}

// without runs the program args without the named parts: the kernel refuses them to it.
func without(parts string, args []string) error {
	if err := sandboxtest.Without(strings.Split(parts, ",")...); err != nil {
		return err
	}
	return syscall.Exec(args[0], args, os.Environ())
}

// program builds the service as `make build` does, with cgo where there is a C compiler,
// and returns its path.
func program(t *testing.T) string {
	t.Helper()
	binary.once.Do(func() {
		if binary.dir, binary.err = os.MkdirTemp("", "docqa-program-"); binary.err != nil { //nolint:usetesting // it is used longer than the test that builds it runs
			return
		}
		binary.path = filepath.Join(binary.dir, "docqa")
		build := exec.CommandContext(context.WithoutCancel(t.Context()), "go", "build", "-ldflags", "-s -w", "-o", binary.path, ".")
		out, err := build.CombinedOutput()
		if err != nil {
			binary.err = fmt.Errorf("build the program: %w\n%s", err, out)
		}
	})
	require.NoError(t, binary.err)
	return binary.path
}

// ended is the result of a run of the program.
type ended struct {
	code   int
	out    string
	errOut string
}

// lines are the lines of standard error that are not log lines.
func (e ended) lines() []string {
	all := strings.Split(strings.TrimRight(e.errOut, "\n"), "\n")
	return slices.DeleteFunc(all, func(line string) bool { return line == "" || strings.HasPrefix(line, "{") })
}

// run runs the program to its end. Its environment holds only the settings.
func run(t *testing.T, settings map[string]string, args ...string) ended {
	t.Helper()
	cmd := command(t, settings, args...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); !ok {
		require.NoError(t, err)
	} else {
		require.True(t, exit.Exited(), "the program was killed: %s", errOut.String())
	}
	return ended{code: cmd.ProcessState.ExitCode(), out: out.String(), errOut: errOut.String()}
}

// command returns the command of the program, with a time limit.
func command(t *testing.T, settings map[string]string, args ...string) *exec.Cmd {
	t.Helper()
	path := program(t) // the time of the build does not count
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env, cmd.Dir = []string{}, t.TempDir()
	for name, value := range settings {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	return cmd
}
