// Package unwrap removes what hosted models put around an answer: their thoughts, an object of
// JSON, a fence.
//
// It does not look into the answer. Its invariant: what it returns does not depend on how the
// reply was divided.
package unwrap
