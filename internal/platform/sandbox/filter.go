//go:build amd64 || arm64

package sandbox

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offsets in the kernel's struct seccomp_data. Both processors are little endian, so the
// lower half of an argument comes first.
const (
	offsetCall = 0
	offsetArch = 4
	offsetArg  = 16
)

// newNamespaces are the flags of clone that make namespaces.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
	unix.CLONE_NEWPID | unix.CLONE_NEWNET

// The requests of ioctl that send signals or write into a terminal's input.
const (
	requestSetOwner      = 0x8901 // FIOSETOWN
	requestSetGroup      = 0x8902 // SIOCSPGRP
	requestTerminalInput = unix.TIOCSTI
)

// filterAvailable tells whether the kernel can filter the system calls of all threads. It
// passes a null filter: a kernel that supports filters reports a bad address.
func filterAvailable() bool {
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, 0)
	return errno == unix.EFAULT
}

// refuseCalls forbids all threads of this process, and what it starts, the system calls that
// reach other processes, the network, or things that Landlock does not restrict. A forbidden
// call fails with "operation not permitted".
func refuseCalls(programs, processes bool) error {
	p := calls(uint32(os.Getpid()), programs, processes)
	prog := unix.SockFprog{Len: uint16(len(p)), Filter: &p[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&prog))); errno != 0 { //nolint:gosec // nor for this
		return fmt.Errorf("install the filter of system calls: %w", errno)
	}
	return nil
}

// calls is the filter of a child with the process id pid. programs and processes say whether
// it may start programs and make processes.
func calls(pid uint32, programs, processes bool) program {
	var p program
	p.begin()
	for _, call := range refused() {
		p.refuse(call)
	}
	// A signal only to itself.
	for _, call := range []uint32{unix.SYS_KILL, unix.SYS_TGKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO} {
		p.unless(call, 0, pid)
	}
	p.unless(unix.SYS_PRLIMIT64, 0, 0, pid)
	// No signal by other means: the kernel sends signals to a file's owner, and to a parent
	// when a child ends.
	p.when(unix.SYS_FCNTL, 1, unix.F_SETOWN, unix.F_SETSIG, unix.F_SETOWN_EX)
	p.when(unix.SYS_IOCTL, 1, requestSetOwner, requestSetGroup, requestTerminalInput)
	p.pdeathsig()
	p.clone(processes)
	if !processes {
		for _, call := range forks() {
			p.refuse(call)
		}
	}
	if !programs {
		p.refuse(unix.SYS_EXECVE)
		p.refuse(unix.SYS_EXECVEAT)
	}
	p.allow()
	return p
}

// refused are the calls that no child needs.
func refused() []uint32 {
	return append(oldCalls(), []uint32{
		// Calls that reach other processes.
		unix.SYS_TKILL, unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_PTRACE, unix.SYS_KCMP,
		unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE,
		unix.SYS_MOVE_PAGES, unix.SYS_MIGRATE_PAGES, unix.SYS_PERF_EVENT_OPEN, unix.SYS_SETPRIORITY, unix.SYS_IOPRIO_SET,
		unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR,
		// Calls that leave the process group, which is killed with the child.
		unix.SYS_SETSID, unix.SYS_SETPGID,
		// The network, and io_uring, which makes calls that the filter does not see.
		unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER,
		// Memory and keys that the processes of one user share.
		unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SHMCTL, unix.SYS_SEMGET, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_SEMCTL,
		unix.SYS_MSGGET, unix.SYS_MSGSND, unix.SYS_MSGRCV, unix.SYS_MSGCTL, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK,
		unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
		// Changes of files that Landlock does not restrict.
		unix.SYS_TRUNCATE, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT, unix.SYS_SETXATTR, unix.SYS_LSETXATTR,
		unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_SETXATTRAT, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
		unix.SYS_UTIMENSAT, unix.SYS_INOTIFY_INIT1, unix.SYS_FANOTIFY_INIT, unix.SYS_OPEN_BY_HANDLE_AT,
		// Namespaces and mounts.
		unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_OPEN_TREE,
		unix.SYS_OPEN_TREE_ATTR, unix.SYS_MOVE_MOUNT, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK,
		unix.SYS_MOUNT_SETATTR,
		// Programs that run in the kernel, and the handling of page faults.
		unix.SYS_BPF, unix.SYS_USERFAULTFD,
	}...)
}

