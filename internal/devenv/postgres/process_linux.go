package postgres

import "syscall"

// dieWithParent makes the kernel stop the server (fast shutdown) when the thread
// that started it ends.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGINT }
