package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// confinement holds the limits that a child sets for itself before it reads any input: those
// that belong to a whole process. Run encodes it, Confine decodes it. The others are set by
// start.
type confinement struct {
	CPU       int64 `json:"cpu"` // seconds
	Data      int64 `json:"data"`
	Program   int64 `json:"program"` // data of a program that the child runs
	FileSize  int64 `json:"fileSize"`
	Files     int64 `json:"files"`
	Processes int64 `json:"processes"` // 0: not bounded
	Programs  bool  `json:"programs"`  // whether it may become or start a program
	Filter    bool  `json:"filter"`    // of system calls
}

// encode encodes the limits that the child sets for itself. The number of processes is limited
// only in a user namespace of its own: elsewhere the kernel counts all processes of the user.
func (c Cmd) encode(l Limits, i Isolation) string {
	own := confinement{
		CPU: int64((l.CPU + time.Second - 1) / time.Second), FileSize: l.FileSize, Files: int64(l.Files),
		Data: max(l.Memory-l.Program-images, l.Memory/2), Program: l.Program, Programs: c.Path != "" || l.Program > 0,
		Filter: i.Filter,
	}
	if i.Namespaces {
		own.Processes = int64(l.Processes)
	}
	text, _ := json.Marshal(own) // cannot fail: numbers and booleans only
	return string(text)
}

// Share is the memory that a child may use.
type Share struct {
	Data    int64 // bytes of data of the child itself
	program int64
}

// Confine applies to this process the limits that Run passed in its first argument. After an
// error the process must end.
func Confine(encoded string) (Share, error) {
	var c confinement
	if err := json.Unmarshal([]byte(encoded), &c); err != nil {
		return Share{}, fmt.Errorf("read the confinement: %w", err)
	}
	if c.Data <= 0 || c.CPU <= 0 {
		return Share{}, errors.New("read the confinement: it sets no limits")
	}
	if err := c.limit(); err != nil {
		return Share{}, err
	}
	if err := Shield(); err != nil {
		return Share{}, err
	}
	if c.Filter {
		if err := refuseCalls(c.Programs, c.Program > 0); err != nil {
			return Share{}, err
		}
	}
	return Share{Data: c.Data, program: c.Program}, nil
}

func (c confinement) limit() error {
	limits := []struct {
		what     string
		resource int
		max      int64
	}{
		{"processor time", unix.RLIMIT_CPU, c.CPU}, // soft and hard limit are equal: Go survives the signal of a soft limit
		{"address space", unix.RLIMIT_AS, c.Data + mappings},
		{"data", unix.RLIMIT_DATA, c.Data},
		{"sizes of files", unix.RLIMIT_FSIZE, c.FileSize},
		{"open files", unix.RLIMIT_NOFILE, c.Files},
		{"core files", unix.RLIMIT_CORE, 0},
		{"processes", unix.RLIMIT_NPROC, c.Processes},
	}
	for _, l := range limits {
		if l.resource == unix.RLIMIT_NPROC && c.Processes == 0 {
			continue
		}
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: uint64(l.max), Max: uint64(l.max)}); err != nil {
			return fmt.Errorf("limit %s: %w", l.what, err)
		}
	}
	return nil
}

// Shield keeps other processes of this user from reading the memory and the environment
// of this one, and from tracing it.
func Shield() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil {
		return fmt.Errorf("shield the process: %w", err)
	}
	return nil
}
