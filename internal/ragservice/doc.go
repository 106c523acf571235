// Package ragservice holds the rules of the retrieval API (/v1/rag) for documents: ids of
// the client's own, batches, jobs that a client follows, consistency and repair, reindex.
//
// A rag client is a program of the installation's operator. It names a project and no
// company; every method finds the company of the project and works on with that company's
// rows alone. Content is checked, stored and indexed by package ingest, documents are
// removed by package documents.
package ragservice
