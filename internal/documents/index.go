package documents

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"
	"github.com/riverqueue/river"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/chunkfile"
	"docqa/internal/engine/lexical"
	"docqa/internal/store"
	"docqa/jobs/jobargs"
)

// batchRows bounds what is sent to the database at once.
const batchRows = 500

// The shares of a run that are done when its stages begin.
const (
	shareFetched = 0.02
	shareReading = 0.05
	shareStoring = 0.4
)

// store stores the last slice and makes the document searchable, by words: its vectors
// follow by a job of their own.
func (g *Ingester) store(ctx context.Context, d dbsqlc.Document, attempt Attempt, last slice) error {
	return g.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
		if err := g.promote(ctx, tx, d); err != nil {
			return err
		}
		if err := g.replaceChunks(ctx, tx, d, last); err != nil {
			return err
		}
		now, count := g.Clock.Now(), int32(last.after.Chunks)
		added := count - d.ChunkCount
		d, err := g.q.DocumentIndexed(ctx, tx, dbsqlc.DocumentIndexedParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Sha256: last.after.SHA256,
			Language: given(last.after.Language), PageCount: last.after.Pages, ChunkCount: count, VectorModels: []string{}, Now: now,
		})
		if err != nil {
			return fmt.Errorf("mark as indexed: %w", err)
		}
		if err := record(ctx, tx, d, "indexed", d.Filename+" is ready for answers", now); err != nil {
			return err
		}
		if err := g.settler.settle(ctx, tx, d.CompanyID, d.ProjectID, &added); err != nil {
			return err
		}
		return g.wantVectors(ctx, tx, d)
	})
}

// wantVectors has the vectors of the new chunks made, under the project's lock, which orders
// it with the job that ends because no chunk lacks one.
func (g *Ingester) wantVectors(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
	active, err := vectorModel(ctx, g.q, tx, d.CompanyID, d.ProjectID)
	if err != nil {
		return err
	}
	if active == "" && g.Vectors.Default() == "" {
		return nil // where a process has a model, it looks for projects without one
	}
	err = g.q.ProjectVectorsPartial(ctx, tx, dbsqlc.ProjectVectorsPartialParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID})
	if err != nil {
		return fmt.Errorf("note the missing vectors: %w", err)
	}
	_, err = g.Jobs.InsertManyTx(ctx, tx, []river.InsertManyParams{
		{Args: jobargs.BuildVectors{CompanyID: d.CompanyID, ProjectID: d.ProjectID}},
	})
	return err
}

// promote makes the file that was read the document's own, where it was to replace it.
func (g *Ingester) promote(ctx context.Context, tx pgx.Tx, d dbsqlc.Document) error {
	f := d.Replacement
	if f == nil {
		return nil
	}
	err := g.q.DocumentPromote(ctx, tx, dbsqlc.DocumentPromoteParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Filename: f.Filename, Title: f.Title,
		ContentType: f.ContentType, Format: f.Format, SizeBytes: f.SizeBytes, SourceURL: f.SourceURL, ObjectKey: f.ObjectKey,
		ObjectEtag: f.ObjectETag, Metadata: f.Metadata, ChunkSize: f.ChunkSize, ChunkOverlap: f.ChunkOverlap,
	})
	if err == nil && d.ObjectKey != nil {
		_, err = g.Jobs.InsertManyTx(ctx, tx, removals(d, time.Time{}, *d.ObjectKey))
	}
	if err != nil {
		return fmt.Errorf("replace the file: %w", err)
	}
	return nil
}

// outcome runs write in the transaction that ends a step: the job first, then the document,
// which is handed over locked, each only while they are this attempt's and this run's.
func (g *Ingester) outcome(ctx context.Context, d dbsqlc.Document, attempt Attempt, write func(context.Context, pgx.Tx, dbsqlc.Document) error) error {
	return g.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := attempt.Claim(ctx, tx); err != nil {
			return err
		}
		d, err := g.q.DocumentRunLock(ctx, tx, dbsqlc.DocumentRunLockParams{
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

// replaceChunks has the chunks that were read searched in place of those from before.
func (g *Ingester) replaceChunks(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, last slice) error {
	if err := g.stage(ctx, tx, d, last.records); err != nil {
		return err
	}
	_, err := g.q.ChunkDeleteByDocument(ctx, tx, dbsqlc.ChunkDeleteByDocumentParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID,
	})
	if err != nil {
		return fmt.Errorf("delete the chunks before: %w", err)
	}
	err = g.q.ChunksFromStage(ctx, tx, dbsqlc.ChunksFromStageParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
	if err != nil {
		return fmt.Errorf("insert chunks: %w", err)
	}
	err = g.q.ChunkTermsFromStage(ctx, tx, dbsqlc.ChunkTermsFromStageParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
	if err != nil {
		return fmt.Errorf("insert terms: %w", err)
	}
	if err := g.dropWork(ctx, tx, d); err != nil || d.Work != nil {
		return err
	}
	err = g.q.ChunkStageDelete(ctx, tx, dbsqlc.ChunkStageDeleteParams{CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID})
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
		Terms: pgvector.NewSparseVectorFromMap(elements, lexical.Dimensions),
	}
	if c.Page > 0 {
		page := int32(c.Page)
		row.Page = &page
	}
	return row
}
