package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch    = unix.AUDIT_ARCH_X86_64
	otherNumbers = 0x40000000 // the calls of the x32 ABI have this number or a higher one
)

// oldCalls are calls that newer architectures do not have.
func oldCalls() []uint32 {
	return []uint32{
		unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT, unix.SYS_INOTIFY_INIT,
	}
}

func forks() []uint32 { return []uint32{unix.SYS_FORK, unix.SYS_VFORK} }
