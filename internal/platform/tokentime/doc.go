// Package tokentime checks the times of JSON Web Tokens before a library reads them.
//
// It verifies no signature and compares no time with the clock. Its invariant: the times of a
// token that it accepts are numbers of seconds, as RFC 7519 requires, and fit into an int64.
// Libraries would accept other values and read a wrong time.
//
// Source: RFC 7519 section 2 (NumericDate).
package tokentime
