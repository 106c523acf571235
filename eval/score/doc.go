// Package score compares what the service returned with what the data says.
//
// It computes and calls nothing. Its invariant: the same rules hold for the service and for the textbook's ranking.
package score
