package documents

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/store"
	"docqa/internal/vectors"
)

// batchRows bounds what is sent to the database at once.
const batchRows = 500

// indexed is what an ingestion has found in a file.
type indexed struct {
	chunks   []chunk.Chunk
	terms    []pgvector.SparseVector // one for each chunk
	places   [][]byte                // of the words of each chunk
	readings []vectors.Reading       // one for each chunk, or none
	model    string                  // that made them; empty: none did
	language *string                 // BCP 47, nil where it is not known
	pages    *int32
	sha256   string
}

// index makes the term vectors of the chunks.
func index(text *doc.Document, chunks []chunk.Chunk) indexed {
	language := lexical.Detect(text.Beginning())
	found := indexed{chunks: chunks, terms: make([]pgvector.SparseVector, len(chunks)), places: make([][]byte, len(chunks)), language: given(language.Code())}
	indexer := lexical.NewIndexer(language)
	for i, c := range chunks {
		terms := indexer.Terms(lexical.Passage{Title: c.Title, HeadingPath: c.HeadingPath, Context: c.Context, Body: c.Text})
		elements := make(map[int32]float32, len(terms))
		for _, t := range terms {
			elements[t.Index] = t.Weight
		}
		found.places[i] = indexer.Places(c.Text)
		found.terms[i] = pgvector.NewSparseVectorFromMap(elements, lexical.Dimensions)
	}
	return found
}

// store writes the outcome of a run and completes its job.
func (g *Ingester) store(ctx context.Context, d dbsqlc.Document, attempt Attempt, found indexed) error {
	return g.outcome(ctx, d, attempt, func(ctx context.Context, tx pgx.Tx) error {
		if err := g.promote(ctx, tx, d); err != nil {
			return err
		}
		if err := g.replaceChunks(ctx, tx, d, found); err != nil {
			return err
		}
		now, added := g.Clock.Now(), int32(len(found.chunks))-d.ChunkCount
		d, err := g.q.DocumentIndexed(ctx, tx, dbsqlc.DocumentIndexedParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun, Sha256: found.sha256,
			Language: found.language, PageCount: found.pages, ChunkCount: int32(len(found.chunks)), Now: now,
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
		return g.adopt(ctx, tx, d, found)
	})
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

// outcome runs write in the transaction that ends the run: the job first, then the
// document, each only while they are this attempt's and this run's.
func (g *Ingester) outcome(ctx context.Context, d dbsqlc.Document, attempt Attempt, write func(context.Context, pgx.Tx) error) error {
	return g.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := attempt.Claim(ctx, tx); err != nil {
			return err
		}
		_, err := g.q.DocumentRunLock(ctx, tx, dbsqlc.DocumentRunLockParams{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID, Run: d.IngestRun,
		})
		if store.IsNoRows(err) {
			return errRunOver()
		}
		if err != nil {
			return fmt.Errorf("lock document: %w", err)
		}
		return write(ctx, tx)
	})
}

func (g *Ingester) replaceChunks(ctx context.Context, tx pgx.Tx, d dbsqlc.Document, found indexed) error {
	_, err := g.q.ChunkDeleteByDocument(ctx, tx, dbsqlc.ChunkDeleteByDocumentParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, DocumentID: d.DocumentID,
	})
	if err != nil {
		return fmt.Errorf("delete the chunks before: %w", err)
	}
	ids, err := g.q.ChunkIDsReserve(ctx, tx, int32(len(found.chunks)))
	if err != nil {
		return fmt.Errorf("reserve chunk ids: %w", err)
	}
	for from := 0; from < len(ids); from += batchRows {
		to := min(from+batchRows, len(ids))
		bodies := make([]dbsqlc.ChunkInsertParams, 0, to-from)
		terms := make([]dbsqlc.ChunkTermsInsertParams, 0, to-from)
		for i := from; i < to; i++ {
			bodies = append(bodies, chunkRow(d, ids[i], found.chunks[i], found.places[i]))
			terms = append(terms, dbsqlc.ChunkTermsInsertParams{
				CompanyID: d.CompanyID, ProjectID: d.ProjectID, ChunkID: ids[i], Terms: found.terms[i],
			})
		}
		if err := execAll(g.q.ChunkInsert(ctx, tx, bodies)); err != nil {
			return fmt.Errorf("insert chunks: %w", err)
		}
		if err := execAll(g.q.ChunkTermsInsert(ctx, tx, terms)); err != nil {
			return fmt.Errorf("insert terms: %w", err)
		}
		if found.model == "" {
			continue
		}
		err := vectors.Insert(ctx, tx, vectors.Rows{
			CompanyID: d.CompanyID, ProjectID: d.ProjectID, Model: found.model, ChunkIDs: ids[from:to], Readings: found.readings[from:to],
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func chunkRow(d dbsqlc.Document, id int64, c chunk.Chunk, places []byte) dbsqlc.ChunkInsertParams {
	row := dbsqlc.ChunkInsertParams{
		CompanyID: d.CompanyID, ProjectID: d.ProjectID, ChunkID: id, DocumentID: d.DocumentID, Ordinal: int32(c.Ordinal),
		StartOffset: int32(c.Start), EndOffset: int32(c.End), HeadingPath: c.HeadingPath, Context: c.Context, Body: c.Text, Lead: c.Lead, Stems: places,
	}
	if c.Page > 0 {
		page := int32(c.Page)
		row.Page = &page
	}
	return row
}

// execAll runs a batch and returns its first error.
func execAll(batch interface{ Exec(f func(int, error)) }) (first error) {
	batch.Exec(func(_ int, err error) {
		if first == nil {
			first = err
		}
	})
	return first
}
