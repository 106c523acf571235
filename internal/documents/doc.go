// Package documents is the catalogue of a project's documents: reserve an upload, confirm
// it, list, count, delete, and redact what other rows say of a deleted document.
//
// It reads no content: package ingest makes a document searchable, package ragservice
// holds the rules of the retrieval API. Invariants: a file that a document names was
// checked and cannot be changed by clients; and a deletion removes every trace of a
// document, by jobs that its transaction inserts.
//
// Transactions that lock several rows lock them in this order: job, company, documents (all
// that are needed, by their ids), the jobs of rag clients, project, statistics. Who starts
// ingestions locks the project first and skips documents that somebody else has locked.
package documents
