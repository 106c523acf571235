package documents

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// abandonedAfter is when a reservation that was never confirmed is removed: 24 hours
// after its addresses have expired.
//
// Source: gaps section 2 (document).
const abandonedAfter = 24*time.Hour + uploadWindow

// Sweep fails the ingestions that are past their deadline and removes abandoned
// reservations, of all companies.
func (g *Ingester) Sweep(ctx context.Context, jobs Jobs) error {
	return errors.Join(g.failOverdue(ctx), g.removeAbandoned(ctx, jobs))
}

func (g *Ingester) failOverdue(ctx context.Context) error {
	all := store.AsSystem(ctx, "deadlines hold for every company's documents")
	rows, err := g.q.DocumentsOverdue(all, g.Store.Pool(), g.Clock.Now())
	if err != nil {
		return fmt.Errorf("find overdue documents: %w", err)
	}
	nobody := Attempt{Claim: func(context.Context, pgx.Tx) error { return nil }}
	var errs []error // one document must not hold up the others
	for _, row := range rows {
		d := dbsqlc.Document{CompanyID: row.CompanyID, ProjectID: row.ProjectID, DocumentID: row.DocumentID, IngestRun: row.IngestRun}
		err := g.fail(store.AsCompany(ctx, row.CompanyID), d, nobody, fault{
			code: "timeout", message: "the document was not processed in time", retryable: true,
		})
		if err != nil && apperr.KindOf(err) != apperr.KindConflict {
			errs = append(errs, fmt.Errorf("fail the overdue document %s: %w", row.DocumentID, err))
		}
	}
	return errors.Join(errs...)
}

func (g *Ingester) removeAbandoned(ctx context.Context, jobs Jobs) error {
	ctx = store.AsSystem(ctx, "reservations of every company expire")
	err := g.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := g.q.DocumentsAbandoned(ctx, tx, g.Clock.Now().Add(-abandonedAfter))
		if err != nil || len(rows) == 0 {
			return err
		}
		var inserts []river.InsertManyParams
		for _, row := range rows {
			if row.UploadKey == nil {
				continue
			}
			for _, key := range []string{*row.UploadKey, *row.UploadKey + metadataSuffix} {
				inserts = append(inserts, river.InsertManyParams{Args: jobargs.RemoveObject{
					CompanyID: row.CompanyID, ProjectID: row.ProjectID, DocumentID: row.DocumentID, Key: key,
				}})
			}
		}
		if len(inserts) == 0 {
			return nil
		}
		_, err = jobs.InsertManyTx(ctx, tx, inserts)
		return err
	})
	if err != nil {
		return fmt.Errorf("remove abandoned reservations: %w", err)
	}
	return nil
}

// Settle brings what is derived from the project's documents up to date. A project
// that is gone needs nothing.
func (g *Ingester) Settle(ctx context.Context, job jobargs.SettleProject) error {
	err := g.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		return g.settler.settle(ctx, tx, job.CompanyID, job.ProjectID, nil)
	})
	if apperr.KindOf(err) == apperr.KindNotFound {
		return nil
	}
	return err
}
