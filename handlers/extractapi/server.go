package extractapi

import (
	"context"
	"fmt"

	oas "docqa/gen/extractapi"
	"docqa/handlers/edge"
)

// Deps is what New needs.
type Deps struct {
	Edge    *edge.Edge
	Enabled bool // ENABLE_EXTRACT; if false, every operation except the health answers 404
	Version string
}

// Handlers implements the handler interface of the generated server; fallback answers 501
// for operations without a method here.
type Handlers struct {
	*JobsAPI
	*PlatformAPI

	fallback
	errors edge.Classifier
}

type fallback struct{ oas.UnimplementedHandler }

// New returns the Extract API.
func New(d Deps) (edge.API, error) {
	h := &Handlers{JobsAPI: &JobsAPI{}, PlatformAPI: &PlatformAPI{Enabled: d.Enabled, Version: d.Version}, errors: d.Edge.Errors}
	server, err := oas.NewServer(h, security{d.Edge.Guard}, oas.WithErrorHandler(d.Edge.HandleError), oas.WithMiddleware(d.Edge.Middleware))
	if err != nil {
		return edge.API{}, fmt.Errorf("build the Extract API: %w", err)
	}
	if !d.Enabled {
		return edge.NewAPI(server, oas.GetExtractHealthOperation), nil
	}
	return edge.NewAPI(server), nil
}

// NewError converts an error of a handler or of a credential to its answer.
func (h *Handlers) NewError(ctx context.Context, err error) *oas.ErrorStatusCode {
	e, status := h.errors.Answer(ctx, err)
	return &oas.ErrorStatusCode{StatusCode: status, Response: oas.ExtractError{
		Error: e.Message, Code: edge.ExtractCode(e.Code), Details: edge.Details[oas.ErrorDetail](e),
	}}
}

// security passes the credentials that the generated server found to the guard. A key
// acts for its company; the guard refuses embed keys.
type security struct{ guard *edge.Guard }

// HandleServiceKey accepts an integration key.
func (s security) HandleServiceKey(ctx context.Context, _ oas.OperationName, t oas.ServiceKey) (context.Context, error) {
	return s.guard.Key(ctx, t.APIKey)
}

// HandleBearerKey accepts an integration key in the Authorization header.
func (s security) HandleBearerKey(ctx context.Context, _ oas.OperationName, t oas.BearerKey) (context.Context, error) {
	return s.guard.BearerKey(ctx, t.Token)
}
