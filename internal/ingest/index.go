package ingest

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/documents/files"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/lexical"
	"docqa/internal/outbox"
	"docqa/internal/platform/column"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// batchRows limits the rows that are sent to the database at once.
const batchRows = 500

// The shares of a run that are done when its stages begin.
const (
	shareFetched = 0.02
	shareReading = 0.05
	shareStoring = 0.4
)

// store stores the last slice and makes the document searchable by words. Another job makes its
// vectors.
func (s *Service) store(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt, last slice) error {
	err := s.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		if err := s.activateReplacement(ctx, tx, d); err != nil {
			return err
		}
		if err := s.replaceChunks(ctx, tx, d, last); err != nil {
			return err
		}
		now, count := s.Clock.Now(), int32(last.after.Chunks)
		added := count - d.ChunkCount
		d, err := s.q.DocumentIndexed(ctx, tx, dbsqlc.DocumentIndexedParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Sha256: last.after.SHA256,
			Language: column.NullIfEmpty(last.after.Language), PageCount: last.after.Pages,
			LeftOut: last.after.LeftOut, ChunkCount: count, VectorModels: []string{}, Now: now,
		})
		if err != nil {
			return fmt.Errorf("mark as indexed: %w", err)
		}
		if err := outbox.Record(ctx, tx, d.CompanyID, outbox.OfDocument(&d, outbox.DocumentIndexed, d.Filename+" is ready for answers", now)); err != nil {
			return err
		}
		if err := s.settler.settle(ctx, tx, d.CompanyID, d.ProjectID, &added); err != nil {
			return err
		}
		return s.wantVectors(ctx, tx, d)
	})
	if err == nil {
		s.logIndexed(ctx, d, &last.after)
	}
	return err
}

// logIndexed says how much of the file is indexed, and what is not.
func (s *Service) logIndexed(ctx context.Context, d dbsqlc.Document, work *column.IngestWork) {
	attrs := []any{slog.String("document_id", d.DocumentID), slog.String("format", d.Format), slog.Int("chunks", work.Chunks)}
	if l := work.LeftOut; l != nil {
		attrs = append(attrs, slog.Int("characters", l.Characters), slog.Float64("left_out_share", l.Share(l.Total())))
		for _, part := range l.Reasons {
			attrs = append(attrs, slog.Int("left_out_"+part.Reason, part.Characters))
		}
	}
	s.Logger.InfoContext(ctx, "document indexed", attrs...)
}

// wantVectors inserts the job that makes the vectors of the new chunks. It runs under the
// project's lock, so that a job for vectors that is just ending does not miss the new chunks.
func (s *Service) wantVectors(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
	model, err := s.q.ProjectVectorModel(ctx, tx, dbsqlc.ProjectVectorModelParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID})
	if err != nil && !store.IsNoRows(err) {
		return fmt.Errorf("find the project's model: %w", err)
	}
	if model.VectorModel == "" && s.Vectors.Default() == "" {
		return nil // a process with a model looks for projects without one
	}
	err = s.q.ProjectVectorsPartial(ctx, tx, dbsqlc.ProjectVectorsPartialParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID})
	if err != nil {
		return fmt.Errorf("note the missing vectors: %w", err)
	}
	_, err = s.Jobs.InsertManyTx(ctx, tx, []river.InsertManyParams{
		{Args: jobargs.BuildVectors{CompanyID: d.CompanyID, ProjectID: d.ProjectID}},
	})
	return err
}

// activateReplacement makes the replacement, if there is one, the document's file.
func (s *Service) activateReplacement(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
	f := d.Replacement
	if f == nil {
		return nil
	}
	err := s.q.DocumentActivateReplacement(ctx, tx, dbsqlc.DocumentActivateReplacementParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Filename: f.Filename, Title: f.Title,
		ContentType: f.ContentType, Format: f.Format, SizeBytes: f.SizeBytes, SourceURL: f.SourceURL, ObjectKey: f.ObjectKey,
		ObjectEtag: f.ObjectETag, Metadata: f.Metadata, ChunkSize: f.ChunkSize, ChunkOverlap: f.ChunkOverlap,
	})
	if err == nil && d.ObjectKey != nil {
		_, err = s.Jobs.InsertManyTx(ctx, tx, files.Removals(d, time.Time{}, *d.ObjectKey))
	}
	if err != nil {
		return fmt.Errorf("replace the file: %w", err)
	}
	return nil
}

// outcome runs write in the transaction that ends a step. It first completes the job, if this
// attempt is still its current one, and then locks the document, if this run is still its
// current one. write gets the locked document.
func (s *Service) outcome(ctx context.Context, d dbsqlc.Document, attempt jobargs.Attempt, write func(context.Context, pgx.Tx, dbsqlc.Document) error) error {
	return s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := attempt.Claim(ctx, tx); err != nil {
			return err
		}
		d, err := s.q.DocumentRunLock(ctx, tx, dbsqlc.DocumentRunLockParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun,
		})
		if store.IsNoRows(err) {
			return errRunOver()
		}
		if err != nil {
			return fmt.Errorf("lock document: %w", err)
		}
		return write(ctx, tx, d)
	})
}

// replaceChunks replaces the document's searchable chunks by the ones that were read.
func (s *Service) replaceChunks(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, last slice) error {
	if err := s.stage(ctx, tx, d, last.records); err != nil {
		return err
	}
	_, err := s.q.ChunkDeleteByDocument(ctx, tx, dbsqlc.ChunkDeleteByDocumentParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID,
	})
	if err != nil {
		return fmt.Errorf("delete the old chunks: %w", err)
	}
	err = s.q.ChunksFromStage(ctx, tx, dbsqlc.ChunksFromStageParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
	if err != nil {
		return fmt.Errorf("insert chunks: %w", err)
	}
	err = s.q.ChunkTermsFromStage(ctx, tx, dbsqlc.ChunkTermsFromStageParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
	if err != nil {
		return fmt.Errorf("insert terms: %w", err)
	}
	if err := s.dropWork(ctx, tx, d); err != nil || d.Work != nil {
		return err
	}
	err = s.q.ChunkStageDelete(ctx, tx, dbsqlc.ChunkStageDeleteParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
	if err != nil {
		return fmt.Errorf("drop the slice: %w", err)
	}
	return nil
}

func stageRow(d dbsqlc.Document, c *chunkfile.Record) dbsqlc.ChunkStageInsertParams {
	elements := make(map[int32]float32, len(c.Terms))
	for _, t := range c.Terms {
		elements[t.Index] = t.Weight
	}
	row := dbsqlc.ChunkStageInsertParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Ordinal: int32(c.Ordinal),
		StartOffset: int32(c.Start), EndOffset: int32(c.End), HeadingPath: c.HeadingPath, Context: c.Context, Body: c.Text, Lead: c.Lead, Stems: c.Places,
		Blocks: c.Marks.Pack(),
		Terms:  pgvector.NewSparseVectorFromMap(elements, lexical.Dimensions),
	}
	if c.Page > 0 {
		page := int32(c.Page)
		row.Page = &page
	}
	return row
}
