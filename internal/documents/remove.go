package documents

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// Delete removes a document in any status. It deletes the row and the chunks at once and inserts
// jobs that remove the stored objects. An ingestion that runs then fails, because its document is
// gone. Delete returns how many chunks the document had. A second call is apperr.NotFound.
//
// Source: main API section 4.5; docs/decisions.md#document-states, #deletion.
func (s *Service) Delete(ctx context.Context, companyID, projectID, documentID string) (chunks int, err error) {
	if !ids.Valid(ids.Document, documentID) {
		return 0, apperr.NotFound()
	}
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		d, err := s.q.DocumentGetForUpdate(ctx, tx, dbsqlc.DocumentGetForUpdateParams{
			CompanyID: companyID, ProjectID: projectID, DocumentID: documentID,
		})
		if err != nil {
			return store.RowError("lock document", err)
		}
		if chunks, err = s.removeRows(ctx, tx, d); err != nil {
			return err
		}
		err = outbox.Record(ctx, tx, companyID, outbox.Event{ // without the name, which is deleted with the document
			Type: "document.deleted", ProjectID: projectID, ResourceType: "document", ResourceID: documentID, Summary: "a document was deleted", At: s.Clock.Now(),
		})
		if err != nil {
			return err
		}
		if err := s.ScheduleCleanup(ctx, tx, d); err != nil {
			return err
		}
		_, err = s.Jobs.InsertTx(ctx, tx, jobargs.SettleProject{CompanyID: companyID, ProjectID: projectID}, nil)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("delete document: %w", err)
	}
	return chunks, nil
}

// removeRows deletes the rows of a document that is locked, and returns how many chunks it had.
func (s *Service) removeRows(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) (chunks int, err error) {
	now := s.Clock.Now()
	err = s.q.DeletedIDsNote(ctx, tx, dbsqlc.DeletedIDsNoteParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: &d.DocumentID, Now: now,
	})
	if err != nil {
		return 0, fmt.Errorf("note the deleted id: %w", err)
	}
	n, err := s.q.ChunkDeleteByDocument(ctx, tx, dbsqlc.ChunkDeleteByDocumentParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID,
	})
	if err != nil {
		return 0, fmt.Errorf("delete chunks: %w", err)
	}
	if _, err := s.q.DocumentDelete(ctx, tx, dbsqlc.DocumentDeleteParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID,
	}); err != nil {
		return 0, store.RowError("delete document", err)
	}
	if d.ChunkCount == 0 {
		return int(n), nil
	}
	err = s.q.LexstatsChanged(ctx, tx, dbsqlc.LexstatsChangedParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, Added: -d.ChunkCount, Now: now,
	})
	if err != nil {
		return 0, fmt.Errorf("mark the statistics: %w", err)
	}
	return int(n), nil
}

// ScheduleCleanup inserts the jobs that remove the objects of deleted documents and redact other
// rows. The documents must be of one project.
func (s *Service) ScheduleCleanup(ctx context.Context, tx pgx.Tx, all ...dbsqlc.Document) error {
	redact := jobargs.RedactDocuments{CompanyID: all[0].CompanyID, ProjectID: all[0].ProjectID}
	var jobs []river.InsertManyParams
	for _, d := range all {
		redact.DocumentIDs = append(redact.DocumentIDs, d.DocumentID)
		jobs = append(jobs, files.Removals(d, time.Time{}, files.KeysOf(d)...)...)
		if d.UploadKey != nil {
			jobs = append(jobs, files.UploadRemovals(d, s.Clock.Now())...)
		}
	}
	jobs = append(jobs, river.InsertManyParams{Args: redact})
	if _, err := s.Jobs.InsertManyTx(ctx, tx, jobs); err != nil {
		return fmt.Errorf("insert removals: %w", err)
	}
	return nil
}

// RemoveObject deletes a stored object, unless the document names it. For the worker; repeating it
// is harmless. Error: apperr.KindRateLimited while slices are still stored from the object.
func (s *Service) RemoveObject(ctx context.Context, job jobargs.RemoveObject) error {
	d, err := s.Get(ctx, job.CompanyID, job.ProjectID, job.DocumentID)
	if err != nil && apperr.KindOf(err) != apperr.KindNotFound {
		return err
	}
	if err == nil && d.Work != nil && d.Work.ObjectKey == job.Key {
		return errStillRead()
	}
	if err == nil && slices.Contains(files.KeysOf(d), job.Key) {
		return nil
	}
	return s.Objects.Remove(ctx, job.Key)
}

// errStillRead says that the object is still needed and must be removed later.
func errStillRead() error {
	e := apperr.New(apperr.KindRateLimited, apperr.CodeStillRead, "the object is still being read")
	e.RetryAfter = files.UnclaimedAfter
	return e
}
