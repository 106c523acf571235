package postgres

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// place prepares dir for a cluster and returns its real path. If only root can enter dir, dir
// becomes a link to a folder in /var/tmp.
func place(dir string, as account) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o755); err != nil { //nolint:gosec // the server's user must pass through
		return "", err
	}
	actual := dir
	if target, err := os.Readlink(dir); err == nil {
		actual = target
	} else if !as.reaches(parent) {
		if actual, err = elsewhere(dir); err != nil {
			return "", err
		}
	}
	if err := ownFolder(actual, as); err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(actual) // as the kernel names it
}

// elsewhere makes a folder in /var/tmp that is named after dir, and dir a link to it.
func elsewhere(dir string) (string, error) {
	sum := sha256.Sum256([]byte(dir))
	top := filepath.Join("/var/tmp", "docqa-"+hex.EncodeToString(sum[:6]))
	if err := os.Mkdir(top, 0o755); err != nil && !errors.Is(err, os.ErrExist) { //nolint:gosec // see place
		return "", err
	}
	if err := checkOwner(top, os.Geteuid()); err != nil {
		return "", err
	}
	if _, err := os.Stat(dir); err == nil {
		return "", fmt.Errorf("only root can enter %s: move it away, so that a link can take its place", dir)
	}
	actual := filepath.Join(top, filepath.Base(dir))
	return actual, os.Symlink(actual, dir)
}

// ownFolder makes sure that dir is a folder of the account that others cannot enter.
func ownFolder(dir string, as account) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int(stat.Uid) == os.Geteuid() && info.IsDir() {
		return errors.Join(os.Chmod(dir, 0o700), as.own(dir)) //nolint:gosec // a folder
	}
	return checkOwner(dir, as.uid)
}

// checkOwner refuses a link and a folder of another user.
func checkOwner(dir string, uid int) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || int(stat.Uid) != uid {
		return fmt.Errorf("%s belongs to another user: remove it", dir)
	}
	return nil
}

// lockFile opens path and locks it. how is syscall.LOCK_SH or LOCK_EX, with or without
// LOCK_NB. The lock ends when the file is closed or the program ends.
func lockFile(path string, how int) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), how); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
