package mcpapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/factory"
)

// withHeader adds headers to the requests of a client.
type withHeader struct{ set map[string]string }

func (h withHeader) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, value := range h.set {
		r.Header.Set(name, value)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// connect is the protocol's own client.
func connect(t *testing.T, e *apitest.Env, header map[string]string) (*mcp.ClientSession, error) {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: e.URL + "/mcp", HTTPClient: &http.Client{Transport: withHeader{header}}, MaxRetries: -1, DisableStandaloneSSE: true,
	}, nil)
	if err == nil {
		t.Cleanup(func() { _ = session.Close() })
	}
	return session, err
}

// connected is a session with a key of the project.
func (b *bundle) connected(t *testing.T) *mcp.ClientSession {
	t.Helper()
	key := b.Company.Key(t, b.Project.ProjectID, "integration", "live")
	s, err := connect(t, b.Env, map[string]string{"Authorization": "Bearer " + key})
	require.NoError(t, err)
	return s
}

// call calls a tool; failed is the text of an error.
func call(t *testing.T, s *mcp.ClientSession, name string, in map[string]any, out any) (failed string) {
	t.Helper()
	result, err := s.CallTool(context.WithoutCancel(t.Context()), &mcp.CallToolParams{Name: name, Arguments: in})
	require.NoError(t, err)
	text, ok := result.Content[0].(*mcp.TextContent)
	require.True(t, ok)
	if result.IsError {
		return text.Text
	}
	data, err := json.Marshal(result.StructuredContent)
	require.NoError(t, err)
	require.JSONEq(t, string(data), text.Text)
	require.NoError(t, json.Unmarshal(data, out))
	return ""
}

// TestMCP_panic: tools run in goroutines of their own, which no server recovers.
func TestMCP_panic(t *testing.T) {
	t.Parallel()
	e := setup(t)
	s := e.connected(t)
	require.Equal(t, "internal error (internal_error)", call(t, s, "ask", map[string]any{"question": "panic"}, nil))
	var out struct{ Answered bool }
	require.Empty(t, call(t, s, "ask", map[string]any{"question": "How long does the warranty last?"}, &out))
	require.True(t, out.Answered)
}

func TestMCP_tools(t *testing.T) {
	t.Parallel()
	e := setup(t)
	s := e.connected(t)
	require.Equal(t, "document-qa", s.InitializeResult().ServerInfo.Name)
	tools, err := s.ListTools(t.Context(), nil)
	require.NoError(t, err)
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
		require.NotEmpty(t, tool.Description)
		require.NotNil(t, tool.OutputSchema)
	}
	require.ElementsMatch(t, []string{"search", "ask", "list_documents"}, names)

	var found struct {
		Passages []struct {
			DocumentTitle, Excerpt string
			PageNumber             int
			Score                  float64
		}
	}
	require.Empty(t, call(t, s, "search", map[string]any{"query": "warranty months", "topK": 1}, &found))
	require.Len(t, found.Passages, 1)
	require.Contains(t, found.Passages[0].Excerpt, "24 months")
	require.Equal(t, "warranty terms", found.Passages[0].DocumentTitle)
	require.Positive(t, found.Passages[0].Score)

	var answer struct {
		Answer, ConversationID, Confidence string
		Answered                           bool
		Sources                            []struct {
			Index         int
			DocumentTitle string
			Quotes        []string
		}
	}
	require.Empty(t, call(t, s, "ask", map[string]any{"question": "How long does the warranty last?"}, &answer))
	require.True(t, answer.Answered)
	require.Contains(t, answer.Answer, "24 months")
	require.Equal(t, "warranty terms", answer.Sources[0].DocumentTitle)
	require.Equal(t, []string{"The warranty lasts 24 months from the date of purchase."}, answer.Sources[0].Quotes)
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask", Arguments: map[string]any{"question": "How long does the warranty last?"}})
	require.NoError(t, err)
	require.Len(t, result.Content, 2)
	text, ok := result.Content[1].(*mcp.TextContent)
	require.True(t, ok)
	require.Equal(t, answer.Answer+"\n\n[1] warranty terms, page 1\n“The warranty lasts 24 months from the date of purchase.”", text.Text)
	first := answer.ConversationID
	require.Empty(t, call(t, s, "ask", map[string]any{"question": "How long does delivery to Iceland take?", "conversationId": first}, &answer))
	require.Equal(t, first, answer.ConversationID)
	require.Empty(t, call(t, s, "ask", map[string]any{"question": "Which planets have rings?"}, &answer))
	require.False(t, answer.Answered)
	require.Equal(t, e.Project.Settings.Prompt.NoAnswerMessage, answer.Answer)
	var messages int
	require.NoError(t, e.Store.Pool().QueryRow(e.Company.Context(t), "select sum(messages) from usage_shards").Scan(&messages))
	require.Equal(t, 4, messages, "questions count, searches do not")

	var list struct {
		Documents  []struct{ DocumentID, Filename string }
		NextCursor string
	}
	require.Empty(t, call(t, s, "list_documents", map[string]any{"limit": 1}, &list))
	require.Len(t, list.Documents, 1)
	newest := list.Documents[0].Filename
	require.Empty(t, call(t, s, "list_documents", map[string]any{"limit": 1, "cursor": list.NextCursor}, &list))
	require.NotEqual(t, newest, list.Documents[0].Filename)
}

