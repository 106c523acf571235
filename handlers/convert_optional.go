package handlers

import (
	"time"

	"docqa/gen/mainapi"
	"docqa/internal/apitype"
	"docqa/internal/projects"
)

// opt turns what Get of an optional member answers into a pointer, nil where it is absent.
func opt[T any](v T, ok bool) *T {
	if !ok {
		return nil
	}
	return &v
}

// optString is opt for the contract's enums.
func optString[T ~string](v T, ok bool) *string {
	return opt(string(v), ok)
}

// optText keeps absent and null apart.
func optText(v mainapi.OptNilString) projects.Text {
	if !v.Set || v.Null {
		return projects.Text{Set: v.Set}
	}
	return projects.Text{Set: true, Value: &v.Value}
}

func toAPITime(t time.Time) mainapi.Timestamp {
	return mainapi.Timestamp(apitype.NewTimestamp(t))
}

func toAPINilTime(t *time.Time) mainapi.NilTimestamp {
	if t == nil {
		return mainapi.NilTimestamp{Null: true}
	}
	return mainapi.NewNilTimestamp(toAPITime(*t))
}

func toAPINilString(s *string) mainapi.NilString {
	if s == nil {
		return mainapi.NilString{Null: true}
	}
	return mainapi.NewNilString(*s)
}

// toAPIFilled shows an empty text as null.
func toAPIFilled(s string) mainapi.NilString {
	if s == "" {
		return mainapi.NilString{Null: true}
	}
	return mainapi.NewNilString(s)
}
