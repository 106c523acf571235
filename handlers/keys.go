package handlers

import (
	"context"
	"strings"
	"time"

	"docqa/gen/mainapi"
	"docqa/internal/apikeys"
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

var _ mainapi.KeysHandler = (*KeysAPI)(nil)

// ListKeys lists the keys of all projects. A filter that is there counts, also an empty one.
func (k *KeysAPI) ListKeys(ctx context.Context, params mainapi.ListKeysParams) (*mainapi.APIKeyList, error) {
	rows, err := k.Keys.List(ctx, authn.Must(ctx).CompanyID, apikeys.Filter{
		ProjectID: pointer(params.ProjectID.Get()), Environment: pointer(params.Environment.Get()), Status: pointer(params.Status.Get()),
	})
	if err != nil {
		return nil, err
	}
	now := k.Clock.Now()
	list := make([]mainapi.APIKey, 0, len(rows))
	for _, row := range rows {
		key := toAPIKey(row.ApiKey, now)
		key.ProjectName = mainapi.NewOptString(row.ProjectName)
		list = append(list, key)
	}
	return &mainapi.APIKeyList{Keys: list}, nil
}

// ListProjectKeys lists the keys of one project.
func (k *KeysAPI) ListProjectKeys(ctx context.Context, params mainapi.ListProjectKeysParams) (*mainapi.APIKeyList, error) {
	rows, err := k.Keys.ListByProject(ctx, authn.Must(ctx).CompanyID, params.ProjectID)
	if err != nil {
		return nil, err
	}
	now := k.Clock.Now()
	list := make([]mainapi.APIKey, 0, len(rows))
	for _, row := range rows {
		list = append(list, toAPIKey(row, now))
	}
	return &mainapi.APIKeyList{Keys: list}, nil
}

// CreateKey issues one key; without a body a live integration key.
func (k *KeysAPI) CreateKey(ctx context.Context, req mainapi.OptAPIKeyCreate, params mainapi.CreateKeyParams) (*mainapi.APIKeyIssued, error) {
	p := authn.Must(ctx)
	in := apikeys.Input{Kind: apikeys.Integration, Environment: apikeys.Live, By: p.UserID, IdempotencyKey: params.IdempotencyKey.Or("")}
	if req.Set {
		in.Kind = string(req.Value.Type.Or(mainapi.APIKeyCreateTypeIntegration))
		in.Environment = string(req.Value.Environment.Or(mainapi.APIKeyCreateEnvironmentLive))
		in.Label = strings.TrimSpace(req.Value.Label.Or(""))
	}
	issued, err := k.Keys.Create(ctx, p.CompanyID, params.ProjectID, in)
	if err != nil {
		return nil, err
	}
	replayed(ctx, issued.Replayed)
	return &mainapi.APIKeyIssued{Key: toAPIKey(issued.Key, k.Clock.Now()), Secret: issued.Secret}, nil
}

// RotateKeys replaces all keys of a project by a new live pair.
func (k *KeysAPI) RotateKeys(ctx context.Context, req mainapi.OptAPIKeysRotate, params mainapi.RotateKeysParams) (*mainapi.APIKeysRotated, error) {
	p := authn.Must(ctx)
	grace := time.Duration(req.Value.GraceSeconds.Or(0)) * time.Second
	out, err := k.Keys.Rotate(ctx, p.CompanyID, params.ProjectID, p.UserID, grace)
	if err != nil {
		return nil, err
	}
	now := k.Clock.Now()
	return &mainapi.APIKeysRotated{
		Keys:         mainapi.APIKeyPair{Integration: toAPIKeyWithSecret(out.Integration, now), Embed: toAPIKeyWithSecret(out.Embed, now)},
		RevokedCount: out.Replaced,
	}, nil
}

// RevokeKey ends a key.
func (k *KeysAPI) RevokeKey(ctx context.Context, params mainapi.RevokeKeyParams) (*mainapi.APIKeyRevoked, error) {
	p := authn.Must(ctx)
	key, err := k.Keys.Revoke(ctx, p.CompanyID, params.ProjectID, params.KeyID, p.UserID)
	if err != nil {
		return nil, err
	}
	return &mainapi.APIKeyRevoked{Key: toAPIKey(key, k.Clock.Now())}, nil
}
