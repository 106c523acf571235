package mainapi

import (
	"time"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/apikeys"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/column"
	"docqa/internal/projects"
)

// timestamp converts a time.
func timestamp(t time.Time) oas.Timestamp { return oas.Timestamp(apitype.NewTimestamp(t)) }

// nilTimestamp converts a time that may be null.
func nilTimestamp(t *time.Time) oas.NilTimestamp {
	if t == nil {
		return oas.NilTimestamp{Null: true}
	}
	return oas.NewNilTimestamp(timestamp(*t))
}

// nilString converts a text that may be null.
func nilString(s *string) oas.NilString {
	if s == nil {
		return oas.NilString{Null: true}
	}
	return oas.NewNilString(*s)
}

// optString returns a pointer to an enum's text, or nil if it is not set.
func optString[T ~string](v T, set bool) *string { return apitype.Pointer(string(v), set) }

// optText converts a text of a patch. An absent text keeps the value; null removes it.
func optText(v oas.OptNilString) projects.Text {
	if !v.Set || v.Null {
		return projects.Text{Set: v.Set}
	}
	return projects.Text{Set: true, Value: &v.Value}
}

func optNumber(v oas.OptNilFloat64) projects.Nullable[float64] {
	if !v.Set || v.Null {
		return projects.Nullable[float64]{Set: v.Set}
	}
	return projects.Nullable[float64]{Set: true, Value: &v.Value}
}

// nullableNumber converts nil to null.
func nullableNumber(v *float64) oas.NilFloat64 {
	if v == nil {
		return oas.NilFloat64{Null: true}
	}
	return oas.NewNilFloat64(*v)
}

// nullIfEmpty converts an empty text to null.
func nullIfEmpty(s string) oas.NilString {
	if s == "" {
		return oas.NilString{Null: true}
	}
	return oas.NewNilString(s)
}

func toAPIKey(k dbsqlc.ApiKey, now time.Time) oas.APIKey {
	return oas.APIKey{
		KeyID: k.KeyID, ProjectID: k.ProjectID, Type: oas.APIKeyType(k.Kind), Environment: oas.APIKeyEnvironment(k.Environment),
		Label: k.Label, Prefix: k.Prefix, Last4: k.Last4, Status: oas.APIKeyStatus(apikeys.Status(k, now)), CreatedBy: k.CreatedBy,
		CreatedAt: timestamp(k.CreatedAt), LastUsedAt: nilTimestamp(k.LastUsedAt), RevokedAt: nilTimestamp(k.RevokedAt),
		RevokedBy: nilString(k.RevokedBy), ExpiresAt: nilTimestamp(k.ExpiresAt),
	}
}

func toAPIKeyWithSecret(i apikeys.Issued, now time.Time) oas.APIKeyWithSecret {
	k := toAPIKey(i.Key, now)
	return oas.APIKeyWithSecret{
		KeyID: k.KeyID, ProjectID: k.ProjectID, Type: oas.APIKeyWithSecretType(k.Type),
		Environment: oas.APIKeyWithSecretEnvironment(k.Environment), Label: k.Label, Prefix: k.Prefix, Last4: k.Last4,
		Status: oas.APIKeyWithSecretStatus(k.Status), CreatedBy: k.CreatedBy, CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt,
		RevokedAt: k.RevokedAt, RevokedBy: k.RevokedBy, ExpiresAt: k.ExpiresAt, Secret: i.Secret,
	}
}

func toAPIWidgetTheme(t column.Theme) oas.WidgetTheme {
	return oas.WidgetTheme{
		PrimaryColor: t.PrimaryColor, Position: oas.WidgetThemePosition(t.Position),
		Mode: oas.NewOptWidgetThemeMode(oas.WidgetThemeMode(t.Mode)),
	}
}
