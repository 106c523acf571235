// Package bench measures the speed and the size of the service and compares them with a lower bound (a commit, a round trip) or
// with other products that do the same work.
//
// Compared figures are measured in the same run, in turns, so that a busy machine slows both sides. Its invariants: `docqa serve`
// has its own database, and no other process works its jobs; a product that is not installed has a row that says so and never
// counts as beaten.
package bench
