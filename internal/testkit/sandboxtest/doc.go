// Package sandboxtest makes a process that may not confine its children: as in a
// container without user namespaces, or on a kernel without Landlock.
//
// The kernel itself refuses, by a filter of system calls, so nothing in the code under
// test knows of it. What is taken never comes back: call it in a process made for it.
package sandboxtest
