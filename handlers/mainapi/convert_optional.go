package mainapi

import (
	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apitype"
	"docqa/internal/projects"
)

// optString is pointer for the contract's enums.
func optString[T ~string](v T, set bool) *string { return apitype.Pointer(string(v), set) }

// optText keeps absent and null apart.
func optText(v oas.OptNilString) projects.Text {
	if !v.Set || v.Null {
		return projects.Text{Set: v.Set}
	}
	return projects.Text{Set: true, Value: &v.Value}
}

// filled shows an empty text as null.
func filled(s string) oas.NilString {
	if s == "" {
		return oas.NilString{Null: true}
	}
	return oas.NewNilString(s)
}
