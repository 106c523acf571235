// Package jobargs defines the kinds of jobs and their arguments. A service inserts a job in the
// transaction of the change that needs it; package jobs works it.
//
// It imports no other package of the service. Its invariants: arguments hold ids and keys,
// never contents; and the next version can read them, since jobs outlive a release.
package jobargs