func TestMCP_failuresAreToldToTheModel(t *testing.T) {
	t.Parallel()
	e := setup(t)
	key := e.Company.Key(t, e.Project.ProjectID, "integration", "live")
	s, err := connect(t, e.Env, map[string]string{"X-Service-Key": key})
	require.NoError(t, err)
	for name, test := range map[string]struct {
		tool string
		in   map[string]any
		want string
	}{
		"a blank query":            {"search", map[string]any{"query": " "}, "validation_error"},
		"a long query":             {"search", map[string]any{"query": strings.Repeat("é", 8001)}, "validation_error"},
		"too many passages":        {"search", map[string]any{"query": "q", "topK": 51}, "validation_error"},
		"another type":             {"search", map[string]any{"query": 7}, "type"},
		"no query":                 {"search", map[string]any{}, "query"},
		"an unknown member":        {"search", map[string]any{"query": "q", "projectId": ids.New(ids.Project)}, "projectId"},
		"a blank question":         {"ask", map[string]any{"question": ""}, "validation_error"},
		"a long question":          {"ask", map[string]any{"question": strings.Repeat("x", 1001)}, "question_too_long"},
		"a provider that fails":    {"ask", map[string]any{"question": "break"}, "the model failed (provider_error)"},
		"a provider that hangs":    {"ask", map[string]any{"question": "hang"}, "provider_timeout"},
		"a cursor of somebody":     {"list_documents", map[string]any{"cursor": "x"}, "invalid_cursor"},
		"a page of another nature": {"list_documents", map[string]any{"limit": "x"}, "type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, call(t, s, test.tool, test.in, nil), test.want)
		})
	}
	_, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "drop_tables"})
	require.ErrorContains(t, err, "unknown tool")
}

func TestMCP_tenancy(t *testing.T) {
	t.Parallel()
	e := setup(t)
	other := e.Env.Company(t, "free")
	project := other.Project(t)
	ten := factory.Tenant{CompanyID: other.ID, Project: project}
	factory.Document(t, e.Store, ten, project.ProjectID, "secret.txt", "The warranty secret is kept by another company.")
	factory.Reindex(t, e.Store, ten, project.ProjectID, factory.Epoch())
	for who, test := range map[string]struct {
		key  string
		want string
	}{
		"another company": {other.Key(t, project.ProjectID, "integration", "live"), "another company"},
		"we":              {e.Company.Key(t, e.Project.ProjectID, "integration", "live"), "24 months"},
		"a test key":      {e.Company.Key(t, e.Project.ProjectID, "integration", "test"), ""},
	} {
		t.Run(who, func(t *testing.T) {
			t.Parallel()
			s, err := connect(t, e.Env, map[string]string{"Authorization": "Bearer " + test.key})
			require.NoError(t, err)
			var found struct{ Passages []struct{ Excerpt string } }
			require.Empty(t, call(t, s, "search", map[string]any{"query": "warranty"}, &found))
			var list struct{ Documents []any }
			require.Empty(t, call(t, s, "list_documents", map[string]any{}, &list))
			if test.want == "" {
				require.Empty(t, found.Passages)
				require.Empty(t, list.Documents)
				var answer struct{ Answer string }
				require.Empty(t, call(t, s, "ask", map[string]any{"question": "q"}, &answer))
				require.Contains(t, answer.Answer, "test answer")
				return
			}
			require.Contains(t, found.Passages[0].Excerpt, test.want)
			require.NotEmpty(t, list.Documents)
		})
	}
}

