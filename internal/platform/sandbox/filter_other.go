//go:build !amd64 && !arm64

package sandbox

// Filters of system calls are written for amd64 and arm64 alone.

func filterAvailable() bool { return false }

func refuseCalls(bool, bool) error { return nil }
