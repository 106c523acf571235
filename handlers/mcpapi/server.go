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

// path is where the tools are. It stands beside the contract: its messages are those
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

// server answers messages to the tools, by the streamable HTTP transport of the Model
// Context Protocol, without sessions: any process answers any request.
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
		// The credential and the project's list of origins guard against pages of other sites. A host name
		// that is not this machine's is what every proxy in front sends.
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

// readMessage reads the one message of a request. A batch of them would be many calls
// for the price of one; the protocol has given batches up.
func readMessage(r *http.Request) error {
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
