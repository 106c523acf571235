package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Sweep fails the ingestions, of every company, that are past their deadline.
func (s *Service) Sweep(ctx context.Context) error {
	all := store.AsSystem(ctx, "deadlines hold for every company's documents")
	rows, err := s.q.DocumentsOverdue(all, s.Store.Pool(), s.Clock.Now())
	if err != nil {
		return fmt.Errorf("find overdue documents: %w", err)
	}
	nobody := jobargs.Attempt{Claim: func(context.Context, pgx.Tx) error { return nil }}
	var errs []error // an error in one document must not stop the others
	for _, row := range rows {
		d := dbsqlc.Document{CompanyID: row.CompanyID, ProjectID: row.ProjectID, DocumentID: row.DocumentID, IngestRun: row.IngestRun}
		err := s.fail(store.AsCompany(ctx, row.CompanyID), d, nobody, fault{
			code: "timeout", message: "the document was not processed in time", retryable: true,
		})
		if err != nil && apperr.KindOf(err) != apperr.KindConflict {
			errs = append(errs, fmt.Errorf("fail the overdue document %s: %w", row.DocumentID, err))
		}
	}
	return errors.Join(errs...)
}

// Settle updates what is derived from the project's documents. It does nothing if the project is
// gone.
func (s *Service) Settle(ctx context.Context, job jobargs.SettleProject) error {
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return s.settler.settle(ctx, tx, job.CompanyID, job.ProjectID, nil)
	})
	if apperr.KindOf(err) == apperr.KindNotFound {
		return nil
	}
	return err
}
