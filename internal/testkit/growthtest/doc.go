// Package growthtest tells whether the time of a function grows linearly with the size of its
// input, or faster.
//
// It measures the processor time of one thread, which a busy machine changes little, and
// compares the times of two sizes with each other.
package growthtest
