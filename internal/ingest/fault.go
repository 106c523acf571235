package ingest

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/engine/parse"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/blob"
	"docqa/jobs/jobargs"
)

// fault says why an ingestion failed, in words for the owner of the document.
type fault struct {
	code      string
	message   string
	retryable bool // whether another ingestion may succeed
}

// faultOf returns the fault that err stands for. ok is false if err is not the fault of the file.
func faultOf(err error) (f fault, ok bool) {
	e, ok := errors.AsType[*apperr.Error](err)
	if ok && (e.Kind == apperr.KindInvalidInput || e.Kind == apperr.KindForbidden || e.Code == parse.CodeTimeout) {
		return fault{code: string(e.Code), message: e.Message, retryable: e.Code == parse.CodeTimeout || e.Code == apperr.CodeCrawlUnreachable}, true
	}
	if errors.Is(err, blob.ErrNotFound) {
		return fault{code: "object_missing", message: "the stored file is gone"}, true
	}
	return fault{}, false
}

// lastFault is the fault of a document whose last attempt failed with a temporary error.
func lastFault() fault {
	return fault{code: "internal_error", message: "the document could not be processed", retryable: true}
}

// retryFullDisk is how long a document waits for free space on the disk. The attempt does not
// count, so it waits until its deadline at most.
const retryFullDisk = 5 * time.Second

// errDiskFull says that the disk for temporary files is full, or that no more files can be
// opened. That is temporary and not the fault of the file.
func errDiskFull(cause error) error {
	e := apperr.New(apperr.KindRateLimited, apperr.CodeDiskFull, "there is no space left on the disk")
	e.RetryAfter = retryFullDisk
	return e.Wrap(cause)
}

func isDiskFull(err error) bool {
	for _, code := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}

// The fault of documents whose project was archived while they were being ingested.
const (
	codeProjectArchived = "project_archived"
	projectArchived     = "the project was archived"
)

// failTimeout limits marking a document as failed. It is a limit of its own, since the time of
// the attempt may be used up.
const failTimeout = 15 * time.Second

// fail ends the run with a fault and completes its job. The chunks of an earlier run stay
// searchable.
func (s *Service) fail(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt, f fault) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failTimeout)
	defer cancel()
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, before dbsqlc.Document) error {
		now := s.Clock.Now()
		d, err := s.q.DocumentFailed(ctx, tx, dbsqlc.DocumentFailedParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun,
			ErrorCode: f.code, ErrorMessage: f.message, ErrorRetryable: f.retryable, Now: now,
		})
		if err != nil {
			return fmt.Errorf("mark as failed: %w", err)
		}
		if err := s.forgetPage(ctx, tx, d); err != nil {
			return err
		}
		if err := s.dropWork(ctx, tx, before); err != nil {
			return err
		}
		if err := outbox.Record(ctx, tx, d.CompanyID, outbox.OfDocument(&d, outbox.DocumentFailed, d.Filename+" could not be processed: "+f.message, now)); err != nil {
			return err
		}
		return s.settler.settle(ctx, tx, d.CompanyID, d.ProjectID, nil)
	})
}

// forgetPage removes a page that could not be indexed, so that the next run fetches it again.
func (s *Service) forgetPage(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
	f := fileOf(d)
	if d.SourceType != SourceTypeAPI || f.SourceURL == nil || f.ObjectKey == nil {
		return nil
	}
	err := s.q.DocumentForgetFile(ctx, tx, dbsqlc.DocumentForgetFileParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID,
	})
	if err == nil {
		_, err = s.Jobs.InsertManyTx(ctx, tx, files.Removals(d, time.Time{}, *f.ObjectKey))
	}
	if err != nil {
		return fmt.Errorf("drop the page: %w", err)
	}
	return nil
}

// SourceTypeAPI is the source_type of documents that rag clients bring.
const SourceTypeAPI = "api"
