// Package sandbox runs a program on hostile input: under limits of time, memory and
// size, with an empty environment, in a scratch folder, without network where the
// kernel allows it, and never longer than its parent.
//
// It knows no format. The limits are set inside the child before the program begins:
// by Main, which the binary runs as "docqa sandbox", or by a child of ours that
// calls Confine itself. Its invariant: when Run returns, nothing of the child runs on
// and its folder is gone.
package sandbox
