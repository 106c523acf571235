package sandbox

import (
	"fmt"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Limits bound one child. Zero values stand for the defaults in brackets.
type Limits struct {
	Wall      time.Duration // from start to end [30 s]
	CPU       time.Duration // of each process, in whole seconds [20 s]
	Memory    int64         // bytes of data of each process [512 MB]
	FileSize  int64         // bytes of a file it writes [64 MB]
	Output    int64         // bytes of standard output [256 MB]
	Files     int           // open at once [256]
	Processes int           // processes and threads, where user namespaces are allowed [128]
}

// mappings is address space beyond the data that a process may reserve: libraries,
// stacks and what the Go runtime sets aside without using it.
const mappings = 4 << 30

func (l Limits) withDefaults() Limits {
	l.Wall = or(l.Wall, 30*time.Second)
	l.CPU = or(l.CPU, 20*time.Second)
	l.Memory = or(l.Memory, 512<<20)
	l.FileSize = or(l.FileSize, 64<<20)
	l.Output = or(l.Output, 256<<20)
	l.Files = or(l.Files, 256)
	l.Processes = or(l.Processes, 128)
	return l
}

func or[T ~int | ~int64](v, def T) T {
	if v <= 0 {
		return def
	}
	return v
}

// encode writes the limits that the child sets for itself. A limit of processes
// counts all of the user's, unless the child has a user namespace of its own.
func (l Limits) encode(ownUsers bool) string {
	processes := 0
	if ownUsers {
		processes = l.Processes
	}
	cpu := int64((l.CPU + time.Second - 1) / time.Second)
	return fmt.Sprintf("cpu=%d,memory=%d,filesize=%d,files=%d,processes=%d", cpu, l.Memory, l.FileSize, l.Files, processes)
}

// Confine sets the limits that Run handed to a child of ours, in its first argument.
func Confine(limits string) error {
	for part := range strings.SplitSeq(limits, ",") {
		var n uint64
		name, value, _ := strings.Cut(part, "=")
		if _, err := fmt.Sscan(value, &n); err != nil {
			return fmt.Errorf("limit %q: %w", part, err)
		}
		if err := set(name, n); err != nil {
			return fmt.Errorf("set limit %q: %w", part, err)
		}
	}
	if err := unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{}); err != nil {
		return fmt.Errorf("switch off core files: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up new privileges: %w", err)
	}
	return nil
}

func set(name string, n uint64) error {
	switch name {
	case "cpu":
		return unix.Setrlimit(unix.RLIMIT_CPU, &unix.Rlimit{Cur: n, Max: n + 1})
	case "memory":
		if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: n + mappings, Max: n + mappings}); err != nil {
			return err
		}
		return unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: n, Max: n})
	case "filesize":
		return unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: n, Max: n})
	case "files":
		return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: n})
	case "processes":
		if n == 0 {
			return nil
		}
		return unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: n, Max: n})
	}
	return unix.EINVAL
}
