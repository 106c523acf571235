package handlers

import (
	"context"

	"docqa/gen/extractapi"
	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
	"docqa/internal/platform/apperr"
)

// mainSecurity is the guard as the main API's generated server calls it.
type mainSecurity struct{ *guard }

var (
	_ mainapi.SecurityHandler    = mainSecurity{}
	_ extractapi.SecurityHandler = extractSecurity{}
	_ ragapi.SecurityHandler     = ragSecurity{}
)

// HandleServiceKey accepts the key that wins over every other credential.
func (s mainSecurity) HandleServiceKey(ctx context.Context, _ mainapi.OperationName, t mainapi.ServiceKey) (context.Context, error) {
	return s.key(ctx, t.APIKey)
}

// HandleShareToken accepts a visitor of a share page.
func (s mainSecurity) HandleShareToken(ctx context.Context, _ mainapi.OperationName, t mainapi.ShareToken) (context.Context, error) {
	return s.shareToken(ctx, t.APIKey)
}

// HandleBearerKey accepts a key in the Authorization header.
func (s mainSecurity) HandleBearerKey(ctx context.Context, _ mainapi.OperationName, t mainapi.BearerKey) (context.Context, error) {
	return s.bearerKey(ctx, t.Token)
}

// HandleDashboardJWT accepts a signed-in user with the roles of the operation.
func (s mainSecurity) HandleDashboardJWT(ctx context.Context, _ mainapi.OperationName, t mainapi.DashboardJWT) (context.Context, error) {
	return s.user(ctx, t.Roles, t.Token)
}

// HandleShimIDToken lets nobody pass: the shim issues no tokens yet.
func (s mainSecurity) HandleShimIDToken(context.Context, mainapi.OperationName, mainapi.ShimIDToken) (context.Context, error) {
	return nil, notBuilt()
}

// HandleBillingSignature lets nobody pass: without a signature the call is refused as
// such, with one the operation is not there to take it.
func (s mainSecurity) HandleBillingSignature(_ context.Context, _ mainapi.OperationName, t mainapi.BillingSignature) (context.Context, error) {
	return nil, unsigned(apperr.Unauthenticated, t.Request.Header.Get("X-Billing-Signature"))
}

// HandleChatappSignature lets nobody pass; a missing signature is a 400 on this route.
func (s mainSecurity) HandleChatappSignature(_ context.Context, _ mainapi.OperationName, t mainapi.ChatappSignature) (context.Context, error) {
	return nil, unsigned(apperr.InvalidInput, t.Request.Header.Get("X-Slack-Signature"))
}

// HandleMsgappSignature lets nobody pass.
func (s mainSecurity) HandleMsgappSignature(_ context.Context, _ mainapi.OperationName, t mainapi.MsgappSignature) (context.Context, error) {
	return nil, unsigned(apperr.Unauthenticated, t.Request.Header.Get("X-Hub-Signature-256"))
}

func unsigned(kind apperr.Kind, signature string) error {
	if signature == "" {
		return apperr.New(kind, "invalid_signature", "the signature is missing or not valid")
	}
	return notBuilt()
}

// notBuilt is the 501 of an operation of the published contract.
func notBuilt() *apperr.Error {
	return apperr.New(apperr.NotImplementedYet, "not_implemented", "this operation is not implemented yet")
}

// extractSecurity is the guard as the Extract API's generated server calls it. The key
// stands for its company there; embed keys are refused by the guard.
type extractSecurity struct{ *guard }

// HandleServiceKey accepts an integration key.
func (s extractSecurity) HandleServiceKey(ctx context.Context, _ extractapi.OperationName, t extractapi.ServiceKey) (context.Context, error) {
	return s.key(ctx, t.APIKey)
}

// HandleBearerKey accepts an integration key in the Authorization header.
func (s extractSecurity) HandleBearerKey(ctx context.Context, _ extractapi.OperationName, t extractapi.BearerKey) (context.Context, error) {
	return s.bearerKey(ctx, t.Token)
}

// ragSecurity is the guard as the rag API's generated server calls it.
type ragSecurity struct{ *guard }

// HandleRagServiceKey accepts the service key.
func (s ragSecurity) HandleRagServiceKey(ctx context.Context, _ ragapi.OperationName, t ragapi.RagServiceKey) (context.Context, error) {
	return s.ragKey(ctx, t.APIKey)
}

// HandleRagBearer accepts the service key in the Authorization header.
func (s ragSecurity) HandleRagBearer(ctx context.Context, _ ragapi.OperationName, t ragapi.RagBearer) (context.Context, error) {
	return s.ragKey(ctx, t.Token)
}
