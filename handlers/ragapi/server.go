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
	Models    *search.Models // nil: there are no embedding models
	Clock     clock.Clock
	Version   string
	ChunkKey  []byte // the secret from which chunk ids are made
}

// RagAPI searches and answers for rag clients.
//
// Source: main API section 4.13.
type RagAPI struct{ Deps }

// Handlers implements the handler interface of the generated server; fallback answers 501
// for operations without a method here.
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

// NewError converts an error of a handler or of a credential to its answer.
func (h *Handlers) NewError(ctx context.Context, err error) *oas.ErrorStatusCode {
	e, status := h.errors.Answer(ctx, err)
	return &oas.ErrorStatusCode{StatusCode: status, Response: oas.Error{
		Error: e.Message, Code: edge.Optional(oas.NewOptString, string(e.Code)), Details: edge.Details[oas.ErrorDetail](e),
		Setting: edge.Optional(oas.NewOptString, e.Setting), Blockers: e.Blockers,
	}}
}

// security passes the credentials that the generated server found to the guard.
type security struct{ guard *edge.Guard }

// HandleRagServiceKey accepts the service key.
func (s security) HandleRagServiceKey(ctx context.Context, _ oas.OperationName, t oas.RagServiceKey) (context.Context, error) {
	return s.guard.RagKey(ctx, t.APIKey)
}

// HandleRagBearer accepts the service key in the Authorization header.
func (s security) HandleRagBearer(ctx context.Context, _ oas.OperationName, t oas.RagBearer) (context.Context, error) {
	return s.guard.RagKey(ctx, t.Token)
}
