package documents

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/idempotency"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/cursor"
	"docqa/internal/platform/ids"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Deps is what a Service needs.
type Deps struct {
	Store   *store.Store
	Objects *blob.Store
	Jobs    jobargs.Inserter
	Formats files.Formats
	Clock   clock.Clock
	Cursors *cursor.Codec
	Once    *idempotency.Keeper
}

// Service answers requests about documents. Every method sees the rows of companyID
// alone, and answers what is not there as apperr.NotFound.
type Service struct {
	Deps
	q *dbsqlc.Queries
}

// New returns a Service.
func New(d Deps) *Service {
	return &Service{Deps: d, q: dbsqlc.New()}
}

// Get returns one document.
func (s *Service) Get(ctx context.Context, companyID, projectID, documentID string) (dbsqlc.Document, error) {
	if !ids.Valid(ids.Document, documentID) {
		return dbsqlc.Document{}, apperr.NotFound()
	}
	row, err := s.q.DocumentGet(ctx, s.Store.Pool(), dbsqlc.DocumentGetParams{
		CompanyID: companyID, ProjectID: projectID, DocumentID: documentID,
	})
	return row, store.RowError("get document", err)
}

// Counts returns how many of the project's documents stand in each status, and what they hold.
func (s *Service) Counts(ctx context.Context, companyID, projectID string) (dbsqlc.DocumentCountsRow, error) {
	row, err := s.q.DocumentCounts(ctx, s.Store.Pool(), dbsqlc.DocumentCountsParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return row, fmt.Errorf("count documents: %w", err)
	}
	return row, nil
}

// writable refuses a project that is archived, as one that is not there.
func writable(status string) error {
	if status == "archived" {
		return apperr.NotFound()
	}
	return nil
}
