package mainapi

import (
	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apitype"
	"docqa/internal/projects"
)

// optString returns a pointer to an enum's text, or nil if it is not set.
func optString[T ~string](v T, set bool) *string { return apitype.Pointer(string(v), set) }

// optText converts a text that may be absent or null, which mean different things in a patch.
func optText(v oas.OptNilString) projects.Text {
	if !v.Set || v.Null {
		return projects.Text{Set: v.Set}
	}
	return projects.Text{Set: true, Value: &v.Value}
}

// nullIfEmpty converts an empty text to null.
func nullIfEmpty(s string) oas.NilString {
	if s == "" {
		return oas.NilString{Null: true}
	}
	return oas.NewNilString(s)
}
