//go:build amd64 || arm64

package sandboxtest

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The features that can be removed from a process.
const (
	Namespaces = "namespaces"
	Landlock   = "landlock"
)

// Without removes the named features from this process, all its threads and all processes that
// it starts, for ever.
func Without(parts ...string) error {
	filter := []unix.SockFilter{load(0)}
	for _, part := range parts {
		switch part {
		case Namespaces:
			filter = append(filter,
				unlessEqual(unix.SYS_UNSHARE, 1), fail(unix.EPERM),
				unlessEqual(unix.SYS_CLONE3, 1), fail(unix.ENOSYS),
				unlessEqual(unix.SYS_CLONE, 4), load(16),
				unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, K: unix.CLONE_NEWUSER, Jf: 1}, fail(unix.EPERM), allow())
		case Landlock:
			filter = append(filter, unlessEqual(unix.SYS_LANDLOCK_CREATE_RULESET, 1), fail(unix.ENOSYS))
		default:
			return fmt.Errorf("no part %q", part)
		}
	}
	filter = append(filter, allow())
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog)))
	if errno != 0 {
		return errno
	}
	return nil
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

// unlessEqual skips jf instructions if the number in the accumulator is not k.
func unlessEqual(k uint32, jf uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: k, Jf: jf}
}

func fail(with unix.Errno) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(with)}
}

func allow() unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}
}
