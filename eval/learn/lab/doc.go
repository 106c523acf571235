// Package lab holds collections of evaluation data in memory as the service would hold
// them: read, cut and indexed by the same engines, with the vectors of chunks, statements
// and questions. Ranking and abstention are learned and judged on it.
//
// It needs no database and no server, and it measures no speed. Its invariant: what a
// run finds depends on the data, the engines and the model alone; the folder of its cache
// may be deleted at any time.
package lab
