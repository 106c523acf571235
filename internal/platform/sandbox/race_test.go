//go:build race

package sandbox_test

// detector is the memory that the race detector uses in a child.
const detector = 1 << 30
