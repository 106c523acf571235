package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/parse"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
	"docqa/internal/provider/blob"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// unclaimedAfter is when a copy that no document came to name is removed.
const unclaimedAfter = time.Hour

// Confirm checks the uploaded file and takes it over. It copies the file to a key that
// no client can write, and judges the copy: what is PUT to the upload address later
// changes nothing. Repeated, it returns the document as it is.
//
// apperr.Invalid with object_missing, object_empty, object_too_large or
// unsupported_format; apperr.Forbidden when the file does not fit into the plan's storage
// or the plan does not include the project.
//
// Source: main API section 4.5; docs/decisions.md#uploads.
func (s *Service) Confirm(ctx context.Context, companyID, projectID, documentID string) (dbsqlc.Document, error) {
	d, err := s.Get(ctx, companyID, projectID, documentID)
	if err != nil || d.Status != "pending" || d.UploadKey == nil {
		return d, err
	}
	file, err := s.claim(ctx, d)
	if apperr.CodeOf(err) == codeObjectMissing { // taken over by another call meanwhile, or never there
		if now, again := s.Get(ctx, companyID, projectID, documentID); again != nil || now.Status != d.Status {
			return now, again
		}
	}
	if err != nil {
		return d, err
	}
	return s.confirm(ctx, d, file)
}

// claim checks the upload and copies it.
func (s *Service) claim(ctx context.Context, d dbsqlc.Document) (upload, error) {
	if err := s.checkUpload(ctx, d); err != nil {
		return upload{}, err
	}
	return s.takeOver(ctx, d)
}

// upload is a file that was judged good.
type upload struct {
	key    string
	info   blob.Info
	format parse.Format
}

// checkUpload refuses what must not even be copied. A file that can never be good is removed.
func (s *Service) checkUpload(ctx context.Context, d dbsqlc.Document) error {
	info, err := s.Objects.Stat(ctx, *d.UploadKey)
	if errors.Is(err, blob.ErrNotFound) {
		return errObjectMissing()
	}
	if err != nil {
		return err
	}
	if err := checkSize(info.Size); err != nil {
		return errors.Join(err, s.Objects.Remove(ctx, *d.UploadKey))
	}
	return s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.CheckProject(ctx, tx, d.CompanyID, d.ProjectID); err != nil {
			return err
		}
		return checkFits(ctx, s.q, tx, d.CompanyID, info.Size)
	})
}

func checkSize(size int64) error {
	switch {
	case size == 0:
		return errObjectEmpty()
	case size > limits.DocumentBytes:
		return errObjectTooLarge()
	}
	return nil
}

// takeOver copies the upload to its final key and judges the copy. Should nobody come
// to name the copy, the job that is made first removes it.
func (s *Service) takeOver(ctx context.Context, d dbsqlc.Document) (upload, error) {
	file := upload{key: ownKey(d)}
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := s.Jobs.InsertManyTx(ctx, tx, removals(d, s.Clock.Now().Add(unclaimedAfter), file.key))
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
	if err = checkSize(file.info.Size); err == nil {
		file.format, err = s.sniffObject(ctx, file.key, file.info.Size, d.Filename, d.ContentType)
	}
	if err != nil {
		return file, errors.Join(err, s.Objects.Remove(ctx, file.key))
	}
	return file, nil
}

// sniffObject compares an object's first bytes with what its name says.
func (s *Service) sniffObject(ctx context.Context, key string, size int64, name, contentType string) (parse.Format, error) {
	body, err := s.Objects.GetRange(ctx, key, 0, min(parse.HeadBytes, size))
	if err != nil {
		return "", err
	}
	defer body.Close()
	head, err := io.ReadAll(io.LimitReader(body, parse.HeadBytes))
	if err != nil {
		return "", fmt.Errorf("read the head of an upload: %w", err)
	}
	return s.Formats.Sniff(name, contentType, head)
}

// confirm makes the checked file the document's, unless another call was faster or
// the storage does not hold it.
func (s *Service) confirm(ctx context.Context, d dbsqlc.Document, file upload) (confirmed dbsqlc.Document, err error) {
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := checkFits(ctx, s.q, tx, d.CompanyID, file.info.Size); err != nil {
			return err
		}
		now := s.Clock.Now()
		confirmed, err = s.q.DocumentConfirm(ctx, tx, dbsqlc.DocumentConfirmParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, ObjectKey: &file.key,
			ObjectEtag: &file.info.ETag, SizeBytes: file.info.Size, Format: string(file.format),
			ContentType: contentTypeOf(file.format), Now: now,
		})
		if err != nil {
			return err
		}
		if err := record(ctx, tx, confirmed, "uploaded", d.Filename+" was uploaded", now); err != nil {
			return err
		}
		_, err = s.Jobs.InsertManyTx(ctx, tx, s.removeUpload(d))
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

// checkFits refuses a file that would bring the company over its plan's storage.
// Calls of one company go one after the other from here on.
func checkFits(ctx context.Context, q *dbsqlc.Queries, tx pgx.Tx, companyID string, size int64) error {
	plan, err := q.CompanyPlanLock(ctx, tx, companyID)
	if err != nil {
		return notFound("lock the plan", err)
	}
	used, err := q.DocumentStorageUsed(ctx, tx, companyID)
	if err != nil {
		return fmt.Errorf("count storage: %w", err)
	}
	if used+size > limits.PlanOf(plan).StorageBytes() {
		return errStorageFull()
	}
	return nil
}

// removeUpload removes what was PUT to the upload's addresses: now, and once more when
// nothing can be PUT there any longer.
func (s *Service) removeUpload(d dbsqlc.Document) []river.InsertManyParams {
	keys := []string{*d.UploadKey, *d.UploadKey + metadataSuffix}
	jobs := removals(d, time.Time{}, keys...)
	if closes := d.CreatedAt.Add(uploadWindow + time.Minute); closes.After(s.Clock.Now()) {
		jobs = append(jobs, removals(d, closes, keys...)...)
	}
	return jobs
}

// removals are the jobs that remove objects of the document; the zero time is now.
func removals(d dbsqlc.Document, at time.Time, keys ...string) []river.InsertManyParams {
	jobs := make([]river.InsertManyParams, len(keys))
	for i, key := range keys {
		jobs[i].Args = jobargs.RemoveObject{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Key: key}
		if !at.IsZero() {
			jobs[i].InsertOpts = &river.InsertOpts{ScheduledAt: at}
		}
	}
	return jobs
}
