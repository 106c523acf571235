// Package ingest brings the content of a document from its source into the index:
// Source → fetch → read → chunk → index → embed → settle.
//
// Service starts and stops ingestions and checks sources when a request asks for it; its
// steps are called by the workers. It knows no HTTP, and it decides nothing about who may
// bring a document. Invariants: a document that says indexed is found; an ingestion ends
// indexed or visibly failed; and an ingestion writes only while its run is the document's
// run. Package documents says in which order rows are locked.
package ingest
