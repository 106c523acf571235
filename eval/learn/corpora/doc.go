// Package corpora holds sets of evaluation data in memory as the service would hold them: parsed, chunked and indexed by the same engines,
// with the vectors of chunks, statements and questions. The models of rankings and answers are trained and tested on it.
//
// It needs no database and no server, and measures no time. Its invariant: what a search finds depends only on the data, the engines and
// the embedding model. The folder of its cache may be deleted at any time.
package corpora
