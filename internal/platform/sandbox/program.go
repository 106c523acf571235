package sandbox

import (
	"os/exec"
	"strconv"
	"syscall"
)

// shell bounds the memory of a program before it begins, which Go cannot: it sets limits
// for a whole process, and a new process has its parent's.
const shell = "/bin/sh"

// Program is the command of the program that a child of ours runs beside itself. It has
// its part of the memory for good and is killed with the child.
func (s Share) Program(path string, args ...string) *exec.Cmd {
	line := append([]string{"-c", `ulimit -d "$0" && exec "$@"`, strconv.FormatInt(s.program>>10, 10), path}, args...)
	cmd := exec.Command(shell, line...) //nolint:gosec,noctx // the path is the operator's; the child's time is bounded
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}
