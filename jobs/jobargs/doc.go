// Package jobargs names the jobs and what they are told. Services insert them in the
// transaction of the change that needs them, package jobs works them.
//
// A leaf: it imports nothing of ours. Its invariant: arguments hold ids and keys,
// never contents, and stay readable by the next version, since jobs outlive a release.
package jobargs
