// Package pgbin finds the PostgreSQL programs that the embedded clusters run:
// what tools/setup.sh found or unpacked, by the same rules.
//
// It looks and never fetches. Invariant: an Install that Find returns has a
// server of release 15 or later and pgvector 0.8 or later beside it.
package pgbin
