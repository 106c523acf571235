package handlers

import (
	"context"

	"docqa/gen/ragapi"
)

// Rag fills in the generated server of the rag API.
type Rag struct {
	*RagAPI

	fallbackRag
	classifier classifier
}

type fallbackRag struct{ ragapi.UnimplementedHandler }

var (
	_ ragapi.Handler    = (*Rag)(nil)
	_ ragapi.RawHandler = (*Rag)(nil)
)

// NewError answers an error of a handler or a credential.
func (r *Rag) NewError(ctx context.Context, err error) *ragapi.ErrorStatusCode {
	return r.classifier.ragError(ctx, err)
}
