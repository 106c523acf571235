package ragapi

import (
	"context"
	"fmt"

	oas "docqa/gen/ragapi"
	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/platform/clock"
	"docqa/internal/ragservice"
	"docqa/internal/search"
)

// Deps is what New needs.
type Deps struct {
	Edge      *edge.Edge
	Retrieval *search.Service
	Documents *ragservice.Service
	Answers   *chat.Service
	Models    *search.Models // nil: none
	Clock     clock.Clock
	Version   string
	ChunkKey  []byte // of the ids of chunks
}

// RagAPI searches and answers for services of the installation's operator.
//
// Source: main API section 4.13.
type RagAPI struct{ Deps }

// Handlers fills in the generated server of the retrieval API.
type Handlers struct {
	*RagAPI

	fallback
	errors edge.Classifier
}

type fallback struct{ oas.UnimplementedHandler }

// New returns the retrieval API.
func New(d Deps) (edge.API, error) {
	h := &Handlers{RagAPI: &RagAPI{d}, errors: d.Edge.Errors}
	server, err := oas.NewServer(h, h, security{d.Edge.Guard}, oas.WithErrorHandler(d.Edge.HandleError), oas.WithMiddleware(d.Edge.Middleware))
	if err != nil {
		return edge.API{}, fmt.Errorf("build the retrieval API: %w", err)
	}
	return edge.NewAPI(server), nil
}

// NewError answers an error of a handler or a credential.
func (h *Handlers) NewError(ctx context.Context, err error) *oas.ErrorStatusCode {
	e, status := h.errors.Answer(ctx, err)
	return &oas.ErrorStatusCode{StatusCode: status, Response: oas.Error{
		Error: e.Message, Code: edge.Optional(oas.NewOptString, string(e.Code)), Details: edge.Details[oas.ErrorDetail](e),
		Setting: edge.Optional(oas.NewOptString, e.Setting), Blockers: e.Blockers,
	}}
}

// security is the guard as the generated server calls it.
type security struct{ guard *edge.Guard }

// HandleRagServiceKey accepts the service key.
func (s security) HandleRagServiceKey(ctx context.Context, _ oas.OperationName, t oas.RagServiceKey) (context.Context, error) {
	return s.guard.RagKey(ctx, t.APIKey)
}

// HandleRagBearer accepts the service key in the Authorization header.
func (s security) HandleRagBearer(ctx context.Context, _ oas.OperationName, t oas.RagBearer) (context.Context, error) {
	return s.guard.RagKey(ctx, t.Token)
}
