// Package quality measures the service over folders of evaluation data: what the search finds, what the chat answers and refuses,
// and whether each citation is where it says.
//
// It uses the public API of an installation of its own, and tunes nothing. Its invariant: each figure of the service comes from an
// HTTP response, and the figure of the textbook ranking in the same row from the same questions in the same run.
package quality
