package ragapi

import (
	"context"
	"strings"

	oas "docqa/gen/ragapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/search"
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
	found, err := r.Retrieval.Search(ctx, project.Project.CompanyID, project.Project.ProjectID, fromAPISearch(req, query, &project.Project.Settings.Retrieval))
	if err != nil {
		return nil, err
	}
	return r.toAPISearch(&found), nil
}

// GetRagHealth says how what a search stands on is doing, and by what it searches.
func (r *RagAPI) GetRagHealth(ctx context.Context) (*oas.RagHealth, error) {
	h, models := r.Retrieval.Health(ctx), r.Models.State()
	by := oas.RagHealthSearch{Mode: string(search.Keyword), Models: append([]string{}, models.Models...)}
	switch {
	case len(models.Models) == 0:
		by.Reason = oas.NewOptString(models.Reason)
	case models.Failed:
		by.Mode, h.Embeddings = string(search.Hybrid), search.StateFailed
	default:
		by.Mode, h.Embeddings = string(search.Hybrid), search.StateOK
	}
	out := &oas.RagHealth{Status: "ok", Version: r.Version, Checks: oas.RagHealthChecks(h), Search: by}
	if !h.OK() {
		out.Status = "degraded"
	}
	return out, nil
}
