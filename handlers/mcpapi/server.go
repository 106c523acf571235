package mcpapi

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/documents"
	"docqa/internal/platform/apperr"
	"docqa/internal/search"
)

// path is the path of the tools. It is not in the contract, since its messages are those
// of the Model Context Protocol.
const path = "/mcp"

// Deps is what New needs.
type Deps struct {
	Edge      *edge.Edge
	Answers   *chat.Service
	Retrieval *search.Service
	Documents *documents.Service
	Version   string
	Log       *slog.Logger
}

// server answers messages to the tools by the streamable HTTP transport of the Model
// Context Protocol. It has no sessions, so any process can answer any request.
type server struct {
	Deps
	protocol http.Handler
}

// New returns the tools.
func New(d Deps) edge.Tools {
	tools := mcp.NewServer(&mcp.Implementation{Name: "document-qa", Title: "Document Q&A", Version: d.Version}, &mcp.ServerOptions{
		Instructions: "Answers questions from the documents of one project and cites them. Ask in full sentences; answers cite passages as [n].",
		Capabilities: &mcp.ServerCapabilities{},
	})
	s := &server{Deps: d}
	s.addTools(tools)
	s.protocol = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return tools }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		// This check would refuse every request from a proxy, since a proxy sends a host name other than
		// localhost. It is not needed: the credential and the project's list of origins stop other sites.
		DisableLocalhostProtection: true,
	})
	return edge.Tools{Path: path, Handler: s}
}

// ServeHTTP answers one message.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := readMessage(r); err != nil {
		s.Edge.Errors.Write(w, r, err)
		return
	}
	s.protocol.ServeHTTP(w, r)
}

// readMessage reads the one message of a request and refuses a batch: it would count as
// one request against the rate, and the protocol no longer has batches.
func readMessage(r *http.Request) error {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		return apperr.Invalid(apperr.CodeValidationError, "send one message at a time")
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(data)), int64(len(data))
	return nil
}
