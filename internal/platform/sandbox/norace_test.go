//go:build !race

package sandbox_test

const detector = 0
