package handlers

import (
	"context"

	"docqa/gen/ragapi"
	"docqa/internal/ragservice"
)

// RetryRagFailed ingests a project's failed documents again.
func (r *RagAPI) RetryRagFailed(ctx context.Context, params ragapi.RetryRagFailedParams) (*ragapi.RagRetryQueued, error) {
	jobID, count, err := r.Documents.RetryFailed(ctx, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return &ragapi.RagRetryQueued{JobID: jobID, DocumentCount: count}, nil
}

// ReindexRagProject builds a project's vectors anew.
func (r *RagAPI) ReindexRagProject(ctx context.Context, req ragapi.OptRagReindexRequest, params ragapi.ReindexRagProjectParams) (*ragapi.RagJobQueued, error) {
	jobID, err := r.Documents.Reindex(ctx, params.ProjectID, req.Value.EmbeddingModel.Or(""))
	if err != nil {
		return nil, err
	}
	return &ragapi.RagJobQueued{JobID: jobID}, nil
}

// DeleteRagProject removes a project's documents; the project stays.
func (r *RagAPI) DeleteRagProject(ctx context.Context, params ragapi.DeleteRagProjectParams) (*ragapi.RagJobQueued, error) {
	jobID, err := r.Documents.DeleteAll(ctx, params.ProjectID)
	if err != nil {
		return nil, err
	}
	return &ragapi.RagJobQueued{JobID: jobID}, nil
}

// CheckRagConsistency compares a project's documents with their index.
func (r *RagAPI) CheckRagConsistency(ctx context.Context, params ragapi.CheckRagConsistencyParams) (*ragapi.RagConsistency, error) {
	return consistency(r.Documents.Check(ctx, params.ProjectID))
}

// RepairRagConsistency mends what such a comparison finds.
func (r *RagAPI) RepairRagConsistency(ctx context.Context, params ragapi.RepairRagConsistencyParams) (*ragapi.RagConsistency, error) {
	return consistency(r.Documents.Repair(ctx, params.ProjectID))
}

func consistency(found ragservice.Consistency, err error) (*ragapi.RagConsistency, error) {
	if err != nil {
		return nil, err
	}
	out := &ragapi.RagConsistency{
		Consistent: len(found.Issues) == 0, CheckedAt: ragTimestamp(found.CheckedAt), Repaired: found.Repaired,
		Issues: make([]ragapi.RagConsistencyIssue, len(found.Issues)),
	}
	for i, issue := range found.Issues {
		out.Issues[i] = ragapi.RagConsistencyIssue{Type: issue.Type, DocumentID: issue.DocumentID, Detail: issue.Detail}
	}
	return out, nil
}