// program is a filter of system calls. Every rule expects the number of the call in the
// accumulator and leaves it there, or ends the filter with a decision.
type program []unix.SockFilter

func (p *program) add(code uint16, k uint32, jt, jf int) {
	*p = append(*p, unix.SockFilter{Code: code, Jt: uint8(jt), Jf: uint8(jf), K: k})
}

func (p *program) load(offset uint32) { p.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, offset, 0, 0) }

func (p *program) equal(k uint32, jt, jf int) { p.add(unix.BPF_JMP|unix.BPF_JEQ|unix.BPF_K, k, jt, jf) }

func (p *program) anyBit(k uint32, jt, jf int) {
	p.add(unix.BPF_JMP|unix.BPF_JSET|unix.BPF_K, k, jt, jf)
}

func (p *program) answer(k uint32) { p.add(unix.BPF_RET|unix.BPF_K, k, 0, 0) }

func (p *program) allow() { p.answer(unix.SECCOMP_RET_ALLOW) }

func (p *program) deny() { p.answer(unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)) }

// begin refuses the calls of other architectures, whose numbers have other meanings.
func (p *program) begin() {
	p.load(offsetArch)
	p.equal(auditArch, 1, 0)
	p.answer(unix.SECCOMP_RET_KILL_PROCESS)
	p.load(offsetCall)
	p.add(unix.BPF_JMP|unix.BPF_JGE|unix.BPF_K, otherNumbers, 0, 1)
	p.deny()
}

// refuse refuses a call with any arguments.
func (p *program) refuse(call uint32) {
	p.equal(call, 0, 1)
	p.deny()
}

// unless refuses a call if its argument is none of the values.
func (p *program) unless(call, arg uint32, values ...uint32) {
	p.compare(call, arg, values, p.deny, p.allow)
}

// when refuses a call if its argument is one of the values.
func (p *program) when(call, arg uint32, values ...uint32) {
	p.compare(call, arg, values, p.allow, p.deny)
}

// compare decides a call by its argument: in adds the instruction that decides if it is one
// of the values, out the instruction that decides if it is not.
func (p *program) compare(call, arg uint32, values []uint32, out, in func()) {
	n := len(values)
	p.equal(call, 0, n+3)
	p.load(offsetArg + 8*arg)
	for i, v := range values {
		p.equal(v, n-i, 0)
	}
	out()
	in()
}

// pdeathsig lets a child set no other signal for the end of its parent, so that it cannot
// outlive it.
func (p *program) pdeathsig() {
	p.equal(unix.SYS_PRCTL, 0, 6)
	p.load(offsetArg)
	p.equal(unix.PR_SET_PDEATHSIG, 0, 2)
	p.load(offsetArg + 8)
	p.equal(uint32(unix.SIGKILL), 0, 1)
	p.allow()
	p.deny()
}

// clone allows threads, and processes if processes is true, but no namespaces. It refuses
// clone3, whose flags are in memory, where a filter cannot read them: the C library then uses
// clone.
func (p *program) clone(processes bool) {
	p.equal(unix.SYS_CLONE3, 0, 1)
	p.answer(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS))
	needed := uint32(unix.CLONE_THREAD)
	if processes {
		needed = ^uint32(0) // a process is allowed: its flags hold the signal at its end
	}
	p.equal(unix.SYS_CLONE, 0, 5)
	p.load(offsetArg)
	p.anyBit(newNamespaces, 2, 0)
	p.anyBit(needed, 0, 1)
	p.allow()
	p.deny()
}
