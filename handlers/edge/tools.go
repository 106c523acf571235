package edge

import (
	"mime"
	"net/http"
	"strings"

	"docqa/gen/operations"
	"docqa/internal/apikeys"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
)

// toolsOperation is the operation of an MCP message in the log.
const toolsOperation = "MCP"

// Tools serves the tools for language models. Their messages are no operations of the
// contract. The zero value serves nothing.
type Tools struct {
	Path    string
	Handler http.Handler // gets POST requests whose credential was accepted
}

// serveTools answers a request to the tools. The steps are those of an operation of the
// contract that accepts integration keys.
func (e *server) serveTools(w http.ResponseWriter, r *http.Request) {
	info := infoFrom(r.Context())
	info.op = operation{
		Operation: operations.Operation{Access: operations.Key, Rate: limits.RateKeyOther, By: operations.ByKey, Slow: true},
		api:       apiMain, name: toolsOperation, group: toolsOperation, pattern: e.tools.Path, method: r.Method,
	}
	e.cors.allowOrigin(w.Header(), info.op, info.origin)
	const allow = "POST, OPTIONS"
	switch r.Method {
	case http.MethodPost:
	case http.MethodOptions:
		w.Header().Set("Allow", allow)
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		e.Errors.Write(w, r, apperr.MethodNotAllowed(allow, "the tools have no sessions: every message is a POST"))
		return
	}
	r, cancel := e.bounded(r, info.op)
	defer cancel()
	admitted, err := e.Guard.admit(r)
	if err == nil {
		err = requireJSON(r)
	}
	if err != nil {
		e.Errors.Write(w, r, err)
		return
	}
	guardBody(w, admitted, info.op)
	e.tools.Handler.ServeHTTP(w, admitted)
}

func requireJSON(r *http.Request) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return apperr.New(apperr.KindUnsupportedMedia, apperr.CodeUnsupportedMediaType, "use Content-Type application/json")
	}
	return nil
}

// admit checks the credential as an operation that accepts integration keys does, and
// returns the request with its caller in the context.
func (g *Guard) admit(r *http.Request) (*http.Request, error) {
	secret := r.Header.Get("X-Service-Key")
	if secret == "" {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || !apikeys.Recognises(token) {
			return nil, unauthenticated()
		}
		secret = token
	}
	ctx, err := g.Key(r.Context(), secret)
	if err != nil {
		return nil, err
	}
	// A tool may run longer than its request. It gets a copy of the info, since the
	// request's own info may only be used in the request's goroutine.
	own := *infoFrom(ctx)
	own.header = http.Header{}
	return r.WithContext(withInfo(ctx, &own)), nil
}
