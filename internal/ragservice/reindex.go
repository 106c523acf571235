package ragservice

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Reindex starts building the vectors of a project of any company again, and returns the job.
// Searches use the old vectors until the new ones are complete. An empty model means the
// project's model, or the installation's default if the project has none. Reindex returns
// apperr.Invalid unknown_model if the process does not have the model. If a reindex to the
// same model runs, its job is returned; a reindex to another model is canceled. If the
// installation has no model, the job has nothing to do.
//
// Source: docs/decisions.md#reindex.
func (s *Service) Reindex(ctx context.Context, projectID, model string) (jobID string, err error) {
	ctx, project, err := s.writableProject(ctx, projectID)
	if err != nil {
		return "", err
	}
	if model != "" {
		full, ok := s.Vectors.Resolve(model)
		if !ok {
			return "", apperr.Invalid(apperr.CodeUnknownModel, "this installation has no such embedding model")
		}
		model = full
	}
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.LockProject(ctx, tx, project.CompanyID, projectID); err != nil {
			return err
		}
		if model, err = s.modelFor(ctx, tx, project, model); err != nil {
			return err
		}
		jobID, err = s.q.RagJobReindexing(ctx, tx, dbsqlc.RagJobReindexingParams{CompanyID: project.CompanyID, ProjectID: projectID, Model: model})
		if !store.IsNoRows(err) {
			return err
		}
		jobID = ids.New(ids.Job)
		return s.beginReindex(ctx, tx, jobargs.ReindexProject{CompanyID: project.CompanyID, ProjectID: projectID, JobID: jobID, Model: model})
	})
	if err != nil {
		return "", fmt.Errorf("reindex: %w", err)
	}
	return jobID, nil
}

// modelFor returns the model to build vectors of, or "" if the installation has none.
func (s *Service) modelFor(ctx context.Context, tx pgx.Tx, project dbsqlc.Project, model string) (string, error) {
	if model != "" {
		return model, nil
	}
	active, err := s.q.ProjectVectorModel(ctx, tx, dbsqlc.ProjectVectorModelParams{CompanyID: project.CompanyID, ProjectID: project.ProjectID})
	if err != nil && !store.IsNoRows(err) {
		return "", fmt.Errorf("find the project's model: %w", err)
	}
	return s.Vectors.For(active.VectorModel), nil
}

func (s *Service) beginReindex(ctx context.Context, tx pgx.Tx, job jobargs.ReindexProject) error {
	now := s.Clock.Now()
	err := s.q.RagJobsCancel(ctx, tx, dbsqlc.RagJobsCancelParams{
		CompanyID: job.CompanyID, ProjectID: job.ProjectID, Types: []string{"reindex"}, Now: now,
	})
	if err != nil {
		return fmt.Errorf("cancel the earlier reindex: %w", err)
	}
	var total int32
	if job.Model != "" {
		if total, err = s.q.ChunkCount(ctx, tx, dbsqlc.ChunkCountParams{CompanyID: job.CompanyID, ProjectID: job.ProjectID}); err != nil {
			return fmt.Errorf("count chunks: %w", err)
		}
	}
	err = s.q.RagJobCreate(ctx, tx, dbsqlc.RagJobCreateParams{
		CompanyID: job.CompanyID, ProjectID: job.ProjectID, JobID: job.JobID, Type: "reindex", Model: column.NullIfEmpty(job.Model), Total: total, Now: now,
	})
	switch {
	case err != nil:
		return fmt.Errorf("create job: %w", err)
	case job.Model == "":
		return nil
	case total == 0:
		return s.chooseModel(ctx, tx, job)
	}
	_, err = s.Jobs.InsertTx(ctx, tx, job, nil)
	return err
}

// chooseModel switches a project without chunks to the model at once: its first documents are
// then embedded with it.
func (s *Service) chooseModel(ctx context.Context, tx pgx.Tx, job jobargs.ReindexProject) error {
	now := s.Clock.Now()
	err := s.q.LexstatsChanged(ctx, tx, dbsqlc.LexstatsChangedParams{CompanyID: job.CompanyID, ProjectID: job.ProjectID, Now: now})
	if err == nil {
		err = s.q.ProjectVectorModelSet(ctx, tx, dbsqlc.ProjectVectorModelSetParams{
			CompanyID: job.CompanyID, ProjectID: job.ProjectID, Model: job.Model, Now: now,
		})
	}
	if err != nil {
		return fmt.Errorf("choose the model: %w", err)
	}
	return nil
}
