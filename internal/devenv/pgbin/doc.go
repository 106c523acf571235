// Package pgbin finds the PostgreSQL programs that the embedded clusters run. It follows the
// rules of tools/setup.sh, and finds what that has found or unpacked.
//
// It downloads nothing. Its invariant: an Install that Find returns has a server of release 15
// or later and pgvector 0.8 or later.
package pgbin
