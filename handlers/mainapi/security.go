package mainapi

import (
	"context"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/platform/apperr"
)

// security passes the credentials that the generated server found to the guard.
type security struct{ guard *edge.Guard }

// HandleServiceKey accepts a key in its own header. It takes precedence over all other
// credentials of the request.
func (s security) HandleServiceKey(ctx context.Context, _ oas.OperationName, t oas.ServiceKey) (context.Context, error) {
	return s.guard.Key(ctx, t.APIKey)
}

// HandleShareToken accepts a visitor of a share page.
func (s security) HandleShareToken(ctx context.Context, _ oas.OperationName, t oas.ShareToken) (context.Context, error) {
	return s.guard.ShareToken(ctx, t.APIKey)
}

// HandleBearerKey accepts a key in the Authorization header.
func (s security) HandleBearerKey(ctx context.Context, _ oas.OperationName, t oas.BearerKey) (context.Context, error) {
	return s.guard.BearerKey(ctx, t.Token)
}

// HandleDashboardJWT accepts a signed-in user with the roles of the operation.
func (s security) HandleDashboardJWT(ctx context.Context, _ oas.OperationName, t oas.DashboardJWT) (context.Context, error) {
	return s.guard.User(ctx, t.Roles, t.Token)
}

// HandleShimIDToken accepts nothing: the service issues no such tokens yet.
func (s security) HandleShimIDToken(context.Context, oas.OperationName, oas.ShimIDToken) (context.Context, error) {
	return nil, apperr.NotImplemented()
}

// HandleBillingSignature accepts nothing, since the operation is not built yet: a call
// without a signature gets 401, a call with one 501.
func (s security) HandleBillingSignature(_ context.Context, _ oas.OperationName, t oas.BillingSignature) (context.Context, error) {
	return nil, unsigned(apperr.KindUnauthenticated, t.Request.Header.Get("X-Billing-Signature"))
}

// HandleChatappSignature accepts nothing: a call without a signature gets 400 on this
// route, a call with one 501.
func (s security) HandleChatappSignature(_ context.Context, _ oas.OperationName, t oas.ChatappSignature) (context.Context, error) {
	return nil, unsigned(apperr.KindInvalidInput, t.Request.Header.Get("X-Slack-Signature"))
}

// HandleMsgappSignature accepts nothing: a call without a signature gets 401, a call with
// one 501.
func (s security) HandleMsgappSignature(_ context.Context, _ oas.OperationName, t oas.MsgappSignature) (context.Context, error) {
	return nil, unsigned(apperr.KindUnauthenticated, t.Request.Header.Get("X-Hub-Signature-256"))
}

func unsigned(kind apperr.Kind, signature string) error {
	if signature == "" {
		return apperr.New(kind, apperr.CodeInvalidSignature, "the signature is missing or not valid")
	}
	return apperr.NotImplemented()
}
