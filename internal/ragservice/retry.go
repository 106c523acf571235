package ragservice

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/ingest"
	"docqa/internal/planlimit"
	"docqa/internal/platform/ids"
)

// RetryFailed starts the ingestion of the failed documents of a project of any company, and
// returns their number and the job to follow.
//
// Source: docs/decisions.md#retrieval-jobs.
func (s *Service) RetryFailed(ctx context.Context, projectID string) (jobID string, count int, err error) {
	ctx, project, err := s.writableProject(ctx, projectID)
	if err != nil {
		return "", 0, err
	}
	jobID = ids.New(ids.Job)
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.LockProject(ctx, tx, project.CompanyID, projectID); err != nil {
			return err
		}
		started, err := s.Ingestion.Begin(ctx, tx, project.CompanyID, projectID, ingest.Selection{Statuses: []string{"failed"}, RunJobID: jobID})
		if err != nil {
			return err
		}
		count = started.Documents
		return s.q.RagJobCreate(ctx, tx, dbsqlc.RagJobCreateParams{
			CompanyID: project.CompanyID, ProjectID: projectID, JobID: jobID, Type: "batch", Total: int32(count), Now: s.Clock.Now(),
		})
	})
	if err != nil {
		return "", 0, fmt.Errorf("retry failed documents: %w", err)
	}
	return jobID, count, nil
}
