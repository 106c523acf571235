package mcpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"docqa/gen/dbsqlc"
	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/documents"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/platform/panics"
	"docqa/internal/search"
)

const (
	mcpQueryLength = 8000 // characters; a search of the retrieval API has the same limit
	mcpTopK        = 10
	mcpMaxTopK     = 50
)

// addTools adds all tools to the server to.
func (s *server) addTools(to *mcp.Server) {
	yes, no := true, false
	reads := func(title string) *mcp.ToolAnnotations {
		return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &no}
	}
	mcp.AddTool(to, &mcp.Tool{
		Name: "search", Annotations: reads("Search the documents"),
		Description: "Finds the passages of the project's documents that a text is about, the best first. Passages are verbatim.",
	}, tool(s, s.search))
	mcp.AddTool(to, &mcp.Tool{
		Name: "ask", Annotations: &mcp.ToolAnnotations{Title: "Ask the documents", DestructiveHint: &no, OpenWorldHint: &yes},
		Description: "Answers a question from the project's documents and cites the passages that it rests on as [n]; answered is false " +
			"where the documents hold no answer. The exchange is stored and counts as a message.",
	}, tool(s, s.ask))
	mcp.AddTool(to, &mcp.Tool{
		Name: "list_documents", Annotations: reads("List the documents"),
		Description: "Lists the project's documents, the newest first, by pages.",
	}, tool(s, s.listDocuments))
}

// tool wraps f as a tool of the protocol. If f fails or panics, the model gets an error
// text without internal details; the cause of a fault of the service goes to the log.
func tool[In, Out any](s *server, f func(ctx context.Context, in In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, call *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		var out Out
		err := panics.Catch(func() (err error) { out, err = f(ctx, in); return err })
		if err == nil {
			return content(out), out, nil
		}
		e := s.Edge.Errors.Classify(err)
		if edge.Status(e.Kind) >= 500 {
			s.Log.ErrorContext(ctx, "mcp tool failed", "tool", call.Params.Name, "request_id", edge.RequestID(ctx), "error", err.Error())
		}
		text := e.Message + " (" + string(e.Code) + ")"
		if e.RetryAfter > 0 {
			text += "; try again in " + strconv.Itoa(edge.WholeSeconds(e.RetryAfter)) + " s"
		}
		return nil, out, errors.New(text)
	}
}

// content returns the contents of a result: its JSON and, if it is one that people read, its text.
// nil: the JSON alone.
func content(out any) *mcp.CallToolResult {
	readable, ok := out.(fmt.Stringer)
	if !ok {
		return nil
	}
	data, err := json.Marshal(out)
	if err != nil {
		return nil
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(data)}, &mcp.TextContent{Text: readable.String()}}}
}

type searchInput struct {
	Query string `json:"query" jsonschema:"what to look for, up to 8000 characters"`
	TopK  int    `json:"topK,omitempty" jsonschema:"how many passages, 1 to 50; default 10"`
}

type searchOutput struct {
	Passages []mcpPassage `json:"passages"`
}

type mcpPassage struct {
	DocumentID    string  `json:"documentId"`
	DocumentTitle string  `json:"documentTitle"`
	Location      string  `json:"location" jsonschema:"the file name"`
	SourceURL     string  `json:"sourceUrl,omitempty"`
	PageNumber    int     `json:"pageNumber,omitempty"`
	Excerpt       string  `json:"excerpt"`
	Score         float64 `json:"score" jsonschema:"relevance, 0 to 1"`
}

func (s *server) search(ctx context.Context, in searchInput) (searchOutput, error) {
	query, out := strings.TrimSpace(in.Query), searchOutput{Passages: []mcpPassage{}}
	if err := in.validate(query); err != nil {
		return out, err
	}
	project, err := edge.Project(ctx)
	if err != nil {
		return out, err
	}
	if authn.Must(ctx).Test { // a test key reads no document
		return out, nil
	}
	settings := project.Settings.Retrieval
	settings.TopK = cmp.Or(in.TopK, mcpTopK)
	settings.RerankTopK = settings.TopK
	found, err := s.Retrieval.Search(ctx, project.CompanyID, project.ProjectID, search.Query{Text: query}.ByProject(&settings))
	if err != nil {
		return out, err
	}
	for i := range found.Passages {
		out.Passages = append(out.Passages, toMCPPassage(&found.Passages[i]))
	}
	return out, nil
}

func (in searchInput) validate(query string) error {
	if query == "" || utf8.RuneCountInString(query) > mcpQueryLength {
		return apperr.Validation("/query", "must have 1 to "+strconv.Itoa(mcpQueryLength)+" characters")
	}
	if in.TopK < 0 || in.TopK > mcpMaxTopK {
		return apperr.Validation("/topK", "must be 1 to "+strconv.Itoa(mcpMaxTopK))
	}
	return nil
}

