package handlers

import (
	"context"
	"encoding/json"
	"net/http"

	"docqa/gen/extractapi"
	"docqa/gen/mainapi"
	"docqa/gen/ragapi"
	"docqa/internal/platform/apperr"
)

// errorBody is the error of the main and the rag API; Extract shows the first two
// members. It is written here where no generated encoder is at hand: for unknown
// routes, wrong methods and everything in front of the generated servers.
type errorBody struct {
	Error      string        `json:"error"`
	Code       string        `json:"code,omitempty"`
	Details    []errorDetail `json:"details,omitempty"`
	Setting    string        `json:"setting,omitempty"`
	AccessMode string        `json:"accessMode,omitempty"`
	Blockers   []string      `json:"blockers,omitempty"`
}

type errorDetail struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// write answers err for the API that the request's path belongs to.
func (c classifier) write(w http.ResponseWriter, r *http.Request, err error) {
	e, code := c.answer(r.Context(), err)
	body := errorBody{Error: e.Message, Code: e.Code}
	if apiOf(r.URL.Path) == apiExtract {
		body.Code = extractCode(e.Code)
	} else {
		body.Setting, body.AccessMode, body.Blockers = e.Setting, e.AccessMode, e.Blockers
	}
	for _, d := range e.Details {
		body.Details = append(body.Details, errorDetail{Path: d.Path, Message: d.Message})
	}
	data, _ := json.Marshal(body) // strings alone: cannot fail
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(data)
}

// extractCode translates to the vocabulary of Extract, which has one code for every
// body or query that fails validation.
//
// Source: Extract API section 7.
func extractCode(code string) string {
	switch code {
	case "validation_error", "invalid_json", "invalid_cursor":
		return "VALIDATION_ERROR"
	}
	return code
}

func (c classifier) mainError(ctx context.Context, err error) *mainapi.ErrorStatusCode {
	e, code := c.answer(ctx, err)
	return &mainapi.ErrorStatusCode{StatusCode: code, Response: mainapi.Error{
		Error: e.Message, Code: optional(mainapi.NewOptString, e.Code), Details: convertDetails[mainapi.ErrorDetail](e),
		Setting: optional(mainapi.NewOptString, e.Setting), AccessMode: optional(mainapi.NewOptString, e.AccessMode),
		Blockers: e.Blockers,
	}}
}

func (c classifier) ragError(ctx context.Context, err error) *ragapi.ErrorStatusCode {
	e, code := c.answer(ctx, err)
	return &ragapi.ErrorStatusCode{StatusCode: code, Response: ragapi.Error{
		Error: e.Message, Code: optional(ragapi.NewOptString, e.Code), Details: convertDetails[ragapi.ErrorDetail](e),
		Setting: optional(ragapi.NewOptString, e.Setting), Blockers: e.Blockers,
	}}
}

func (c classifier) extractError(ctx context.Context, err error) *extractapi.ErrorStatusCode {
	e, code := c.answer(ctx, err)
	return &extractapi.ErrorStatusCode{StatusCode: code, Response: extractapi.ExtractError{
		Error: e.Message, Code: extractCode(e.Code), Details: convertDetails[extractapi.ErrorDetail](e),
	}}
}

// detail is the shape that the three APIs' details share.
type detail interface {
	~struct {
		Path    string `json:"path"`
		Message string `json:"message"`
	}
}

func convertDetails[D detail](e *apperr.Error) []D {
	var out []D
	for _, d := range e.Details {
		out = append(out, D{Path: d.Path, Message: d.Message})
	}
	return out
}

// optional wraps v, or leaves it unset where it is the zero value.
func optional[V comparable, O any](set func(V) O, v V) (out O) {
	var zero V
	if v == zero {
		return out
	}
	return set(v)
}
