package prompttests

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Work asks the questions of a run that have no result yet, and ends the run. It does not ask
// again what an earlier attempt asked. Error: Conflict (run_over) if the run has ended or is gone.
func (s *Service) Work(ctx context.Context, job jobargs.RunPromptTests, a jobargs.Attempt) error {
	run, err := s.Get(ctx, job.CompanyID, job.ProjectID, job.TestRunID)
	if apperr.KindOf(err) == apperr.KindNotFound || (err == nil && run.Row.Status == Completed) {
		return apperr.Conflict(apperr.CodeRunOver, "the test run has ended")
	}
	if err != nil {
		return err
	}
	if a.Exhausted {
		return s.finish(ctx, run.Row, nil, Failed, a.Claim)
	}
	project, err := dbsqlc.New().ProjectGet(ctx, s.Store.Pool(), dbsqlc.ProjectGetParams{CompanyID: job.CompanyID, ProjectID: job.ProjectID})
	if err == nil {
		err = s.askAll(ctx, &project, run.Items)
	}
	switch {
	case err == nil:
		return s.finish(ctx, run.Row, run.Items, Completed, a.Claim)
	case a.Last && !errors.Is(err, context.Canceled):
		s.Logger.ErrorContext(ctx, "test run given up", slog.String("test_run_id", job.TestRunID), slog.Any("error", err))
		return s.finish(ctx, run.Row, nil, Failed, a.Claim)
	}
	return err
}

// work asks the questions of a short run and ends it.
func (s *Service) work(ctx context.Context, project *dbsqlc.Project, run dbsqlc.TestRun, items []dbsqlc.TestRunItem) error {
	asking, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	if err := s.askAll(asking, project, items); err != nil {
		return errors.Join(err, s.finish(ctx, run, nil, Failed, nil))
	}
	return s.finish(ctx, run, items, Completed, nil)
}

// finish ends a run. If it is completed, finish stores the results of its tests. A run that has
// ended does not change. The lock of the project orders runs that write the same tests.
func (s *Service) finish(ctx context.Context, run dbsqlc.TestRun, items []dbsqlc.TestRunItem, status string,
	claim func(context.Context, pgx.Tx) error,
) error {
	q, now := dbsqlc.New(), s.Clock.Now()
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if claim != nil {
			if err := claim(ctx, tx); err != nil {
				return err
			}
		}
		if err := lock(ctx, tx, run.CompanyID, run.ProjectID); err != nil {
			return err
		}
		_, err := q.TestRunFinish(ctx, tx, dbsqlc.TestRunFinishParams{
			CompanyID: run.CompanyID, ProjectID: run.ProjectID, TestRunID: run.TestRunID, Status: status, Now: now,
		})
		if store.IsNoRows(err) {
			return nil
		}
		if err != nil || status != Completed {
			return err
		}
		var results []dbsqlc.TestPromptResultParams
		for i := range items {
			if it := &items[i]; it.TestID != nil && it.Result != nil {
				results = append(results, dbsqlc.TestPromptResultParams{
					CompanyID: it.CompanyID, ProjectID: it.ProjectID, TestID: *it.TestID, LastResult: &it.Result.Status, Now: now,
				})
			}
		}
		if err := store.ExecAll(q.TestPromptResult(ctx, tx, results)); err != nil {
			return err
		}
		sum := (&Run{Items: items}).Summary()
		return outbox.Record(ctx, tx, run.CompanyID, outbox.Event{
			Type: outbox.TestRunCompleted, ProjectID: run.ProjectID, ResourceType: "test_run", ResourceID: run.TestRunID, ResourceName: "prompt tests",
			Summary: fmt.Sprintf("ran prompt tests: %d of %d passed", sum.Passed, sum.Total), At: now,
		})
	})
	if err != nil {
		return fmt.Errorf("end test run %s: %w", run.TestRunID, err)
	}
	return nil
}
