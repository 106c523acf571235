//go:build race

package sandbox_test

// detector is what the race detector takes of a child's memory.
const detector = 1 << 30
