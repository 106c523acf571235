// Package sandbox runs a program on hostile input: under limits of time, memory and
// size, with an empty environment, in a scratch folder that is all it sees of the
// files besides shared libraries, without network, and never longer than its parent.
//
// It knows no format. What confines the child is set inside it before the program
// begins: by Main, which the binary runs as "docqa sandbox", or by a child of ours that
// calls Confine itself. How much can be had depends on the kernel, see Walls. Its
// invariant: when Run returns, nothing of the child runs on and its folder is gone.
package sandbox
