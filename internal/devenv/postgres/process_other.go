//go:build !linux

package postgres

import "syscall"

// dieWithParent has no counterpart here: the watchdog alone stops the server.
func dieWithParent(*syscall.SysProcAttr) {}
