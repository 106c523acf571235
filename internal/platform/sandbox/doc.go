// Package sandbox runs a program on hostile input: under limits of time, memory and
// size, with an empty environment and without network. Of the files it sees only a scratch
// folder and shared libraries. It ends when its parent ends.
//
// It knows no format. The child's own limits are set inside it before the program begins: by
// Main, which the binary runs as "docqa sandbox", or by a child of this binary that calls
// Confine itself. How much of this is possible depends on the kernel, see Isolation. Its
// invariant: when Run returns, no process of the child is left and its folder is deleted.
package sandbox
