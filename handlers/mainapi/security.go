package mainapi

import (
	"context"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/platform/apperr"
)

// security is the guard as the generated server calls it.
type security struct{ guard *edge.Guard }

// HandleServiceKey accepts the key that wins over every other credential.
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

// HandleShimIDToken lets nobody pass: the shim issues no tokens yet.
func (s security) HandleShimIDToken(context.Context, oas.OperationName, oas.ShimIDToken) (context.Context, error) {
	return nil, apperr.NotImplemented()
}

// HandleBillingSignature lets nobody pass: without a signature the call is refused as
// such, with one the operation is not there to take it.
func (s security) HandleBillingSignature(_ context.Context, _ oas.OperationName, t oas.BillingSignature) (context.Context, error) {
	return nil, unsigned(apperr.Unauthenticated, t.Request.Header.Get("X-Billing-Signature"))
}

// HandleChatappSignature lets nobody pass; a missing signature is a 400 on this route.
func (s security) HandleChatappSignature(_ context.Context, _ oas.OperationName, t oas.ChatappSignature) (context.Context, error) {
	return nil, unsigned(apperr.InvalidInput, t.Request.Header.Get("X-Slack-Signature"))
}

// HandleMsgappSignature lets nobody pass.
func (s security) HandleMsgappSignature(_ context.Context, _ oas.OperationName, t oas.MsgappSignature) (context.Context, error) {
	return nil, unsigned(apperr.Unauthenticated, t.Request.Header.Get("X-Hub-Signature-256"))
}

func unsigned(kind apperr.Kind, signature string) error {
	if signature == "" {
		return apperr.New(kind, "invalid_signature", "the signature is missing or not valid")
	}
	return apperr.NotImplemented()
}
