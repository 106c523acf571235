package mainapi

import (
	"context"
	"strings"
	"time"

	oas "docqa/gen/mainapi"
	"docqa/handlers/edge"
	"docqa/internal/apikeys"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
)

// KeysAPI issues, lists and revokes API keys.
//
// Source: main API section 4.10.
type KeysAPI struct {
	Keys  *apikeys.Service
	Clock clock.Clock
}

var _ oas.KeysHandler = (*KeysAPI)(nil)

// ListKeys lists the keys of all projects. A filter that is sent empty still applies: it
// matches nothing.
func (k *KeysAPI) ListKeys(ctx context.Context, params oas.ListKeysParams) (*oas.APIKeyList, error) {
	rows, err := k.Keys.List(ctx, authn.Must(ctx).CompanyID, apikeys.Filter{
		ProjectID: apitype.Pointer(params.ProjectID.Get()), Environment: apitype.Pointer(params.Environment.Get()), Status: apitype.Pointer(params.Status.Get()),
	})
	if err != nil {
		return nil, err
	}
	now := k.Clock.Now()
	list := make([]oas.APIKey, 0, len(rows))
	for _, row := range rows {
		key := toAPIKey(row.ApiKey, now)
		key.ProjectName = oas.NewOptString(row.ProjectName)
		list = append(list, key)
	}
	return &oas.APIKeyList{Keys: list}, nil
}

// ListProjectKeys lists the keys of one project.
func (k *KeysAPI) ListProjectKeys(ctx context.Context, params oas.ListProjectKeysParams) (*oas.APIKeyList, error) {
	rows, err := k.Keys.ListByProject(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	now := k.Clock.Now()
	list := make([]oas.APIKey, 0, len(rows))
	for _, row := range rows {
		list = append(list, toAPIKey(row, now))
	}
	return &oas.APIKeyList{Keys: list}, nil
}

// CreateKey issues one key. Without a body it is a live integration key.
func (k *KeysAPI) CreateKey(ctx context.Context, req oas.OptAPIKeyCreate, params oas.CreateKeyParams) (*oas.APIKeyIssued, error) {
	p := authn.Must(ctx)
	in := apikeys.Input{Kind: apikeys.Integration, Environment: apikeys.Live, By: p.UserID, IdempotencyKey: params.IdempotencyKey.Or("")}
	if req.Set {
		in.Kind = string(req.Value.Type.Or(oas.APIKeyCreateTypeIntegration))
		in.Environment = string(req.Value.Environment.Or(oas.APIKeyCreateEnvironmentLive))
		in.Label = strings.TrimSpace(req.Value.Label.Or(""))
	}
	issued, err := k.Keys.Create(ctx, p.CompanyID, params.ProjectID, in)
	if err != nil {
		return nil, err
	}
	edge.Replayed(ctx, issued.Replayed)
	return &oas.APIKeyIssued{Key: toAPIKey(issued.Key, k.Clock.Now()), Secret: issued.Secret}, nil
}

// RotateKeys revokes all keys of a project and issues a new live pair.
func (k *KeysAPI) RotateKeys(ctx context.Context, req oas.OptAPIKeysRotate, params oas.RotateKeysParams) (*oas.APIKeysRotated, error) {
	p := authn.Must(ctx)
	grace := time.Duration(req.Value.GraceSeconds.Or(0)) * time.Second
	out, err := k.Keys.Rotate(ctx, p.CompanyID, params.ProjectID, p.UserID, grace)
	if err != nil {
		return nil, err
	}
	now := k.Clock.Now()
	return &oas.APIKeysRotated{
		Keys:         oas.APIKeyPair{Integration: toAPIKeyWithSecret(out.Integration, now), Embed: toAPIKeyWithSecret(out.Embed, now)},
		RevokedCount: out.Replaced,
	}, nil
}

// RevokeKey revokes a key.
func (k *KeysAPI) RevokeKey(ctx context.Context, params oas.RevokeKeyParams) (*oas.APIKeyRevoked, error) {
	p := authn.Must(ctx)
	key, err := k.Keys.Revoke(ctx, p.CompanyID, params.ProjectID, params.KeyID, p.UserID)
	if err != nil {
		return nil, err
	}
	return &oas.APIKeyRevoked{Key: toAPIKey(key, k.Clock.Now())}, nil
}
