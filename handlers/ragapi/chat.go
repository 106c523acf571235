package ragapi

import (
	"context"
	"net/http"
	"strings"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/ragapi"
	"docqa/handlers/edge"
	"docqa/internal/chat"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/apperr"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// RagChat answers a question and stores nothing of it.
func (r *RagAPI) RagChat(ctx context.Context, req *oas.RagChatRequest) (*oas.RagChatResponse, error) {
	began := r.Clock.Now()
	result, err := r.answerStateless(ctx, req, nil)
	if err != nil {
		return nil, err
	}
	return &oas.RagChatResponse{
		Answer: result.Text, Sources: r.toAPIRagCited(&result), Answered: result.Answered(), Usage: oas.RagUsage(result.Usage),
		TookMs: r.since(began),
	}, nil
}

// RagChatStream answers a question as a stream and stores nothing of it. It stops when the
// caller leaves: nothing is stored, so nobody could resume the answer.
func (r *RagAPI) RagChatStream(ctx context.Context, req *oas.RagChatRequest, w http.ResponseWriter) error {
	began := r.Clock.Now()
	out := edge.NewStream(w, ragFailure)
	return out.Run(ctx, func() error {
		result, err := r.answerStateless(ctx, req, ragListener{r, out})
		if err == nil {
			out.Send("", ragDone{Type: "done", Sources: r.toAPIRagCited(&result), Usage: oas.RagUsage(result.Usage), TookMs: r.since(began)})
		}
		return err
	})
}

func (r *RagAPI) answerStateless(ctx context.Context, req *oas.RagChatRequest, l chat.Listener) (chat.PreviewResult, error) {
	q, err := fromAPIStatelessQuestion(req)
	if err != nil {
		return chat.PreviewResult{}, err
	}
	ctx, project, err := r.project(ctx, req.ProjectID)
	if err != nil {
		return chat.PreviewResult{}, err
	}
	if project.CompanyStatus != "active" {
		return chat.PreviewResult{}, apperr.Forbidden(apperr.CodeCompanySuspended, "the workspace is suspended")
	}
	return r.Answers.AnswerStateless(ctx, project.Project.CompanyID, project.Plan, &project.Project, q, l)
}

// project finds a project of any company and returns a context for that company.
func (r *RagAPI) project(ctx context.Context, projectID string) (context.Context, dbsqlc.ProjectByIDRow, error) {
	ctx, project, err := r.Documents.Project(ctx, projectID)
	if err != nil {
		return nil, project, err
	}
	edge.SetProject(ctx, &project.Project)
	return ctx, project, nil
}

// fromAPIStatelessQuestion reads a question with its history.
func fromAPIStatelessQuestion(req *oas.RagChatRequest) (*chat.StatelessQuestion, error) {
	q := &chat.StatelessQuestion{
		Question: strings.TrimSpace(req.Question), Mode: string(req.Mode.Value), TopK: req.TopK.Value,
		Rerank: apitype.Pointer(req.Rerank.Get()), Filters: fromAPIFilters(req.Filters.Value),
	}
	if q.Question == "" {
		return nil, apperr.Validation("/question", "must not be empty")
	}
	for _, turn := range req.History {
		if turn.Role == oas.RagTurnRoleUser {
			q.History = append(q.History, llm.Exchange{Question: turn.Content})
		} else if len(q.History) > 0 {
			q.History[len(q.History)-1].Answer = turn.Content
		}
	}
	return q, nil
}

// ragListener writes a stateless answer as frames while it is made.
type ragListener struct {
	api *RagAPI
	out *edge.Stream
}

// Stage writes which step of the answer runs now.
func (l ragListener) Stage(s chat.Stage) {
	l.out.Send("", ragStatus{Type: "status", Stage: s})
}

// Found writes the passages that the answer may cite.
func (l ragListener) Found(passages []search.Passage) {
	l.out.Send("", ragSources{Type: "sources", Sources: l.api.toAPIRagFound(passages)})
}

// Chunk writes the next part of the answer.
func (l ragListener) Chunk(text string) {
	l.out.Send("", ragToken{Type: "token", Text: text})
}

// The frames of a stream.
type (
	ragStatus struct {
		Type  string     `json:"type"`
		Stage chat.Stage `json:"stage"`
	}
	ragSources struct {
		Type    string          `json:"type"`
		Sources []oas.RagSource `json:"sources"`
	}
	ragToken struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	ragDone struct {
		Type    string          `json:"type"`
		Sources []oas.RagSource `json:"sources"`
		Usage   oas.RagUsage    `json:"usage"`
		TookMs  int             `json:"tookMs"`
	}
)

// ragFailure is the frame of an error.
func ragFailure(e *apperr.Error) (id string, frame any) {
	return "", edge.NewErrorFrame(e)
}
