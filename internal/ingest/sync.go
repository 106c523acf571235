package ingest

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Started tells what a sync has begun.
type Started struct {
	Documents int
	JobID     string // empty when there was nothing to ingest

	DocumentIDs []string // those that it has begun
}

// Sync starts the ingestion of the project's uploaded and failed documents: one job
// each, in the transaction that says so. Asked for again meanwhile, it finds nothing.
//
// Source: main API section 4.5; docs/decisions.md#sync.
func (s *Service) Sync(ctx context.Context, companyID, projectID string) (Started, error) {
	started, err := s.start(ctx, companyID, projectID, Selection{Statuses: []string{"uploaded", "failed"}})
	if err != nil {
		return Started{}, fmt.Errorf("sync documents: %w", err)
	}
	return started, nil
}

// Reprocess starts the ingestion of one document anew; what is indexed keeps answering
// meanwhile. One that is processed already stays as it is. apperr.Conflict with the
// code not_ready where no file was confirmed.
//
// Gap: our choice (docs/decisions.md#sync).
func (s *Service) Reprocess(ctx context.Context, companyID, projectID, documentID string) (dbsqlc.Document, error) {
	_, err := s.start(ctx, companyID, projectID, Selection{DocumentIDs: []string{documentID}, Statuses: []string{"uploaded", "failed", "indexed"}})
	if err != nil {
		return dbsqlc.Document{}, fmt.Errorf("reprocess document: %w", err)
	}
	d, err := s.q.DocumentGet(ctx, s.Store.Pool(), dbsqlc.DocumentGetParams{CompanyID: companyID, ProjectID: projectID, DocumentID: documentID})
	if err != nil {
		return d, store.RowError("get document", err)
	}
	if d.Status == "pending" || d.Status == "deleting" {
		return d, apperr.Conflict(apperr.CodeNotReady, "the document has no confirmed file")
	}
	return d, nil
}

// StartIngest is Sync in the caller's transaction, which holds the project's lock. It
// returns how many documents it started.
func (s *Service) StartIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) (int, error) {
	started, err := s.Begin(ctx, tx, companyID, projectID, Selection{Statuses: []string{"uploaded", "failed"}})
	return started.Documents, err
}

// StopIngest ends the ingestions of a project, in the transaction that archives it, which has
// locked it.
func (s *Service) StopIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	err := s.q.DocumentsStop(ctx, tx, dbsqlc.DocumentsStopParams{
		CompanyID: companyID, ProjectID: projectID, ErrorCode: codeProjectArchived, ErrorMessage: projectArchived, Now: s.Clock.Now(),
	})
	if err != nil {
		return fmt.Errorf("stop ingestions: %w", err)
	}
	return nil
}

// start is Begin in a transaction of its own. The project's lock orders it with those
// who judge whether anything is left to process.
func (s *Service) start(ctx context.Context, companyID, projectID string, what Selection) (started Started, err error) {
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.LockProject(ctx, tx, companyID, projectID); err != nil {
			return err
		}
		if err := planlimit.CheckProject(ctx, tx, companyID, projectID); err != nil {
			return err
		}
		started, err = s.Begin(ctx, tx, companyID, projectID, what)
		return err
	})
	return started, err
}

// Selection says which documents of a project to ingest.
type Selection struct {
	DocumentIDs []string // nil: all
	Statuses    []string // that they are in
	RunJobID    string   // the job of a service that asks for it; empty: none does
}

// Begin sets the documents to processing and inserts their jobs.
func (s *Service) Begin(ctx context.Context, tx pgx.Tx, companyID, projectID string, what Selection) (Started, error) {
	rows, err := s.q.DocumentsStartProcessing(ctx, tx, dbsqlc.DocumentsStartProcessingParams{
		CompanyID: companyID, ProjectID: projectID, DocumentIds: what.DocumentIDs, Statuses: what.Statuses,
		RunJobID: column.NullIfEmpty(what.RunJobID), Now: s.Clock.Now(),
	})
	if err != nil || len(rows) == 0 {
		return Started{}, err
	}
	started := Started{Documents: len(rows), JobID: ids.New(ids.Job)}
	jobs := make([]river.InsertManyParams, len(rows))
	for i, d := range rows {
		started.DocumentIDs = append(started.DocumentIDs, d.DocumentID)
		run := jobargs.DocumentRun{CompanyID: companyID, ProjectID: projectID, DocumentID: d.DocumentID, Run: d.IngestRun}
		jobs[i].Args = firstStep(run, d.Unread)
	}
	_, err = s.Jobs.InsertManyTx(ctx, tx, jobs)
	return started, err
}

// FirstStep returns the job that the document's run begins with: a page whose content
// nobody has fetched yet is fetched, anything else is read.
func FirstStep(d dbsqlc.Document) river.JobArgs {
	return firstStep(runOf(d), fileOf(d).ObjectKey == nil)
}

// firstStep is the job that a run begins with. unread: the document is a page that nobody has
// fetched yet.
func firstStep(run jobargs.DocumentRun, unread bool) river.JobArgs {
	if unread {
		return jobargs.FetchPage{DocumentRun: run}
	}
	return jobargs.IngestDocument{DocumentRun: run}
}

func runOf(d dbsqlc.Document) jobargs.DocumentRun {
	return jobargs.DocumentRun{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun}
}
