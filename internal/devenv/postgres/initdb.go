package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"docqa/internal/devenv/pgbin"
)

// superuser is the only role of a new cluster.
const superuser = "postgres"

// whole tells whether data is a complete data folder.
func whole(data string) bool {
	for _, name := range []string{"PG_VERSION", "global/pg_control", "postgresql.conf"} {
		if info, err := os.Stat(filepath.Join(data, name)); err != nil || info.Size() == 0 {
			return false
		}
	}
	return true
}

// initialise makes the data folder data by initdb. It works in a folder beside it and renames
// that at the end, so that a killed attempt leaves nothing that looks complete.
func initialise(ctx context.Context, bin pgbin.Install, as account, data string, args ...string) (err error) {
	dir := filepath.Dir(data)
	stale, _ := filepath.Glob(filepath.Join(dir, "init-*"))
	for _, attempt := range stale {
		if err := os.RemoveAll(attempt); err != nil {
			return err
		}
	}
	attempt, err := os.MkdirTemp(dir, "init-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(attempt)) }()
	if err := as.own(attempt); err != nil {
		return err
	}
	fresh := filepath.Join(attempt, "data")
	cmd := exec.CommandContext(ctx, bin.Path("initdb"), append([]string{
		"--pgdata", fresh, "--username", superuser, "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-instructions",
	}, args...)...)
	cmd.Env = environment(bin)
	cmd.Dir = attempt
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as.credential}
	dieWithParent(cmd.SysProcAttr)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return os.Rename(fresh, data)
}

// environment returns the variables of the programs. They do not inherit those of this
// process, which could change how they work.
func environment(bin pgbin.Install) []string {
	return append([]string{"PATH=/usr/bin:/bin", "HOME=/", "LC_ALL=C.UTF-8", "LC_MESSAGES=C", "TZ=GMT"}, bin.Env()...)
}
