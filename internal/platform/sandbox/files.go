package sandbox

import (
	"fmt"
	"os"
	"path/filepath"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Landlock's names of the rights to files.
const (
	readRights = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSReadDir
	fileRights = ll.AccessFSExecute | ll.AccessFSReadFile | ll.AccessFSWriteFile | ll.AccessFSTruncate
	ownRights  = fileRights | ll.AccessFSReadDir | ll.AccessFSRemoveDir | ll.AccessFSRemoveFile | ll.AccessFSMakeDir | ll.AccessFSMakeReg

	// signalsMended is the bit of a kernel fix: before it, Landlock also stopped signals
	// between threads of one process, which Go needs.
	signalsMended = 1 << 1
)

// landlockVersion is the kernel's version of Landlock, 0 if it has none.
func landlockVersion() int {
	v, err := ll.LandlockGetABIVersion()
	if err != nil {
		return 0
	}
	return v
}

// guarded returns what Landlock can restrict in a version.
func guarded(version int) ll.RulesetAttr {
	var attr ll.RulesetAttr
	since := func(first int, rights uint64, in *uint64) {
		if version >= first {
			*in |= rights
		}
	}
	since(1, ll.AccessFSRefer-1, &attr.HandledAccessFS)
	since(2, ll.AccessFSRefer, &attr.HandledAccessFS)
	since(3, ll.AccessFSTruncate, &attr.HandledAccessFS)
	since(4, ll.AccessNetBindTCP|ll.AccessNetConnectTCP, &attr.HandledAccessNet)
	since(5, ll.AccessFSIoctlDev, &attr.HandledAccessFS)
	since(6, ll.ScopeAbstractUnixSocket, &attr.Scoped)
	since(9, ll.AccessFSResolveUnix, &attr.HandledAccessFS)
	since(10, ll.AccessNetBindUDP|ll.AccessNetConnectSendUDP, &attr.HandledAccessNet)
	if errata, err := ll.LandlockGetErrata(); err == nil && errata&signalsMended != 0 {
		since(6, ll.ScopeSignal, &attr.Scoped)
	}
	return attr
}

// hideFiles lets this thread, and what it starts, use only the folder dir and, for reading and
// running, the paths in reads. It also forbids TCP and everything else that Landlock
// restricts.
func hideFiles(dir string, reads []string) error {
	attr := guarded(landlockVersion())
	rules, err := ll.LandlockCreateRuleset(&attr, 0)
	if err != nil {
		return fmt.Errorf("hide files: %w", err)
	}
	defer func() { _ = unix.Close(rules) }()
	if err := grant(rules, dir, ownRights&attr.HandledAccessFS); err != nil {
		return err
	}
	for _, path := range append(reads, os.DevNull) {
		rights := uint64(readRights)
		if path == os.DevNull {
			rights = fileRights
		}
		// Some systems lack some of these files, or do not let every user read them.
		if err := grant(rules, path, rights&attr.HandledAccessFS); err != nil && !os.IsNotExist(err) && !os.IsPermission(err) {
			return err
		}
	}
	if err := ll.LandlockRestrictSelf(rules, 0); err != nil {
		return fmt.Errorf("hide files: %w", err)
	}
	return nil
}

// grant adds rules that allow the rights to a file, or to a folder and everything in it.
func grant(rules int, path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "grant", Path: path, Err: err}
	}
	defer func() { _ = unix.Close(fd) }()
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return &os.PathError{Op: "grant", Path: path, Err: err}
	}
	if info.Mode&unix.S_IFMT != unix.S_IFDIR {
		rights &= fileRights
	}
	if err := ll.LandlockAddPathBeneathRule(rules, &ll.PathBeneathAttr{AllowedAccess: rights, ParentFd: fd}, 0); err != nil {
		return &os.PathError{Op: "grant", Path: path, Err: err}
	}
	return nil
}

// systemFiles are the files that programs need to run: shared libraries, and the data that
// poppler reads.
func systemFiles() []string {
	musl, _ := filepath.Glob("/etc/ld-musl-*.path")
	return append(musl, shell,
		"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib", "/nix/store", "/etc/ld.so.cache",
		"/usr/share/poppler", "/usr/share/fonts", "/usr/share/fontconfig", "/etc/fonts",
		"/etc/localtime", "/usr/share/zoneinfo",
	)
}
