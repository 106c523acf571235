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

// Started says which ingestions a sync has started.
type Started struct {
	Documents int
	JobID     string // empty if there was nothing to ingest

	DocumentIDs []string // of the ingestions
}

// Sync starts the ingestion of the project's uploaded and failed documents. It inserts one job for
// each, in the transaction that changes their status. A second call meanwhile starts nothing.
//
// Source: main API section 4.5; docs/decisions.md#sync.
func (s *Service) Sync(ctx context.Context, companyID, projectID string) (Started, error) {
	started, err := s.start(ctx, companyID, projectID, Selection{Statuses: []string{"uploaded", "failed"}})
	if err != nil {
		return Started{}, fmt.Errorf("sync documents: %w", err)
	}
	return started, nil
}

// Reprocess starts the ingestion of one document again; its current chunks stay searchable
// meanwhile. It changes nothing if the document is being ingested. Error: apperr.Conflict with
// the code not_ready if no file was confirmed.
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

// StartIngest is Sync in the caller's transaction, which must hold the project's lock. It returns
// the number of documents.
func (s *Service) StartIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) (int, error) {
	started, err := s.Begin(ctx, tx, companyID, projectID, Selection{Statuses: []string{"uploaded", "failed"}})
	return started.Documents, err
}

// StopIngest ends the ingestions of a project. tx is the transaction that archives the project and
// has locked it.
func (s *Service) StopIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	err := s.q.DocumentsStop(ctx, tx, dbsqlc.DocumentsStopParams{
		CompanyID: companyID, ProjectID: projectID, ErrorCode: codeProjectArchived, ErrorMessage: projectArchived, Now: s.Clock.Now(),
	})
	if err != nil {
		return fmt.Errorf("stop ingestions: %w", err)
	}
	return nil
}

// start is Begin in a transaction of its own. It takes the project's lock, as settle does, which
// checks whether anything is left to ingest.
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
	Statuses    []string // only documents in one of these
	RunJobID    string   // the rag job that the runs belong to; empty: none
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

// FirstStep returns the first job of the document's run: to fetch a page that was not fetched yet,
// or to read the file.
func FirstStep(d dbsqlc.Document) river.JobArgs {
	return firstStep(runOf(d), fileOf(d).ObjectKey == nil)
}

// firstStep returns the first job of a run. unread: the document is a page that was not fetched
// yet.
func firstStep(run jobargs.DocumentRun, unread bool) river.JobArgs {
	if unread {
		return jobargs.FetchPage{DocumentRun: run}
	}
	return jobargs.IngestDocument{DocumentRun: run}
}

func runOf(d dbsqlc.Document) jobargs.DocumentRun {
	return jobargs.DocumentRun{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun}
}
