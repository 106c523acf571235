package ragapi

import (
	"context"
	"strings"

	oas "docqa/gen/ragapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/search"
)

// defaultTopK is how many passages a search returns if the request does not say.
const defaultTopK = 10

// RagSearch finds the passages of a project that fit a text best.
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

// GetRagHealth returns the state of the database and the models, and how a search runs now.
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
