package pgbin

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ErrMissing is returned if no usable PostgreSQL is found.
var ErrMissing = errors.New("no PostgreSQL >= 15 with pgvector >= 0.8 found: run tools/setup.sh, or set PG_BIN or DATABASE_URL")

// Install is a folder of PostgreSQL programs.
type Install struct {
	// Bin has postgres and initdb.
	Bin string
	// Lib has the shared libraries of a private copy; empty for the programs of the system.
	Lib string
}

// Path returns the path of one of the programs.
func (i Install) Path(program string) string { return filepath.Join(i.Bin, program) }

// Env returns the variables that the programs need beside the usual ones.
func (i Install) Env() []string {
	if i.Lib == "" {
		return nil
	}
	return []string{"LD_LIBRARY_PATH=" + i.Lib}
}

// Find returns the programs in bin if bin is not empty, else the newest usable ones: of the
// private copy of the project at root, else of the system. The error wraps ErrMissing if there
// are none.
func Find(ctx context.Context, root, bin string) (Install, error) {
	if bin != "" {
		found := at(bin)
		if !found.usable(ctx) {
			return Install{}, fmt.Errorf("PG_BIN=%s: %w", bin, ErrMissing)
		}
		return found, nil
	}
	root, err := filepath.Abs(root)
	if err != nil {
		return Install{}, err
	}
	for _, dir := range candidates(root) {
		if found := at(dir); found.usable(ctx) {
			return found, nil
		}
	}
	return Install{}, ErrMissing
}

// ProjectRoot returns the folder at or above dir that holds go.mod, or dir.
func ProjectRoot(dir string) string {
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func candidates(root string) []string {
	home := filepath.Join(root, ".pg")
	if actual, err := filepath.EvalSymlinks(home); err == nil {
		home = actual // only root can reach the project: setup.sh left a link
	}
	var dirs []string
	for _, pattern := range []string{
		filepath.Join(home, "root/usr/lib/postgresql/*/bin"),
		"/usr/lib/postgresql/*/bin",
		"/opt/homebrew/opt/postgresql@*/bin",
		"/usr/local/opt/postgresql@*/bin",
		"/usr/pgsql-*/bin",
	} {
		found, _ := filepath.Glob(pattern)
		slices.Reverse(found)
		dirs = append(dirs, found...)
	}
	return dirs
}

// at describes the programs in bin. A private copy is a tree that was not unpacked at the root;
// it has the libraries that the machine did not have.
func at(bin string) Install {
	tree, _, packaged := strings.Cut(bin, "/usr/lib/postgresql/")
	if !packaged || tree == "" {
		return Install{Bin: bin}
	}
	libs, _ := filepath.Glob(filepath.Join(tree, "usr/lib/*-linux-*"))
	if len(libs) == 0 {
		return Install{Bin: bin}
	}
	return Install{Bin: bin, Lib: libs[0]}
}

func (i Install) usable(ctx context.Context) bool {
	if _, err := os.Stat(i.Path("initdb")); err != nil {
		return false
	}
	version, err := i.output(ctx, "postgres", "--version")
	if err != nil || !atLeast(version, 15, 0) {
		return false
	}
	share, err := i.output(ctx, "pg_config", "--sharedir")
	if err != nil {
		return false
	}
	control, err := os.ReadFile(filepath.Join(share, "extension/vector.control"))
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(control), "default_version")
	line, _, _ := strings.Cut(after, "\n")
	return atLeast(line, 0, 8)
}

func (i Install) output(ctx context.Context, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, i.Path(program), args...)
	cmd.Env = append(os.Environ(), i.Env()...)
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// atLeast tells whether the first number in text, such as "15.18" or "18beta1", is at least
// major.minor.
func atLeast(text string, major, minor int) bool {
	start := strings.IndexAny(text, "0123456789")
	if start < 0 {
		return false
	}
	have, rest := number(text[start:])
	if have != major {
		return have > major
	}
	second, _ := number(strings.TrimPrefix(rest, "."))
	return second >= minor
}

func number(text string) (value int, rest string) {
	end := strings.IndexFunc(text, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(text)
	}
	value, _ = strconv.Atoi(text[:end])
	return value, text[end:]
}
