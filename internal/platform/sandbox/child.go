package sandbox

import (
	"io"
	"strings"
	"syscall"
	"unicode"
)

// attributes are those of a child: it has its own process group and is killed with its parent.
// With namespaces it does not share the machine's network and shared memory.
func attributes(apart bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if apart {
		a.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC
	}
	return a
}

// head stores the beginning of what is written to it.
type head struct{ b strings.Builder }

const headBytes = 4096

// Write never fails.
func (h *head) Write(p []byte) (int, error) {
	h.b.Write(p[:min(len(p), headBytes-h.b.Len())])
	return len(p), nil
}

// String returns the stored text, on one line and without control characters.
func (h *head) String() string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(h.b.String(), "\ufffd")))
}

// capped is a reader that fails after a number of bytes.
type capped struct {
	r    io.Reader
	left int64
	over bool
}

// Read reads, or fails with ErrOutput at the limit.
func (c *capped) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left -= int64(n); c.left < 0 {
		c.over = true
		return 0, ErrOutput
	}
	return n, err
}
