package edge

import (
	"encoding/json"
	"net/http"

	"docqa/internal/platform/apperr"
)

// ErrorBody is the error body of the main and the retrieval API; Extract uses the first
// two members and the details. It serves errors for which there is no generated encoder:
// unknown routes, wrong methods, and every check before the generated servers.
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

// Write answers err in the form of the API that the request's path belongs to.
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
	data, _ := json.Marshal(body) // it has only strings: Marshal cannot fail
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(data)
}

// ExtractCode returns the code that Extract uses for code. Extract has one code for every
// body or query that fails validation.
//
// Source: Extract API section 7.
func ExtractCode(code apperr.Code) string {
	if code == apperr.CodeValidationError || code == apperr.CodeInvalidJSON || code == apperr.CodeInvalidCursor {
		return "VALIDATION_ERROR"
	}
	return string(code)
}

// detail is the type that the details of the three APIs have in common.
type detail interface {
	~struct {
		Path    string `json:"path"`
		Message string `json:"message"`
	}
}

// Details converts the details of e to the type of one API.
func Details[D detail](e *apperr.Error) []D {
	var out []D
	for _, d := range e.Details {
		out = append(out, D{Path: d.Path, Message: d.Message})
	}
	return out
}

// Optional returns set(v), or the unset optional if v is the zero value.
func Optional[V comparable, O any](set func(V) O, v V) (out O) {
	var zero V
	if v == zero {
		return out
	}
	return set(v)
}
