package prompttests

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Request holds the questions of a run: tests by id, then prompts that are not saved.
type Request struct {
	TestIDs []string
	Prompts []Input
}

// Start runs tests with the project's chat settings. It runs up to ten tests itself, also if
// the caller leaves, and leaves more to a job: then the run has not ended when Start returns.
//
// Errors: InvalidInput (validation_error, question_too_long); NotFound for an unknown test.
func (s *Service) Start(ctx context.Context, project *dbsqlc.Project, r Request) (Run, error) {
	items, err := s.items(ctx, project, r)
	if err != nil {
		return Run{}, err
	}
	run, err := s.insert(ctx, project, items)
	if err != nil {
		return Run{}, fmt.Errorf("start a test run: %w", err)
	}
	if len(items) > maxInRequest {
		return Run{Row: run, Items: items}, nil
	}
	ctx = context.WithoutCancel(ctx)
	if err := s.work(ctx, project, run, items); err != nil {
		return Run{}, err
	}
	return s.Get(ctx, run.CompanyID, run.ProjectID, run.TestRunID)
}

// items returns copies of the questions of a run.
func (s *Service) items(ctx context.Context, project *dbsqlc.Project, r Request) ([]dbsqlc.TestRunItem, error) {
	count := len(r.TestIDs) + len(r.Prompts)
	if count == 0 || count > maxAtOnce {
		return nil, apperr.Validation("/testIds", fmt.Sprintf("together with prompts there must be 1 to %d", maxAtOnce))
	}
	items := make([]dbsqlc.TestRunItem, 0, count)
	for i, in := range r.Prompts {
		in, err := clean(project, "/prompts/"+strconv.Itoa(i), in)
		if err != nil {
			return nil, err
		}
		items = append(items, dbsqlc.TestRunItem{Prompt: in.Prompt, ExpectedAnswer: in.ExpectedAnswer, RequiredSources: in.RequiredSources})
	}
	if len(r.TestIDs) == 0 {
		return items, nil
	}
	k, err := s.known(ctx, s.Store.Pool(), project.CompanyID, project.ProjectID)
	if err != nil {
		return nil, err
	}
	stored := make([]dbsqlc.TestRunItem, 0, count)
	for _, id := range r.TestIDs {
		row, ok := k.find(id)
		if !ok {
			return nil, apperr.NotFound()
		}
		stored = append(stored, dbsqlc.TestRunItem{
			TestID: &row.TestID, Prompt: row.Prompt, ExpectedAnswer: row.ExpectedAnswer, RequiredSources: row.RequiredSources,
			SuggestedBy: k.suggester(&row),
		})
	}
	return append(stored, items...), nil
}

// insert stores the run with its questions, and a job if there are more than ten.
func (s *Service) insert(ctx context.Context, project *dbsqlc.Project, items []dbsqlc.TestRunItem) (run dbsqlc.TestRun, err error) {
	q := dbsqlc.New()
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		run, err = q.TestRunCreate(ctx, tx, dbsqlc.TestRunCreateParams{
			CompanyID: project.CompanyID, ProjectID: project.ProjectID, TestRunID: ids.New(ids.TestRun), Now: s.Clock.Now(),
		})
		if err != nil {
			return err
		}
		rows := make([]dbsqlc.TestRunItemCreateParams, len(items))
		for i := range items {
			it := &items[i]
			it.CompanyID, it.ProjectID, it.TestRunID, it.Ordinal = run.CompanyID, run.ProjectID, run.TestRunID, int32(i)
			rows[i] = dbsqlc.TestRunItemCreateParams{
				CompanyID: it.CompanyID, ProjectID: it.ProjectID, TestRunID: it.TestRunID, Ordinal: it.Ordinal, TestID: it.TestID,
				Prompt: it.Prompt, ExpectedAnswer: it.ExpectedAnswer, RequiredSources: it.RequiredSources, SuggestedBy: it.SuggestedBy,
			}
		}
		if err := store.ExecAll(q.TestRunItemCreate(ctx, tx, rows)); err != nil {
			return err
		}
		err = q.TestRunPrune(ctx, tx, dbsqlc.TestRunPruneParams{CompanyID: run.CompanyID, ProjectID: run.ProjectID, Kept: runsKept})
		if err != nil || len(items) <= maxInRequest {
			return err
		}
		_, err = s.Jobs.InsertTx(ctx, tx, jobargs.RunPromptTests{
			CompanyID: run.CompanyID, ProjectID: run.ProjectID, TestRunID: run.TestRunID,
		}, nil)
		return err
	})
	return run, err
}
