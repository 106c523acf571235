package ragapi

import (
	"context"

	oas "docqa/gen/ragapi"
	"docqa/internal/ragservice"
)

// RetryRagFailed ingests a project's failed documents again.
func (r *RagAPI) RetryRagFailed(ctx context.Context, params oas.RetryRagFailedParams) (*oas.RagRetryQueued, error) {
	jobID, count, err := r.Documents.RetryFailed(ctx, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return &oas.RagRetryQueued{JobID: jobID, DocumentCount: count}, nil
}

// ReindexRagProject starts building a project's vectors again.
func (r *RagAPI) ReindexRagProject(ctx context.Context, req oas.OptRagReindexRequest, params oas.ReindexRagProjectParams) (*oas.RagJobQueued, error) {
	jobID, err := r.Documents.Reindex(ctx, params.ProjectID, req.Value.EmbeddingModel.Or(""))
	if err != nil {
		return nil, err
	}
	return &oas.RagJobQueued{JobID: jobID}, nil
}

// DeleteRagProject starts removing all documents of a project. The project itself stays.
func (r *RagAPI) DeleteRagProject(ctx context.Context, params oas.DeleteRagProjectParams) (*oas.RagJobQueued, error) {
	jobID, err := r.Documents.DeleteAll(ctx, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return &oas.RagJobQueued{JobID: jobID}, nil
}

// CheckRagConsistency compares a project's documents with their index.
func (r *RagAPI) CheckRagConsistency(ctx context.Context, params oas.CheckRagConsistencyParams) (*oas.RagConsistency, error) {
	return consistency(r.Documents.Check(ctx, params.ProjectID))
}

// RepairRagConsistency compares in the same way and repairs what it finds.
func (r *RagAPI) RepairRagConsistency(ctx context.Context, params oas.RepairRagConsistencyParams) (*oas.RagConsistency, error) {
	return consistency(r.Documents.Repair(ctx, params.ProjectID))
}

func consistency(found ragservice.Consistency, err error) (*oas.RagConsistency, error) {
	if err != nil {
		return nil, err
	}
	out := &oas.RagConsistency{
		Consistent: len(found.Issues) == 0, CheckedAt: ragTimestamp(found.CheckedAt), Repaired: found.Repaired,
		Issues: make([]oas.RagConsistencyIssue, len(found.Issues)),
	}
	for i, issue := range found.Issues {
		out.Issues[i] = oas.RagConsistencyIssue{Type: issue.Type, DocumentID: issue.DocumentID, Detail: issue.Detail}
	}
	return out, nil
}
