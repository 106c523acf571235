// Package quality measures an installation of its own over folders of evaluation
// data, through the public API alone: what the search finds, what the answers say, what
// they refuse and whether every citation stands where it says.
//
// It tunes nothing. Its invariant: every figure of the service comes from an HTTP
// answer, and the textbook ranking beside it from the same questions in the same run.
package quality
