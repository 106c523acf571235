package mainapi

import (
	"context"
	"fmt"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/apikeys"
	"docqa/internal/chat"
	"docqa/internal/conversations"
	"docqa/internal/documents"
	"docqa/internal/ingest"
	"docqa/internal/platform/clock"
	"docqa/internal/projects"
	"docqa/internal/prompttests"
	"docqa/internal/sharetoken"
	"docqa/internal/workspace"
)

// Deps is what New needs.
type Deps struct {
	Edge          *edge.Edge
	Clock         clock.Clock
	Answers       *chat.Service
	Conversations *conversations.Service
	Documents     *documents.Service
	Ingest        *ingest.Service
	Keys          *apikeys.Service
	Projects      *projects.Service
	Shares        *sharetoken.Service
	Tests         *prompttests.Service
	Workspace     *workspace.Service

	Environment string // of the installation
	Config      oas.PublicConfig
	Dev         *oas.DevInfo // nil in staging and production: 404
}

// Handlers implements the handler interface of the generated server: one struct for each
// group of operations, each with only its own dependencies. fallback answers 501 for every
// operation without a method here. It embeds its handler one level deeper, so that Go
// prefers the method of a group.
type Handlers struct {
	*ChatAPI
	*CompaniesAPI
	*ConversationsAPI
	*DocumentsAPI
	*KeysAPI
	*PlatformAPI
	*ProjectsAPI
	*ShareAPI
	*TestsAPI

	fallback
	errors edge.Classifier
}

type fallback struct{ oas.UnimplementedHandler }

// New returns the main API.
func New(d Deps) (edge.API, error) {
	h := &Handlers{
		ChatAPI:          &ChatAPI{Answers: d.Answers, Limits: d.Edge.Limits, Clock: d.Clock},
		CompaniesAPI:     &CompaniesAPI{Workspace: d.Workspace},
		ConversationsAPI: &ConversationsAPI{Conversations: d.Conversations},
		DocumentsAPI:     &DocumentsAPI{Documents: d.Documents, Ingest: d.Ingest},
		KeysAPI:          &KeysAPI{Keys: d.Keys, Clock: d.Clock},
		PlatformAPI:      &PlatformAPI{Clock: d.Clock, Config: d.Config, Dev: d.Dev},
		ProjectsAPI:      &ProjectsAPI{Projects: d.Projects, Environment: d.Environment},
		ShareAPI:         &ShareAPI{Shares: d.Shares},
		TestsAPI:         &TestsAPI{Tests: d.Tests},
		errors:           d.Edge.Errors,
	}
	server, err := oas.NewServer(h, h, security{d.Edge.Guard}, oas.WithErrorHandler(d.Edge.HandleError), oas.WithMiddleware(d.Edge.Middleware))
	if err != nil {
		return edge.API{}, fmt.Errorf("build the main API: %w", err)
	}
	return edge.NewAPI(server), nil
}

// NewError converts an error of a handler or of a credential to its answer.
func (h *Handlers) NewError(ctx context.Context, err error) *oas.ErrorStatusCode {
	e, status := h.errors.Answer(ctx, err)
	return &oas.ErrorStatusCode{StatusCode: status, Response: oas.Error{
		Error: e.Message, Code: edge.Optional(oas.NewOptString, string(e.Code)), Details: edge.Details[oas.ErrorDetail](e),
		Setting: edge.Optional(oas.NewOptString, e.Setting), AccessMode: edge.Optional(oas.NewOptString, e.AccessMode),
		Blockers: e.Blockers,
	}}
}
