// Package bench measures speed and size beside what the service is compared with:
// the floor under it (a commit, a round trip), and other products doing the same work.
//
// What is compared is measured in the same run, in turns, so that a busy machine slows
// both. Its invariants: `docqa serve` has a database of its own, and no other process
// works its jobs; a product that is not installed is named in its row and never counts
// as beaten.
package bench
