package handlers

import (
	"context"
	"time"

	"docqa/gen/ragapi"
	"docqa/internal/platform/limits"
)

// GetRagDefaults says which models are in use and what holds where a request leaves a
// member out. Without a model for vectors its name is empty and it has no dimensions.
func (r *RagAPI) GetRagDefaults(context.Context) (*ragapi.RagDefaults, error) {
	model := r.Models.Default()
	out := &ragapi.RagDefaults{
		EmbeddingModel: model, EmbeddingDimensions: r.Models.Dimensions(model),
		ChunkSize: chunkSize, ChunkOverlap: chunkOverlap, Mode: ragapi.RagModeHybrid, TopK: defaultTopK,
		RerankModel: ragapi.NilString{Null: true}, MaxBatch: limits.BatchIngestDocuments, MaxDocumentBytes: limits.DocumentBytes,
	}
	if name := r.Retrieval.RerankModel(); name != "" {
		out.RerankModel = ragapi.NewNilString(name)
	}
	return out, nil
}

// The sizes of a passage in characters, where a document's chunking leaves one out.
const (
	chunkSize    = 1000
	chunkOverlap = 200
)

// GetRagProjectStats says what the index of a project holds.
func (r *RagAPI) GetRagProjectStats(ctx context.Context, params ragapi.GetRagProjectStatsParams) (*ragapi.RagStats, error) {
	ctx, project, err := r.project(ctx, params.ProjectID)
	if err != nil {
		return nil, err
	}
	c, err := r.Retrieval.Contents(ctx, project.CompanyID, project.ProjectID)
	if err != nil {
		return nil, err
	}
	out := &ragapi.RagStats{
		ProjectID: project.ProjectID, Chunks: c.Passages, Tokens: c.Tokens, StorageMB: float64(c.Bytes) / (1 << 20),
		Documents:     ragapi.RagDocumentCounts{Total: c.Documents, Indexed: c.Indexed, Processing: c.Processing, Failed: c.Failed},
		LastIndexedAt: ragapi.NilTimestamp{Null: true}, EmbeddingModel: c.Model,
	}
	if c.IndexedAt != nil {
		out.LastIndexedAt = ragapi.NewNilTimestamp(ragapi.Timestamp(timestamp(*c.IndexedAt)))
	}
	return out, nil
}

// since is the time since began in whole milliseconds.
func (r *RagAPI) since(began time.Time) int { return int(r.Clock.Now().Sub(began).Milliseconds()) }
