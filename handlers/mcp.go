package handlers

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docqa/internal/apikeys"
	"docqa/internal/chat"
	"docqa/internal/documents"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
	"docqa/internal/search"
)

// mcpPath is where the tools are. It stands beside the contract: its messages are
// those of the Model Context Protocol.
const mcpPath = "/mcp"

// mcpOperation is how a message is named in the log.
const mcpOperation = "MCP"

// MCPAPI serves a project's documents to language models as tools, by the streamable
// HTTP transport of the Model Context Protocol, without sessions: any process answers
// any request. The credential is an integration key.
type MCPAPI struct {
	Answers   *chat.Service
	Retrieval *search.Service
	Documents *documents.Service
	Limits    *Limits
	Version   string
	Log       *slog.Logger

	guard    *guard
	classify classifier
	protocol http.Handler
}

// prepare makes the tools; it runs once, before the first request.
func (a *MCPAPI) prepare(g *guard, c classifier) {
	a.guard, a.classify = g, c
	server := mcp.NewServer(&mcp.Implementation{Name: "document-qa", Title: "Document Q&A", Version: a.Version}, &mcp.ServerOptions{
		Instructions: "Answers questions from the documents of one project and cites them. Ask in full sentences; answers cite passages as [n].",
		Capabilities: &mcp.ServerCapabilities{},
	})
	a.addTools(server)
	a.protocol = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		// The credential and the project's list of origins guard against pages of other sites. A host name
		// that is not this machine's is what every proxy in front sends.
		DisableLocalhostProtection: true,
	})
}

// serveMCP answers a request to the tools: the same steps as for an operation of the
// contract.
func (e *edge) serveMCP(w http.ResponseWriter, r *http.Request) {
	info := infoFrom(r.Context())
	info.op = operation{api: apiMain, name: mcpOperation, group: "MCP", pattern: mcpPath, method: r.Method}
	e.allowOrigin(w.Header(), info.op, info.origin)
	const allow = "POST, OPTIONS"
	switch r.Method {
	case http.MethodPost:
	case http.MethodOptions:
		w.Header().Set("Allow", allow)
		w.WriteHeader(http.StatusNoContent)
		return
	default:
		err := apperr.New(apperr.MethodNotAllowed, "method_not_allowed", "the tools have no sessions: every message is a POST")
		err.Allow = allow
		e.write(w, r, err)
		return
	}
	r, cancel := e.bounded(r, info.op)
	defer cancel()
	admitted, err := e.mcp.admit(r)
	if err == nil {
		err = message(w, admitted, info.op)
	}
	if err != nil {
		e.write(w, r, err)
		return
	}
	e.mcp.protocol.ServeHTTP(w, admitted)
}

// admit judges the credential as for an operation that takes integration keys, and
// gives the request its caller.
func (a *MCPAPI) admit(r *http.Request) (*http.Request, error) {
	secret := r.Header.Get("X-Service-Key")
	if secret == "" {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || !apikeys.Recognises(token) {
			return nil, unauthenticated()
		}
		secret = token
	}
	ctx, err := a.guard.key(r.Context(), secret)
	if err != nil {
		return nil, err
	}
	// A tool may outlive its request, whose info belongs to the request's goroutine.
	own := *infoFrom(ctx)
	own.header = http.Header{}
	return r.WithContext(withInfo(ctx, &own)), nil
}

// message reads the one message of a request. A batch of them would be many calls for
// the price of one; the protocol has given it up.
func message(w http.ResponseWriter, r *http.Request, op operation) error {
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return apperr.New(apperr.UnsupportedMedia, "unsupported_media_type", "use Content-Type application/json")
	}
	guardBody(w, r, op)
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return apperr.Invalid("validation_error", "send one message at a time")
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	return nil
}

// count takes a question of the key's chat rate.
func (a *MCPAPI) count(ctx context.Context) error {
	p := infoFrom(ctx).principal
	return a.Limits.take(ctx, limits.KeyChatRate(p.Plan), p.KeyID)
}
