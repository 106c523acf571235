package handlers

import (
	"context"
	"strings"
	"time"

	"docqa/gen/ragapi"
	"docqa/internal/chat"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/projects"
	"docqa/internal/ragservice"
	"docqa/internal/search"
)

// RagAPI searches and answers for services of the installation's operator.
//
// Source: main API section 4.13.
type RagAPI struct {
	Retrieval *search.Service
	Documents *ragservice.Service
	Answers   *chat.Service
	Projects  *projects.Service
	Models    *search.Models // nil: none
	Clock     clock.Clock
	Version   string
	ChunkKey  []byte                                // of the ids of chunks
	After     func(d time.Duration, f func()) Alarm // for the pings of silent streams; nil: time.AfterFunc
}

// defaultTopK is how many passages a search answers unless it says otherwise.
const defaultTopK = 10

// RagSearch finds the passages of a project that a text is about.
func (r *RagAPI) RagSearch(ctx context.Context, req *ragapi.RagSearchRequest) (*ragapi.RagSearchResponse, error) {
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
func (r *RagAPI) GetRagHealth(ctx context.Context) (*ragapi.RagHealth, error) {
	h, models := r.Retrieval.Health(ctx), r.Models.State()
	by := ragapi.RagHealthSearch{Mode: string(search.Keyword), Models: append([]string{}, models.Models...)}
	switch {
	case len(models.Models) == 0:
		by.Reason = ragapi.NewOptString(models.Reason)
	case models.Failed:
		by.Mode, h.Embeddings = string(search.Hybrid), search.StateFailed
	default:
		by.Mode, h.Embeddings = string(search.Hybrid), search.StateOK
	}
	out := &ragapi.RagHealth{Status: "ok", Version: r.Version, Checks: ragapi.RagHealthChecks(h), Search: by}
	if !h.OK() {
		out.Status = "degraded"
	}
	return out, nil
}
