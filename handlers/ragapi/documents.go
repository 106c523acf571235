package ragapi

import (
	"context"

	oas "docqa/gen/ragapi"
	"docqa/handlers/edge"
	"docqa/internal/ingest"
)

// RagIngest starts the ingestion of one document.
func (r *RagAPI) RagIngest(ctx context.Context, req *oas.RagIngestRequest, params oas.RagIngestParams) (*oas.RagIngestQueued, error) {
	result, err := r.Documents.Ingest(ctx, req.ProjectID, fromAPIIngest(req), params.IdempotencyKey.Or(""))
	if err != nil {
		return nil, err
	}
	edge.Replayed(ctx, result.Replayed)
	return &oas.RagIngestQueued{JobID: result.JobID, DocumentID: result.Documents[0], Status: oas.RagIngestQueuedStatusQueued}, nil
}

// RagIngestBatch starts the ingestion of up to 50 documents.
func (r *RagAPI) RagIngestBatch(ctx context.Context, req *oas.RagBatchRequest, params oas.RagIngestBatchParams) (*oas.RagBatchQueued, error) {
	sources := make([]ingest.Source, len(req.Documents))
	for i := range req.Documents {
		sources[i] = fromAPIDocumentInput(&req.Documents[i])
	}
	result, err := r.Documents.IngestBatch(ctx, req.ProjectID, sources, params.IdempotencyKey.Or(""))
	if err != nil {
		return nil, err
	}
	edge.Replayed(ctx, result.Replayed)
	out := &oas.RagBatchQueued{JobID: result.JobID, Accepted: len(result.Documents), Rejected: make([]oas.RagRejected, len(result.Rejected))}
	for i, rejected := range result.Rejected {
		out.Rejected[i] = oas.RagRejected{Index: rejected.Index, Error: rejected.Message, Code: rejected.Code}
	}
	return out, nil
}

// GetRagJob returns the state and the counts of a job.
func (r *RagAPI) GetRagJob(ctx context.Context, params oas.GetRagJobParams) (*oas.RagJob, error) {
	job, err := r.Documents.Job(ctx, params.JobID)
	if err != nil {
		return nil, err
	}
	return toAPIRagJob(job), nil
}

// DeleteRagDocument removes a document.
func (r *RagAPI) DeleteRagDocument(ctx context.Context, params oas.DeleteRagDocumentParams) (*oas.RagDocumentDeleted, error) {
	chunks, err := r.Documents.DeleteDocument(ctx, params.ProjectID.Or(""), params.DocumentID)
	if err != nil {
		return nil, err
	}
	return &oas.RagDocumentDeleted{DocumentID: params.DocumentID, Deleted: true, ChunksDeleted: chunks}, nil
}
