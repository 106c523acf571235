package documents

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/internal/documents/files"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// abandonedAfter is when a reservation that was never confirmed is removed: 24 hours
// after its addresses have expired.
//
// Source: docs/decisions.md#document-states.
const abandonedAfter = 24*time.Hour + files.UploadWindow

// SweepReservations removes the abandoned reservations of all companies. For the worker.
func (s *Service) SweepReservations(ctx context.Context) error {
	ctx = store.AsSystem(ctx, "reservations of every company expire")
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := s.q.DocumentsAbandoned(ctx, tx, s.Clock.Now().Add(-abandonedAfter))
		if err != nil || len(rows) == 0 {
			return err
		}
		var inserts []river.InsertManyParams
		for _, row := range rows {
			if row.UploadKey == nil {
				continue
			}
			for _, key := range []string{*row.UploadKey, *row.UploadKey + files.MetadataSuffix} {
				inserts = append(inserts, river.InsertManyParams{Args: jobargs.RemoveObject{
					CompanyID: row.CompanyID, ProjectID: row.ProjectID, DocumentID: row.DocumentID, Key: key,
				}})
			}
		}
		if len(inserts) == 0 {
			return nil
		}
		_, err = s.Jobs.InsertManyTx(ctx, tx, inserts)
		return err
	})
	if err != nil {
		return fmt.Errorf("remove abandoned reservations: %w", err)
	}
	return nil
}
