package embedding

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"docqa/gen/dbsqlc"
	"docqa/internal/store"
)

// rowSet are vectors of chunks of one project.
type rowSet struct {
	companyID, projectID, model string

	chunkIDs []int64
	readings []Reading // one for each chunk
}

// insert stores r. Chunks that are gone by now are left out.
func insert(ctx context.Context, tx pgx.Tx, r rowSet) error {
	q := dbsqlc.New()
	whole := make([]dbsqlc.ChunkVectorsInsertParams, len(r.chunkIDs))
	parts := make([]dbsqlc.ChunkSentencesInsertParams, len(r.chunkIDs))
	for i, id := range r.chunkIDs {
		whole[i] = dbsqlc.ChunkVectorsInsertParams{
			CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model, ChunkID: id,
			Embedding: pgvector.NewHalfVector(r.readings[i].Chunk),
		}
		parts[i] = dbsqlc.ChunkSentencesInsertParams{
			CompanyID: r.companyID, ProjectID: r.projectID, Model: r.model, ChunkID: id, Vectors: r.readings[i].Sentences,
		}
	}
	if err := store.ExecAll(q.ChunkVectorsInsert(ctx, tx, whole)); err != nil {
		return fmt.Errorf("insert vectors: %w", err)
	}
	if err := store.ExecAll(q.ChunkSentencesInsert(ctx, tx, parts)); err != nil {
		return fmt.Errorf("insert vectors of sentences: %w", err)
	}
	return nil
}
