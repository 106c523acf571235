// Package sandboxtest makes a process that cannot fully confine its children, as in a
// container without user namespaces or on a kernel without Landlock.
//
// The kernel itself refuses the features, by a filter of system calls; the code under test
// does not know of it. The filter cannot be removed: call Without only in a process made for
// it.
package sandboxtest
