package handlers

import (
	"context"

	"docqa/gen/mainapi"
)

// Main fills in the generated server of the main API: one struct for each group of
// operations, each with only its own dependencies. What no group has is answered 501
// by the fallback, which stands one level deeper, so that a group's method wins.
type Main struct {
	*CompaniesAPI
	*DocumentsAPI
	*KeysAPI
	*PlatformAPI
	*ProjectsAPI
	*ShareAPI
	*ChatAPI
	*ConversationsAPI
	*TestsAPI

	fallbackMain
	classifier classifier
}

type fallbackMain struct{ mainapi.UnimplementedHandler }

var (
	_ mainapi.Handler    = (*Main)(nil)
	_ mainapi.RawHandler = (*Main)(nil)
)

// NewError answers an error of a handler or a credential.
func (m *Main) NewError(ctx context.Context, err error) *mainapi.ErrorStatusCode {
	return m.classifier.mainError(ctx, err)
}
