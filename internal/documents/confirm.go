package documents

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/engine/parse"
	"docqa/internal/outbox"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
)

// Confirm checks the uploaded file. It copies the file to a key that no client can write, and
// checks the copy, so a later PUT to the upload address changes nothing. If the upload was
// confirmed before, Confirm returns the document as it is.
//
// Errors: apperr.Invalid with object_missing, object_empty, object_too_large or
// unsupported_format; apperr.Forbidden if the file does not fit into the plan's storage or the
// plan does not include the project.
//
// Source: main API section 4.5; docs/decisions.md#uploads.
func (s *Service) Confirm(ctx context.Context, companyID, projectID, documentID string) (dbsqlc.Document, error) {
	d, err := s.Get(ctx, companyID, projectID, documentID)
	if err != nil || d.Status != "pending" || d.UploadKey == nil {
		return d, err
	}
	file, err := s.claim(ctx, d)
	if apperr.CodeOf(err) == apperr.CodeObjectMissing { // another call has confirmed it meanwhile, or nothing was uploaded
		if now, again := s.Get(ctx, companyID, projectID, documentID); again != nil || now.Status != d.Status {
			return now, again
		}
	}
	if err != nil {
		return d, err
	}
	return s.confirm(ctx, d, file)
}

// claim checks the upload, copies it and checks the copy.
func (s *Service) claim(ctx context.Context, d dbsqlc.Document) (upload, error) {
	if err := s.checkUpload(ctx, d); err != nil {
		return upload{}, err
	}
	return s.copyUpload(ctx, d)
}

// upload is a checked copy of an uploaded file.
type upload struct {
	key    string
	info   blob.Info
	format parse.Format
}

// checkUpload refuses files that must not be copied: those of a wrong size, which it also
// removes, and those beyond the plan.
func (s *Service) checkUpload(ctx context.Context, d dbsqlc.Document) error {
	info, err := s.Objects.Stat(ctx, *d.UploadKey)
	if errors.Is(err, blob.ErrNotFound) {
		return errObjectMissing()
	}
	if err != nil {
		return err
	}
	if err := files.CheckSize(info.Size); err != nil {
		return errors.Join(err, s.Objects.Remove(ctx, *d.UploadKey))
	}
	return s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.CheckProject(ctx, tx, d.CompanyID, d.ProjectID); err != nil {
			return err
		}
		return planlimit.CheckStorage(ctx, tx, d.CompanyID, info.Size)
	})
}

// copyUpload copies the upload to its final key and checks the copy. Before that it inserts the
// job that removes the copy if no document names it later.
func (s *Service) copyUpload(ctx context.Context, d dbsqlc.Document) (upload, error) {
	file := upload{key: files.OwnKey(d)}
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.Jobs.InsertManyTx(ctx, tx, files.Removals(d, s.Clock.Now().Add(files.UnclaimedAfter), file.key))
		return err
	})
	if err != nil {
		return file, fmt.Errorf("prepare the copy of an upload: %w", err)
	}
	if err := s.Objects.Copy(ctx, *d.UploadKey, file.key); err != nil {
		if errors.Is(err, blob.ErrNotFound) {
			err = errObjectMissing()
		}
		return file, err
	}
	if file.info, err = s.Objects.Stat(ctx, file.key); err != nil {
		return file, err
	}
	if err = files.CheckSize(file.info.Size); err == nil {
		file.format, err = s.sniff(ctx, file, d)
	}
	if err != nil {
		return file, errors.Join(err, s.Objects.Remove(ctx, file.key))
	}
	return file, nil
}

// sniff compares the first bytes of the copy with the format of its name and media type.
func (s *Service) sniff(ctx context.Context, file upload, d dbsqlc.Document) (parse.Format, error) {
	head, err := files.Head(ctx, s.Objects, file.key, file.info.Size)
	if err != nil {
		return "", err
	}
	return s.Formats.Sniff(d.Filename, d.ContentType, head)
}

// confirm makes the checked copy the document's file. If another call was faster, it returns the
// document as that call left it.
func (s *Service) confirm(ctx context.Context, d dbsqlc.Document, file upload) (confirmed dbsqlc.Document, err error) {
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.CheckStorage(ctx, tx, d.CompanyID, file.info.Size); err != nil {
			return err
		}
		now := s.Clock.Now()
		confirmed, err = s.q.DocumentConfirm(ctx, tx, dbsqlc.DocumentConfirmParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, ObjectKey: &file.key,
			ObjectEtag: &file.info.ETag, SizeBytes: file.info.Size, Format: string(file.format),
			ContentType: files.ContentType(file.format), Now: now,
		})
		if err != nil {
			return err
		}
		if err := outbox.Record(ctx, tx, confirmed.CompanyID, outbox.OfDocument(&confirmed, outbox.DocumentUploaded, d.Filename+" was uploaded", now)); err != nil {
			return err
		}
		_, err = s.Jobs.InsertManyTx(ctx, tx, files.UploadRemovals(d, now))
		return err
	})
	if store.IsNoRows(err) {
		return s.Get(ctx, d.CompanyID, d.ProjectID, d.DocumentID)
	}
	if err != nil {
		return d, fmt.Errorf("confirm upload: %w", err)
	}
	return confirmed, nil
}
