package ragapi

import (
	"context"
	"time"

	oas "docqa/gen/ragapi"
	"docqa/internal/platform/limits"
)

// GetRagDefaults returns the models in use and the defaults of members that a request
// leaves out. Without an embedding model, its name is empty and its dimensions are 0.
func (r *RagAPI) GetRagDefaults(context.Context) (*oas.RagDefaults, error) {
	model := r.Models.Default()
	out := &oas.RagDefaults{
		EmbeddingModel: model, EmbeddingDimensions: r.Models.Dimensions(model),
		ChunkSize: chunkSize, ChunkOverlap: chunkOverlap, Mode: oas.RagModeHybrid, TopK: defaultTopK,
		RerankModel: oas.NilString{Null: true}, MaxBatch: limits.BatchIngestDocuments, MaxDocumentBytes: limits.DocumentBytes,
	}
	if name := r.Retrieval.RerankModel(); name != "" {
		out.RerankModel = oas.NewNilString(name)
	}
	return out, nil
}

// The sizes in characters that GetRagDefaults shows for a document's chunks.
const (
	chunkSize    = 1000
	chunkOverlap = 200
)

// GetRagProjectStats returns how much the index of a project holds.
func (r *RagAPI) GetRagProjectStats(ctx context.Context, params oas.GetRagProjectStatsParams) (*oas.RagStats, error) {
	ctx, project, err := r.project(ctx, params.ProjectID)
	if err != nil {
		return nil, err
	}
	c, err := r.Retrieval.Contents(ctx, project.Project.CompanyID, project.Project.ProjectID)
	if err != nil {
		return nil, err
	}
	out := &oas.RagStats{
		ProjectID: project.Project.ProjectID, Chunks: c.Passages, Tokens: c.Tokens, StorageMB: float64(c.Bytes) / (1 << 20),
		Documents:     oas.RagDocumentCounts{Total: c.Documents, Indexed: c.Indexed, Processing: c.Processing, Failed: c.Failed},
		LastIndexedAt: oas.NilTimestamp{Null: true}, EmbeddingModel: c.Model,
	}
	if c.IndexedAt != nil {
		out.LastIndexedAt = oas.NewNilTimestamp(ragTimestamp(*c.IndexedAt))
	}
	return out, nil
}

// since is the time since began in whole milliseconds.
func (r *RagAPI) since(began time.Time) int { return int(r.Clock.Now().Sub(began).Milliseconds()) }
