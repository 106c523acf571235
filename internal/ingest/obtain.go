package ingest

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/parse"
	"docqa/internal/planlimit"
	"docqa/internal/platform/column"
	"docqa/internal/platform/outbound"
	"docqa/jobs/jobargs"
)

// fileOf returns the file that a run reads: the replacement if there is one, else the
// document's file.
func fileOf(d dbsqlc.Document) column.DocumentFile {
	if d.Replacement != nil {
		return *d.Replacement
	}
	return column.DocumentFile{
		Filename: d.Filename, Title: d.Title, ContentType: d.ContentType, Format: d.Format, SizeBytes: d.SizeBytes,
		SourceURL: d.SourceURL, ObjectKey: d.ObjectKey, ObjectETag: d.ObjectEtag, Metadata: d.Metadata,
		ChunkSize: d.ChunkSize, ChunkOverlap: d.ChunkOverlap,
	}
}

// chunking returns how to cut the file: by the service's default, or by the caller's size and
// overlap in characters. The default overlap is a fifth of the size.
func chunking(f column.DocumentFile) chunk.Options {
	if f.ChunkSize == nil && f.ChunkOverlap == nil {
		return chunk.Options{}
	}
	o := chunk.Options{Characters: defaultChunkSize}
	if f.ChunkSize != nil {
		o.Characters = int(*f.ChunkSize)
	}
	o.Overlap = o.Characters / 5
	if f.ChunkOverlap != nil {
		o.Overlap = int(*f.ChunkOverlap)
	}
	return o
}

// fetchPage fetches the run's page and stores it as the run's file, so that every later step
// reads the same bytes.
func (s *Service) fetchPage(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt) error {
	f := fileOf(d)
	if f.ObjectKey != nil || f.SourceURL == nil {
		return errRunOver()
	}
	file, err := s.readPage(ctx, &f)
	if err != nil {
		return err
	}
	defer file.Close()
	return s.storePage(ctx, d, attempt, f, file)
}

// readPage fetches f's source to a temporary file, and writes its format, name and size into f.
func (s *Service) readPage(ctx context.Context, f *column.DocumentFile) (file localFile, err error) {
	page, err := s.Pages.Open(ctx, *f.SourceURL)
	if err != nil {
		return file, err
	}
	defer page.Body.Close()
	if file, err = s.spool(page.Body); err != nil {
		return file, err
	}
	if err = files.CheckSize(file.size); err == nil {
		err = s.detectFormat(page, file, f)
	}
	if err != nil {
		return file, errors.Join(err, file.Close())
	}
	f.SizeBytes = file.size
	return file, nil
}

// detectFormat writes the format into f. The media type that the site declared decides, or the
// address if the media type names no format.
func (s *Service) detectFormat(page *outbound.Page, file localFile, f *column.DocumentFile) error {
	format, err := s.Formats.Named("", page.ContentType)
	if err != nil {
		if format, err = s.Formats.Named(files.PageFile(page.URL), ""); err != nil {
			return err
		}
	}
	head := make([]byte, min(parse.HeadBytes, file.size))
	if _, err := file.ReadAt(head, 0); err != nil {
		return fmt.Errorf("read the head of a page: %w", err)
	}
	if format, err = s.Formats.Sniff("", files.ContentType(format), head); err != nil {
		return err
	}
	f.Format, f.ContentType, f.Filename = string(format), files.ContentType(format), files.PageName(*f.SourceURL, format)
	return nil
}

// storePage stores the page as the run's file and queues the step that reads it.
func (s *Service) storePage(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt, f column.DocumentFile, file localFile) error {
	key := files.OwnKey(d)
	err := s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := planlimit.CheckStorage(ctx, tx, d.CompanyID, f.SizeBytes); err != nil {
			return err
		}
		_, err := s.Jobs.InsertManyTx(ctx, tx, files.Removals(d, s.Clock.Now().Add(files.UnclaimedAfter), key))
		return err
	})
	if err != nil {
		return fmt.Errorf("insert the cleanup of the page: %w", err)
	}
	if err := s.Objects.Put(ctx, key, file, file.size); err != nil {
		return err
	}
	info, err := s.Objects.Stat(ctx, key)
	if err != nil {
		return err
	}
	f.ObjectKey, f.ObjectETag = &key, &info.ETag
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		if err := s.nameFile(ctx, tx, d, f); err != nil {
			return fmt.Errorf("store the page: %w", err)
		}
		return s.queue(ctx, tx, d, dbsqlc.DocumentQueuedParams{Stage: "parsing", Progress: shareFetched})
	})
}

// nameFile writes f as the file of the run.
func (s *Service) nameFile(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, f column.DocumentFile) error {
	if d.Replacement != nil {
		return s.q.DocumentReplacementFetched(ctx, tx, dbsqlc.DocumentReplacementFetchedParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Replacement: &f, Now: s.Clock.Now(),
		})
	}
	return s.q.DocumentFetched(ctx, tx, dbsqlc.DocumentFetchedParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, ObjectKey: *f.ObjectKey,
		ObjectEtag: *f.ObjectETag, SizeBytes: f.SizeBytes, ContentType: f.ContentType, Format: f.Format, Filename: f.Filename, Now: s.Clock.Now(),
	})
}
