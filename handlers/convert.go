package handlers

import (
	"time"

	"docqa/gen/dbsqlc"
	"docqa/gen/mainapi"
	"docqa/internal/apikeys"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/column"
)

// pointer turns what an optional member's Get returns into a pointer; nil where unset.
func pointer[T any](v T, set bool) *T {
	if !set {
		return nil
	}
	return &v
}

// timestamp shows a time.
func timestamp(t time.Time) mainapi.Timestamp { return mainapi.Timestamp(apitype.NewTimestamp(t)) }

// nilTimestamp shows a time that may be null.
func nilTimestamp(t *time.Time) mainapi.NilTimestamp {
	if t == nil {
		return mainapi.NilTimestamp{Null: true}
	}
	return mainapi.NewNilTimestamp(timestamp(*t))
}

// nilString shows a text that may be null.
func nilString(s *string) mainapi.NilString {
	if s == nil {
		return mainapi.NilString{Null: true}
	}
	return mainapi.NewNilString(*s)
}

func toAPIKey(k dbsqlc.ApiKey, now time.Time) mainapi.APIKey {
	return mainapi.APIKey{
		KeyID: k.KeyID, ProjectID: k.ProjectID, Type: mainapi.APIKeyType(k.Kind), Environment: mainapi.APIKeyEnvironment(k.Environment),
		Label: k.Label, Prefix: k.Prefix, Last4: k.Last4, Status: mainapi.APIKeyStatus(apikeys.Status(k, now)), CreatedBy: k.CreatedBy,
		CreatedAt: timestamp(k.CreatedAt), LastUsedAt: nilTimestamp(k.LastUsedAt), RevokedAt: nilTimestamp(k.RevokedAt),
		RevokedBy: nilString(k.RevokedBy), ExpiresAt: nilTimestamp(k.ExpiresAt),
	}
}

func toAPIKeyWithSecret(i apikeys.Issued, now time.Time) mainapi.APIKeyWithSecret {
	k := toAPIKey(i.Key, now)
	return mainapi.APIKeyWithSecret{
		KeyID: k.KeyID, ProjectID: k.ProjectID, Type: mainapi.APIKeyWithSecretType(k.Type),
		Environment: mainapi.APIKeyWithSecretEnvironment(k.Environment), Label: k.Label, Prefix: k.Prefix, Last4: k.Last4,
		Status: mainapi.APIKeyWithSecretStatus(k.Status), CreatedBy: k.CreatedBy, CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt,
		RevokedAt: k.RevokedAt, RevokedBy: k.RevokedBy, ExpiresAt: k.ExpiresAt, Secret: i.Secret,
	}
}

func toAPIWidgetTheme(t column.Theme) mainapi.WidgetTheme {
	return mainapi.WidgetTheme{
		PrimaryColor: t.PrimaryColor, Position: mainapi.WidgetThemePosition(t.Position),
		Mode: mainapi.NewOptWidgetThemeMode(mainapi.WidgetThemeMode(t.Mode)),
	}
}
