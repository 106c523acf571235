package postgres

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that the server runs as.
type account struct {
	uid, gid int
	// credential is nil if that is the user of this process.
	credential *syscall.Credential
}

// serverAccount returns the user of this process. PostgreSQL refuses to run as root, so for
// root it returns the first of postgres and nobody that exists.
func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: os.Geteuid(), gid: os.Getegid()}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(found.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(found.Gid, 10, 32)
		if err := errors.Join(errUID, errGID); err != nil {
			return account{}, fmt.Errorf("user %s: %w", name, err)
		}
		return account{
			uid: int(uid), gid: int(gid),
			credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)},
		}, nil
	}
	return account{}, errors.New("PostgreSQL does not run as root, and there is neither a user postgres nor nobody: run as another user, or set DATABASE_URL")
}

// own makes the account the owner of path.
func (a account) own(path string) error {
	if a.credential == nil {
		return nil
	}
	return os.Chown(path, a.uid, a.gid)
}

// reaches tells whether the account may enter dir and all folders above it.
func (a account) reaches(dir string) bool {
	if a.credential == nil {
		return true
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		if err != nil {
			return false
		}
		mine := false
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			mine = int(stat.Uid) == a.uid && info.Mode().Perm()&0o100 != 0
		}
		if !mine && info.Mode().Perm()&0o001 == 0 {
			return false
		}
		if at == filepath.Dir(at) {
			return true
		}
	}
}
