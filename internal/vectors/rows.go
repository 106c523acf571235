package vectors

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"docqa/gen/dbsqlc"
)

// Rows are vectors of chunks of one project.
type Rows struct {
	CompanyID, ProjectID, Model string

	ChunkIDs []int64
	Readings []Reading // one for each chunk
}

// Insert stores r. Chunks that are gone by now are left out.
func Insert(ctx context.Context, tx pgx.Tx, r Rows) error {
	q := dbsqlc.New()
	whole := make([]dbsqlc.ChunkVectorsInsertParams, len(r.ChunkIDs))
	parts := make([]dbsqlc.ChunkSentencesInsertParams, len(r.ChunkIDs))
	for i, id := range r.ChunkIDs {
		whole[i] = dbsqlc.ChunkVectorsInsertParams{
			CompanyID: r.CompanyID, ProjectID: r.ProjectID, Model: r.Model, ChunkID: id,
			Embedding: pgvector.NewHalfVector(r.Readings[i].Chunk),
		}
		parts[i] = dbsqlc.ChunkSentencesInsertParams{
			CompanyID: r.CompanyID, ProjectID: r.ProjectID, Model: r.Model, ChunkID: id, Vectors: r.Readings[i].Sentences,
		}
	}
	if err := execAll(q.ChunkVectorsInsert(ctx, tx, whole)); err != nil {
		return fmt.Errorf("insert vectors: %w", err)
	}
	if err := execAll(q.ChunkSentencesInsert(ctx, tx, parts)); err != nil {
		return fmt.Errorf("insert vectors of sentences: %w", err)
	}
	return nil
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
