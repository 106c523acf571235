package ragservice

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// removePage is how many documents one transaction removes.
const removePage = 20

// DeleteAll starts the removal of every document of a project of any company, and returns its rag
// job. From now on no search finds the documents, their ids are free, their ingestions fail, and
// the running rag jobs are canceled. A document that is ingested afterwards stays.
//
// Source: docs/decisions.md#retrieval-documents.
func (s *Service) DeleteAll(ctx context.Context, projectID string) (jobID string, err error) {
	ctx, project, err := s.writableProject(ctx, projectID)
	if err != nil {
		return "", err
	}
	jobID = ids.New(ids.Job)
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		// The locks are in the order that package documents prescribes: an ingest call holds the
		// company's lock and an ending ingestion the document's before either touches a rag job.
		if _, err := s.q.CompanyPlanLock(ctx, tx, project.CompanyID); err != nil {
			return store.RowError("lock the company", err)
		}
		total, err := s.markAll(ctx, tx, project)
		if err != nil {
			return err
		}
		now := s.Clock.Now()
		err = s.q.RagJobCreate(ctx, tx, dbsqlc.RagJobCreateParams{
			CompanyID: project.CompanyID, ProjectID: projectID, JobID: jobID, Type: "delete", Total: int32(total), Now: now,
		})
		if err != nil || total == 0 {
			return err
		}
		err = outbox.Record(ctx, tx, project.CompanyID, outbox.Event{
			Type: "document.deleted", ProjectID: projectID, ResourceType: "project", ResourceID: projectID, ResourceName: project.Name,
			Summary: "all documents of " + project.Name + " were deleted", Metadata: column.Strings{"documents": strconv.FormatInt(total, 10)}, At: now,
		})
		if err != nil {
			return err
		}
		_, err = s.Jobs.InsertTx(ctx, tx, jobargs.RemoveDocuments{CompanyID: project.CompanyID, ProjectID: projectID, JobID: jobID}, nil)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("delete all documents: %w", err)
	}
	return jobID, nil
}

func (s *Service) markAll(ctx context.Context, tx pgx.Tx, project dbsqlc.Project) (int64, error) {
	_, err := s.q.DocumentsLock(ctx, tx, dbsqlc.DocumentsLockParams{CompanyID: project.CompanyID, ProjectID: project.ProjectID})
	if err != nil {
		return 0, fmt.Errorf("lock documents: %w", err)
	}
	now := s.Clock.Now()
	err = s.q.RagJobsCancel(ctx, tx, dbsqlc.RagJobsCancelParams{
		CompanyID: project.CompanyID, ProjectID: project.ProjectID, Types: []string{"ingest", "batch", "reindex"}, Now: now,
	})
	if err != nil {
		return 0, fmt.Errorf("cancel jobs: %w", err)
	}
	err = s.q.DeletedIDsNote(ctx, tx, dbsqlc.DeletedIDsNoteParams{CompanyID: project.CompanyID, ProjectID: project.ProjectID, Now: now})
	if err != nil {
		return 0, fmt.Errorf("note the deleted ids: %w", err)
	}
	total, err := s.q.DocumentsMarkDeleting(ctx, tx, dbsqlc.DocumentsMarkDeletingParams{
		CompanyID: project.CompanyID, ProjectID: project.ProjectID, Now: now,
	})
	if err != nil {
		return 0, fmt.Errorf("mark documents: %w", err)
	}
	return total, nil
}

// RemoveMarked removes the project's documents that are marked for removal, some at a time, and
// completes the rag job. claim completes the worker's job in the last transaction. For the
// worker; repeating it is harmless.
func (s *Service) RemoveMarked(ctx context.Context, job jobargs.RemoveDocuments, claim func(context.Context, pgx.Tx) error) error {
	for {
		removed, err := s.removeMarkedPage(ctx, job)
		if err != nil {
			return fmt.Errorf("remove documents: %w", err)
		}
		if removed < removePage {
			break
		}
	}
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := claim(ctx, tx); err != nil {
			return err
		}
		_, err := s.q.RagJobCompleted(ctx, tx, dbsqlc.RagJobCompletedParams{
			CompanyID: job.CompanyID, ProjectID: job.ProjectID, JobID: job.JobID, Now: s.Clock.Now(),
		})
		if err != nil {
			return err
		}
		_, err = s.Jobs.InsertTx(ctx, tx, jobargs.SettleProject{CompanyID: job.CompanyID, ProjectID: job.ProjectID}, nil)
		return err
	})
	if err != nil {
		return fmt.Errorf("end the removal of documents: %w", err)
	}
	return nil
}

func (s *Service) removeMarkedPage(ctx context.Context, job jobargs.RemoveDocuments) (removed int, err error) {
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := s.q.DocumentsDeleteMarked(ctx, tx, dbsqlc.DocumentsDeleteMarkedParams{
			CompanyID: job.CompanyID, ProjectID: job.ProjectID, RowLimit: removePage,
		})
		removed = len(rows)
		if err != nil || removed == 0 {
			return err
		}
		var chunks int32
		for _, d := range rows {
			chunks += d.ChunkCount
		}
		now := s.Clock.Now()
		err = s.q.LexstatsChanged(ctx, tx, dbsqlc.LexstatsChangedParams{CompanyID: job.CompanyID, ProjectID: job.ProjectID, Added: -chunks, Now: now})
		if err != nil {
			return fmt.Errorf("mark the statistics: %w", err)
		}
		if err := s.Documents.ScheduleCleanup(ctx, tx, rows...); err != nil {
			return err
		}
		return s.q.RagJobAdvanced(ctx, tx, dbsqlc.RagJobAdvancedParams{
			CompanyID: job.CompanyID, ProjectID: job.ProjectID, JobID: job.JobID, Added: int32(removed), Now: now,
		})
	})
	return removed, err
}

// FailJob marks a rag job as failed. For the worker.
func (s *Service) FailJob(ctx context.Context, companyID, projectID, jobID string) error {
	err := s.q.RagJobFailed(ctx, s.Store.Pool(), dbsqlc.RagJobFailedParams{
		CompanyID: companyID, ProjectID: projectID, JobID: jobID, Code: "internal_error", Message: "the job could not be done", Now: s.Clock.Now(),
	})
	if err != nil {
		return fmt.Errorf("fail a job: %w", err)
	}
	return nil
}
