// Package growthtest tells whether the time of a function grows with the size of its
// input or with a power of it.
//
// It counts the processor time of one thread, which a busy machine makes hardly longer,
// and compares two sizes with each other, never with a clock.
package growthtest
