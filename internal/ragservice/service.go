package ragservice

import (
	"docqa/gen/dbsqlc"
	"docqa/internal/documents"
	"docqa/internal/idempotency"
	"docqa/internal/ingest"
	"docqa/internal/platform/clock"
	"docqa/internal/provider/blob"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Deps is what a Service needs.
type Deps struct {
	Store     *store.Store
	Objects   *blob.Store
	Jobs      jobargs.Inserter
	Clock     clock.Clock
	Documents *documents.Service
	Ingestion *ingest.Service
	Vectors   *search.Models // nil: search is by keywords alone
	Once      *idempotency.Keeper
}

// Service answers requests of rag clients about documents. What is not there is
// apperr.NotFound.
type Service struct {
	Deps
	q *dbsqlc.Queries
}

// New returns a Service.
func New(d Deps) *Service {
	return &Service{Deps: d, q: dbsqlc.New()}
}
