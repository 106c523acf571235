package handlers

import (
	"docqa/gen/mainapi"
	"docqa/internal/projects"
)

// optString is pointer for the contract's enums.
func optString[T ~string](v T, set bool) *string { return pointer(string(v), set) }

// optText keeps absent and null apart.
func optText(v mainapi.OptNilString) projects.Text {
	if !v.Set || v.Null {
		return projects.Text{Set: v.Set}
	}
	return projects.Text{Set: true, Value: &v.Value}
}

// filled shows an empty text as null.
func filled(s string) mainapi.NilString {
	if s == "" {
		return mainapi.NilString{Null: true}
	}
	return mainapi.NewNilString(s)
}
