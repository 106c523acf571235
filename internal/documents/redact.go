package documents

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/jobs/jobargs"
)

// redactPage is how many rows are redacted in one transaction.
const redactPage = 200

// Ended jobs of a document hold its id and the errors of their attempts, for example the address
// of a page. River itself deletes them only after a day, and failed ones after a week.
const (
	removeEndedJobs = `delete from river_job where args @> jsonb_build_object('document_id', $1::text)
		and state in ('completed', 'cancelled', 'discarded')`
	ingestionRuns = `select exists (select from river_job where args @> jsonb_build_object('document_id', $1::text)
		and kind = 'ingest_document' and state not in ('completed', 'cancelled', 'discarded'))`
)

// Redact removes the data of deleted documents from messages, test runs, the activity feed and
// ended jobs. The text of an answer stays. Rows that are stored later hold no such data: see the
// query DocumentsStay. done is false while an ingestion of a document still runs; the caller
// calls again then. For the worker; repeating it is harmless.
//
// Source: docs/decisions.md#deletion.
func (s *Service) Redact(ctx context.Context, job jobargs.RedactDocuments) (done bool, err error) {
	for n := int32(redactPage); n == redactPage; {
		n, err = s.q.MessagesRedact(ctx, s.Store.Pool(), dbsqlc.MessagesRedactParams{
			CompanyID: job.CompanyID, ProjectID: job.ProjectID, DocumentIds: job.DocumentIDs, RowLimit: redactPage,
		})
		if err != nil {
			return false, fmt.Errorf("redact messages: %w", err)
		}
	}
	err = s.q.TestRunItemsRedact(ctx, s.Store.Pool(), dbsqlc.TestRunItemsRedactParams{
		CompanyID: job.CompanyID, ProjectID: job.ProjectID, DocumentIds: job.DocumentIDs,
	})
	if err != nil {
		return false, fmt.Errorf("redact test runs: %w", err)
	}
	for n := int64(redactPage); n == redactPage; {
		n, err = s.q.ActivityRedact(ctx, s.Store.Pool(), dbsqlc.ActivityRedactParams{
			CompanyID: job.CompanyID, DocumentIds: job.DocumentIDs, RowLimit: redactPage,
		})
		if err != nil {
			return false, fmt.Errorf("redact the activity feed: %w", err)
		}
	}
	return s.removeJobs(ctx, job.DocumentIDs)
}

// removeJobs removes the ended jobs of the documents, and tells whether no ingestion of
// them is left.
func (s *Service) removeJobs(ctx context.Context, documentIDs []string) (done bool, err error) {
	done = true
	for _, id := range documentIDs {
		var runs bool
		if err := s.Store.Pool().QueryRow(ctx, ingestionRuns, id).Scan(&runs); err != nil {
			return false, fmt.Errorf("look for ingestions: %w", err)
		}
		if _, err := s.Store.Pool().Exec(ctx, removeEndedJobs, id); err != nil {
			return false, fmt.Errorf("remove ended jobs: %w", err)
		}
		done = done && !runs
	}
	return done, nil
}
