package sandbox

import "time"

// Limits bound one child. A zero value means the default in brackets.
type Limits struct {
	Duration  time.Duration // from start to end [30 s]
	CPU       time.Duration // of each process, in whole seconds [20 s]
	Memory    int64         // bytes of memory of the child and its program together [512 MB]
	Program   int64         // the part of Memory for the data of a program that the child runs; 0: it may run none [0]
	FileSize  int64         // bytes of each file that it writes [64 MB]
	Output    int64         // bytes of standard output [256 MB]
	Files     int           // open at once [256]
	Processes int           // processes and threads, where user namespaces are allowed [128]
}

const (
	// mappings is the address space that a process may reserve besides its data: for
	// libraries, stacks and what the Go runtime reserves without using it.
	mappings = 4 << 30
	// images is the part of Memory that is not data: the loaded program files and the stacks.
	// The kernel has no limit that counts it.
	images = 32 << 20
)

func (l Limits) withDefaults() Limits {
	l.Duration = or(l.Duration, 30*time.Second)
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
