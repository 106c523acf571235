// Package benchmark measures speed and size: a whole question to the chat beside the
// durable commit and the round trip that it cannot do without, the memory of the served
// process after the main job, and its start.
//
// What is compared is measured in the same run, in turns, so that a busy machine slows
// both. Its invariant: `docqa serve` has a database of its own, and no other process
// works its jobs.
package benchmark
