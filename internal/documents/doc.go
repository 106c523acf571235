// Package documents keeps the documents of a project: reserve an upload, confirm it,
// ingest it, list and delete.
//
// It knows no HTTP and runs no jobs itself: Service answers requests and inserts jobs
// in the transactions that need them, Ingester and the sweeps are called by the
// workers. Invariants: a file that a document names was checked and cannot be changed
// by clients; a document that says indexed is found; what was taken over is ingested
// or visibly failed; and an ingestion writes only while its run is the document's run.
//
// Locks are taken in this order: job, company, documents (all that are needed, by their ids),
// the services' jobs, project, statistics. Those who start ingestions take the project first
// and pass over documents that somebody else holds.
package documents
