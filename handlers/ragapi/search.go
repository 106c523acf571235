package ragapi

import (
	"context"
	"strings"

	oas "docqa/gen/ragapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/retrieval"
)

// defaultTopK is how many passages a search answers unless it says otherwise.
const defaultTopK = 10

// RagSearch finds the passages of a project that a text is about.
func (r *RagAPI) RagSearch(ctx context.Context, req *oas.RagSearchRequest) (*oas.RagSearchResponse, error) {
	query := strings.TrimSpace(req.Query)
	if query == "" {
		return nil, apperr.Validation("/query", "must not be empty")
	}
	ctx, project, err := r.project(ctx, req.ProjectID)
	if err != nil {
		return nil, err
	}
	found, err := r.Retrieval.Search(ctx, project.CompanyID, project.ProjectID, fromAPISearch(req, query, &project.Settings.Retrieval))
	if err != nil {
		return nil, err
	}
	return r.toAPISearch(&found), nil
}

// GetRagHealth says how what a search stands on is doing, and by what it searches.
func (r *RagAPI) GetRagHealth(ctx context.Context) (*oas.RagHealth, error) {
	h, models := r.Retrieval.Health(ctx), r.Models.State()
	search := oas.RagHealthSearch{Mode: string(retrieval.Keyword), Models: append([]string{}, models.Models...)}
	switch {
	case len(models.Models) == 0:
		search.Reason = oas.NewOptString(models.Reason)
	case models.Failed:
		search.Mode, h.Embeddings = string(retrieval.Hybrid), retrieval.StateFailed
	default:
		search.Mode, h.Embeddings = string(retrieval.Hybrid), retrieval.StateOK
	}
	out := &oas.RagHealth{Status: "ok", Version: r.Version, Checks: oas.RagHealthChecks(h), Search: search}
	if !h.OK() {
		out.Status = "degraded"
	}
	return out, nil
}
