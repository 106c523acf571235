// Package tokentime judges the times of JSON Web Tokens before anything else reads them.
//
// It verifies no signature and compares no time with the clock. Its invariant: the times
// of a token that it lets through are numbers of seconds, as RFC 7519 wants them, which
// fit into an int64; libraries turn others into times of their own.
//
// Source: RFC 7519 section 2 (NumericDate).
package tokentime
