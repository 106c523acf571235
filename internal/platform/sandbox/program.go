package sandbox

import (
	"os/exec"
	"strconv"
	"syscall"
)

// shell sets the memory limit of a program before the program begins. Go cannot do this: it
// sets limits only for the whole current process, and a new process inherits its parent's.
const shell = "/bin/sh"

// Program returns the command of a program that runs beside the child. The program has a fixed
// part of the memory and is killed with the child.
func (s Share) Program(path string, args ...string) *exec.Cmd {
	line := append([]string{"-c", `ulimit -d "$0" && exec "$@"`, strconv.FormatInt(s.program>>10, 10), path}, args...)
	cmd := exec.Command(shell, line...) //nolint:gosec,noctx // the path is the operator's; the child's time is bounded
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return cmd
}