func toMCPPassage(p *search.Passage) mcpPassage {
	out := mcpPassage{DocumentID: p.DocumentID, DocumentTitle: p.Title, Location: p.Filename, Excerpt: p.Body, Score: p.Score}
	if p.SourceURL != nil {
		out.SourceURL = *p.SourceURL
	}
	if p.Page != nil {
		out.PageNumber = int(*p.Page)
	}
	return out
}

type askInput struct {
	Question       string `json:"question" jsonschema:"the question, as long as the project allows"`
	ConversationID string `json:"conversationId,omitempty" jsonschema:"of an earlier answer, to continue its conversation"`
}

type askOutput struct {
	Answer         string      `json:"answer"`
	Answered       bool        `json:"answered" jsonschema:"false where the documents hold no answer"`
	Confidence     string      `json:"confidence" jsonschema:"high, medium, low or none"`
	ConversationID string      `json:"conversationId"`
	Sources        []mcpSource `json:"sources"`
}

type mcpSource struct {
	Index int `json:"index" jsonschema:"the n of a [n] in the answer"`
	mcpPassage
	Quotes []string `json:"quotes" jsonschema:"the statements of the excerpt that the answer quotes"`
}

// String returns the answer, and below it what it quotes of each source.
func (a askOutput) String() string {
	var b strings.Builder
	b.WriteString(a.Answer)
	for i := range a.Sources {
		s := &a.Sources[i]
		fmt.Fprintf(&b, "\n\n[%d] %s", s.Index, s.DocumentTitle)
		if s.PageNumber > 0 {
			fmt.Fprintf(&b, ", page %d", s.PageNumber)
		}
		for _, quote := range s.Quotes {
			fmt.Fprintf(&b, "\n“%s”", quote)
		}
	}
	return b.String()
}

func (s *server) ask(ctx context.Context, in askInput) (askOutput, error) {
	out := askOutput{Sources: []mcpSource{}}
	project, err := edge.Project(ctx)
	if err != nil {
		return out, err
	}
	if err := s.Edge.Limits.Question(ctx); err != nil {
		return out, err
	}
	reply, err := s.Answers.Ask(ctx, project.CompanyID, &project, authn.Must(ctx), chat.Request{
		Question: in.Question, ConversationID: in.ConversationID, Plain: true,
	}, nil)
	if err != nil {
		return out, err
	}
	out.Answer, out.Answered, out.Confidence, out.ConversationID = reply.Text, reply.Answered(), reply.Level, reply.ConversationID
	for i := range reply.Sources {
		out.Sources = append(out.Sources, toMCPSource(&reply.Sources[i]))
	}
	return out, nil
}

func toMCPSource(s *column.Source) mcpSource {
	out := mcpSource{Index: s.Index, mcpPassage: mcpPassage{
		DocumentID: s.DocumentID, DocumentTitle: s.DocumentTitle, Location: s.Location, Excerpt: s.Excerpt, Score: s.Score,
	}, Quotes: s.Quoted()}
	if s.SourceURL != nil {
		out.SourceURL = *s.SourceURL
	}
	if s.PageNumber != nil {
		out.PageNumber = *s.PageNumber
	}
	return out
}

type listInput struct {
	Limit  int    `json:"limit,omitempty" jsonschema:"how many documents, 1 to 100; default 50"`
	Cursor string `json:"cursor,omitempty" jsonschema:"nextCursor of the page before"`
}

type listOutput struct {
	Documents  []mcpDocument `json:"documents"`
	NextCursor string        `json:"nextCursor,omitempty" jsonschema:"absent on the last page"`
}

type mcpDocument struct {
	DocumentID string `json:"documentId"`
	Title      string `json:"title"`
	Filename   string `json:"filename"`
	Status     string `json:"status" jsonschema:"indexed ones are searched"`
	PageCount  int    `json:"pageCount,omitempty"`
	SourceURL  string `json:"sourceUrl,omitempty"`
}

func (s *server) listDocuments(ctx context.Context, in listInput) (listOutput, error) {
	out := listOutput{Documents: []mcpDocument{}}
	project, err := edge.Project(ctx)
	if err != nil {
		return out, err
	}
	if authn.Must(ctx).Test {
		return out, nil
	}
	page, err := s.Documents.List(ctx, project.CompanyID, project.ProjectID, documents.ListInput{Limit: strconv.Itoa(in.Limit), Cursor: in.Cursor})
	if err != nil {
		return out, err
	}
	out.NextCursor = page.NextCursor
	for i := range page.Documents {
		out.Documents = append(out.Documents, toMCPDocument(&page.Documents[i]))
	}
	return out, nil
}

func toMCPDocument(d *dbsqlc.Document) mcpDocument {
	out := mcpDocument{DocumentID: d.DocumentID, Title: d.Title, Filename: d.Filename, Status: d.Status}
	if d.PageCount != nil {
		out.PageCount = int(*d.PageCount)
	}
	if d.SourceURL != nil {
		out.SourceURL = *d.SourceURL
	}
	return out
}
