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

// place makes dir ready to hold a cluster and returns where it really lies: where
// only root can reach dir, it becomes a link to a folder in /var/tmp.
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

// elsewhere moves dir to a folder in /var/tmp that is named after it, and leaves a
// link behind.
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
		return "", fmt.Errorf("only root can reach %s: move it away, so that its place can be taken by a link", dir)
	}
	actual := filepath.Join(top, filepath.Base(dir))
	return actual, os.Symlink(actual, dir)
}

// ownFolder makes sure that dir is a folder of the account's, closed to others.
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

// checkOwner refuses a folder that somebody else made or that is a link.
func checkOwner(dir string, uid int) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || !info.IsDir() || int(stat.Uid) != uid {
		return fmt.Errorf("%s belongs to somebody else: remove it", dir)
	}
	return nil
}

// lockFile opens path and locks it as how says (syscall.LOCK_SH or LOCK_EX, with
// or without LOCK_NB). The lock ends when the file is closed or the program ends.
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
