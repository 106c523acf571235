package ingest

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/jobs/jobargs"
)

// unchanged tells whether a replacement would give the chunks that the document already has: the
// bytes, the format, the chunking and the title are the same, and no chunk is missing. Rag clients
// often send documents again that have not changed.
func (s *Service) unchanged(ctx context.Context, d dbsqlc.Document, file localFile) (bool, error) {
	f := d.Replacement
	if f == nil || d.IndexedAt == nil || d.Sha256 == nil || *d.Sha256 != file.sha256 ||
		f.Title != d.Title || f.Format != d.Format || chunking(*f) != chunking(fileOf(withoutReplacement(d))) {
		return false, nil
	}
	held, err := s.q.ChunkCountOfDocument(ctx, s.Store.Pool(), dbsqlc.ChunkCountOfDocumentParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID,
	})
	if err != nil {
		return false, fmt.Errorf("count chunks: %w", err)
	}
	return held == d.ChunkCount, nil
}

func withoutReplacement(d dbsqlc.Document) dbsqlc.Document {
	d.Replacement = nil
	return d
}

// keepIndex ends the run with the chunks that the document has. The file, its name or its metadata
// may have changed, so it activates the replacement.
func (s *Service) keepIndex(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt) error {
	return s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		if err := s.activateReplacement(ctx, tx, d); err != nil {
			return err
		}
		now := s.Clock.Now()
		d, err := s.q.DocumentIndexed(ctx, tx, dbsqlc.DocumentIndexedParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Sha256: *d.Sha256,
			Language: d.Language, PageCount: d.PageCount, LeftOut: d.LeftOut, ChunkCount: d.ChunkCount, Now: now,
		})
		if err != nil {
			return fmt.Errorf("mark as indexed: %w", err)
		}
		if err := outbox.Record(ctx, tx, d.CompanyID, outbox.OfDocument(&d, outbox.DocumentIndexed, d.Filename+" is unchanged", now)); err != nil {
			return err
		}
		return s.settler.settle(ctx, tx, d.CompanyID, d.ProjectID, nil)
	})
}
