// Package score compares what the service returned with what the data says.
//
// It is pure arithmetic and makes no call. Its invariant: the same rules judge the
// service and the textbook ranking beside it.
package score
