package edge

import (
	"encoding/json"
	"net/http"

	"docqa/internal/platform/apperr"
)

// ErrorBody is the error of the main and the rag API; Extract shows the first two
// members. It is written here where there is no generated encoder: for unknown
// routes, wrong methods and everything in front of the generated servers.
type ErrorBody struct {
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

// Write answers err for the API that the request's path belongs to.
func (c Classifier) Write(w http.ResponseWriter, r *http.Request, err error) {
	e, code := c.Answer(r.Context(), err)
	body := ErrorBody{Error: e.Message, Code: string(e.Code)}
	if apiOf(r.URL.Path) == apiExtract {
		body.Code = ExtractCode(e.Code)
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

// ExtractCode translates to the vocabulary of Extract, which has one code for every
// body or query that fails validation.
//
// Source: Extract API section 7.
func ExtractCode(code apperr.Code) string {
	if code == apperr.CodeValidationError || code == apperr.CodeInvalidJSON || code == apperr.CodeInvalidCursor {
		return "VALIDATION_ERROR"
	}
	return string(code)
}

// detail is the shape that the three APIs' details share.
type detail interface {
	~struct {
		Path    string `json:"path"`
		Message string `json:"message"`
	}
}

// Details shows the details of e in the type of one API.
func Details[D detail](e *apperr.Error) []D {
	var out []D
	for _, d := range e.Details {
		out = append(out, D{Path: d.Path, Message: d.Message})
	}
	return out
}

// Optional wraps v, or leaves it unset where it is the zero value.
func Optional[V comparable, O any](set func(V) O, v V) (out O) {
	var zero V
	if v == zero {
		return out
	}
	return set(v)
}
