package documents

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/parse"
	"docqa/internal/platform/column"
	"docqa/internal/platform/outbound"
)

// fileOf is the file that a run reads: what is to replace the document's own, where
// something is.
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

// chunking is how the file is cut: as the service's default, or in characters as its
// caller said. An overlap that was left out is a fifth of the size.
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

// fetchPage reads the run's page and stores it as the run's file, so that every later step
// reads the same.
func (g *Ingester) fetchPage(ctx context.Context, d dbsqlc.Document, attempt Attempt) error {
	f := fileOf(d)
	if f.ObjectKey != nil || f.SourceURL == nil {
		return errRunOver()
	}
	file, err := g.readPage(ctx, &f)
	if err != nil {
		return err
	}
	defer file.Close()
	return g.keepPage(ctx, d, attempt, f, file)
}

// readPage reads the file's source to our disk, and writes into f what it is.
func (g *Ingester) readPage(ctx context.Context, f *column.DocumentFile) (file localFile, err error) {
	page, err := g.Pages.Open(ctx, *f.SourceURL)
	if err != nil {
		return file, err
	}
	defer page.Body.Close()
	if file, err = g.spool(page.Body); err != nil {
		return file, err
	}
	if err = checkSize(file.size); err == nil {
		err = g.recognise(page, file, f)
	}
	if err != nil {
		return file, errors.Join(err, file.Close())
	}
	f.SizeBytes = file.size
	return file, nil
}

// recognise writes the format into f: what the site declared decides, the address where
// that says nothing.
func (g *Ingester) recognise(page *outbound.Page, file localFile, f *column.DocumentFile) error {
	format, err := g.Formats.Named("", page.ContentType)
	if err != nil {
		if format, err = g.Formats.Named(pageFile(page.URL), ""); err != nil {
			return err
		}
	}
	head := make([]byte, min(parse.HeadBytes, file.size))
	if _, err := file.ReadAt(head, 0); err != nil {
		return fmt.Errorf("read the head of a page: %w", err)
	}
	if format, err = g.Formats.Sniff("", contentTypeOf(format), head); err != nil {
		return err
	}
	f.Format, f.ContentType, f.Filename = string(format), contentTypeOf(format), pageName(*f.SourceURL, format)
	return nil
}

// keepPage stores the page as the run's file and queues its reading.
func (g *Ingester) keepPage(ctx context.Context, d dbsqlc.Document, attempt Attempt, f column.DocumentFile, file localFile) error {
	key := ownKey(d)
	err := g.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := checkFits(ctx, g.q, tx, d.CompanyID, f.SizeBytes); err != nil {
			return err
		}
		_, err := g.Jobs.InsertManyTx(ctx, tx, removals(d, g.Clock.Now().Add(unclaimedAfter), key))
		return err
	})
	if err != nil {
		return fmt.Errorf("prepare to keep the page: %w", err)
	}
	if err := g.Objects.Put(ctx, key, file, file.size); err != nil {
		return err
	}
	info, err := g.Objects.Stat(ctx, key)
	if err != nil {
		return err
	}
	f.ObjectKey, f.ObjectETag = &key, &info.ETag
	return g.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		if err := g.nameFile(ctx, tx, d, f); err != nil {
			return fmt.Errorf("keep the page: %w", err)
		}
		return g.queue(ctx, tx, d, dbsqlc.DocumentQueuedParams{Stage: "parsing", Progress: shareFetched})
	})
}

// nameFile writes f as the file of the run.
func (g *Ingester) nameFile(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, f column.DocumentFile) error {
	if d.Replacement != nil {
		return g.q.DocumentReplacementFetched(ctx, tx, dbsqlc.DocumentReplacementFetchedParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Replacement: &f, Now: g.Clock.Now(),
		})
	}
	return g.q.DocumentFetched(ctx, tx, dbsqlc.DocumentFetchedParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, ObjectKey: *f.ObjectKey,
		ObjectEtag: *f.ObjectETag, SizeBytes: f.SizeBytes, ContentType: f.ContentType, Format: f.Format, Filename: f.Filename, Now: g.Clock.Now(),
	})
}
