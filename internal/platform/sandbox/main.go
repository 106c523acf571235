package sandbox

import (
	"fmt"
	"io"
	"syscall"
)

// exitSetup is the exit code of Main when the program could not be started.
const exitSetup = 125

// Main is the child's side of Run: args are the confinement, "--", a program's path and its
// arguments. It becomes that program. It returns an exit code only if that fails.
func Main(args []string, stderr io.Writer) int {
	if len(args) < 3 || args[1] != "--" {
		fmt.Fprintln(stderr, "usage: docqa sandbox CONFINEMENT -- PROGRAM [ARGUMENT...]")
		return exitSetup
	}
	if _, err := Confine(args[0]); err != nil {
		fmt.Fprintln(stderr, err)
		return exitSetup
	}
	err := syscall.Exec(args[2], args[2:], []string{}) //nolint:gosec // the program is the service's choice, never a client's
	fmt.Fprintf(stderr, "start %s: %v\n", args[2], err)
	return exitSetup
}
