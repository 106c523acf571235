package sandbox

import "golang.org/x/sys/unix"

const (
	auditArch    = unix.AUDIT_ARCH_AARCH64
	otherNumbers = 1 << 31
)

func oldCalls() []uint32 { return nil }

func forks() []uint32 { return nil }