func TestMCP_limits(t *testing.T) {
	t.Parallel()
	e := apitest.New(t, apitest.Options{RateLimitScale: 1, Clock: clock.Fixed(factory.Epoch())})
	company := e.Company(t, "free")
	project := company.Project(t)
	s, err := connect(t, e, map[string]string{"Authorization": "Bearer " + company.Key(t, project.ProjectID, "integration", "live")})
	require.NoError(t, err)
	var last string
	for range 31 {
		last = call(t, s, "ask", map[string]any{"question": "Which planets have rings?"}, &struct{}{})
	}
	require.Contains(t, last, "rate_limited")
	require.Contains(t, last, "try again in")
	var found struct{ Passages []any }
	require.Empty(t, call(t, s, "search", map[string]any{"query": "q"}, &found), "searching is not limited by questions")
}

func TestMCP_edge(t *testing.T) {
	t.Parallel()
	e := setup(t)
	key := e.Company.Key(t, e.Project.ProjectID, "integration", "live")
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	accept := map[string]string{"Accept": "application/json, text/event-stream"}
	do := func(t *testing.T, c apitest.Call) *apitest.Answer {
		t.Helper()
		c.Path, c.Header = "/mcp", accept
		if c.Method == "" {
			c.Method = http.MethodPost
		}
		if c.Raw == "" {
			c.Raw = list
		}
		return e.Do(t, c)
	}
	ok := do(t, apitest.Call{Token: key}).Require(t, http.StatusOK)
	require.Contains(t, string(ok.Body), "list_documents")
	require.NotEmpty(t, ok.Header.Get("RateLimit-Limit"))
	require.Empty(t, ok.Header.Get("Mcp-Session-Id"))
	do(t, apitest.Call{Key: key, Origin: "https://shop.example.com"}).Require(t, http.StatusOK)

	do(t, apitest.Call{}).RequireError(t, http.StatusUnauthorized, "unauthenticated")
	do(t, apitest.Call{As: e.Company.Owner}).RequireError(t, http.StatusUnauthorized, "unauthenticated")
	do(t, apitest.Call{Token: apitest.RagKey}).RequireError(t, http.StatusUnauthorized, "unauthenticated")
	do(t, apitest.Call{Token: "sk_live_" + strings.Repeat("0", 40)}).RequireError(t, http.StatusUnauthorized, "invalid_key")
	do(t, apitest.Call{Key: e.Company.Key(t, e.Project.ProjectID, "embed", "live"), Origin: "https://shop.example.com"}).
		Require(t, http.StatusUnauthorized)
	do(t, apitest.Call{Token: key, Origin: "https://elsewhere.example.com"}).RequireError(t, http.StatusForbidden, "origin_not_allowed")
	do(t, apitest.Call{Token: key, Type: "text/plain"}).RequireError(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
	do(t, apitest.Call{Token: key, Raw: strings.Repeat(" ", 1<<20+1)}).RequireError(t, http.StatusRequestEntityTooLarge, "payload_too_large")
	do(t, apitest.Call{Token: key, Raw: "[" + list + "]"}).RequireError(t, http.StatusBadRequest, "validation_error")
	do(t, apitest.Call{Token: key, Raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"question":"\u0000"}}}`}).
		RequireError(t, http.StatusBadRequest, "validation_error")
	do(t, apitest.Call{Token: key, Raw: strings.Repeat("[", 1000)}).Require(t, http.StatusBadRequest)
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
		a := do(t, apitest.Call{Token: key, Method: method}).RequireError(t, http.StatusMethodNotAllowed, "method_not_allowed")
		require.Equal(t, "POST, OPTIONS", a.Header.Get("Allow"))
	}
	do(t, apitest.Call{Method: http.MethodOptions}).Require(t, http.StatusNoContent)
}
