package chat

import (
	"context"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/engine/remark"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/provider/llm"
	"docqa/internal/search"
)

// StatelessQuestion is a question whose answer is not stored. A field that is left empty
// takes the project's setting.
type StatelessQuestion struct {
	Question string
	History  []llm.Exchange // the user's earlier turns with their answers, the oldest first
	Mode     string         // semantic, keyword or hybrid
	TopK     int            // 1 to 50
	Rerank   *bool
	Filters  map[string]any
}

// Stage is a step of the way to an answer.
type Stage string

// The stages, in their order. Rewriting comes only with earlier turns, reranking only if it
// is switched on.
const (
	StageRewriting  Stage = "rewriting"
	StageRetrieving Stage = "retrieving"
	StageReranking  Stage = "reranking"
	StageGenerating Stage = "generating"
)

// Listener follows a stateless answer: it gets the stages, then Found once, then Chunk any
// number of times. Its methods do not fail.
type Listener interface {
	Stage(s Stage)
	// Found gets the passages that the markers of the answer number, from 1; none if the
	// documents hold no answer.
	Found(passages []search.Passage)
	Chunk(text string)
}

// PreviewResult is an answer that is not stored.
type PreviewResult struct {
	Reply
	Found []search.Passage // what the answer was written from, the best first
	Cited []search.Passage // the passages of the reply's sources, in their order
}

// Preview answers a question as Ask does for a signed-in user, but stores and counts
// nothing. It stops when ctx ends.
//
// Errors: InvalidInput (validation_error, question_too_long), RateLimited,
// ProviderFailed, Timeout.
func (s *Service) Preview(ctx context.Context, companyID string, project *dbsqlc.Project, question string) (PreviewResult, error) {
	question, err := checkQuestion(project, question)
	if err != nil {
		return PreviewResult{}, err
	}
	return s.AnswerStateless(ctx, companyID, "", project, &StatelessQuestion{Question: question}, nil)
}

// AnswerStateless answers a question that the caller has checked. It stores and counts
// nothing, and stops when ctx ends. plan is the plan of the project's company; it limits the
// streams that are open at once. With a listener the markers are the ranks of the passages;
// without one they count from 1 in the order of the answer.
//
// Errors: NotFound (an archived project), RateLimited, ProviderFailed, Timeout.
func (s *Service) AnswerStateless(
	ctx context.Context, companyID, plan string, project *dbsqlc.Project, q *StatelessQuestion, l Listener,
) (PreviewResult, error) {
	if project.Status == "archived" {
		return PreviewResult{}, apperr.NotFound()
	}
	leave, err := s.enter(ctx, companyID, project.ProjectID, plan, l != nil)
	if err != nil {
		return PreviewResult{}, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	x := &exchange{companyID: companyID, project: project, caller: authn.Principal{Kind: authn.KindUser}, request: Request{Question: q.Question}}
	result, err := s.answerStateless(ctx, x, q, l)
	return result, timeoutError(ctx, err)
}

func (s *Service) answerStateless(ctx context.Context, x *exchange, q *StatelessQuestion, l Listener) (PreviewResult, error) {
	stage := func(name Stage) {
		if l != nil {
			l.Stage(name)
		}
	}
	if c, ok := remark.Recognize(q.Question); ok {
		return courtesyResult(x.project, c, l), nil
	}
	query := q.query(x.project)
	query.Reranking = func() { stage(StageReranking) }
	if x.thread.earlier = recentTurns(x.project, q.History); len(query.History) > 0 {
		stage(StageRewriting)
	}
	stage(StageRetrieving)
	if err := s.find(ctx, x, query); err != nil {
		return PreviewResult{}, err
	}
	stage(StageGenerating)
	var emit func(string)
	if l != nil {
		x.names.ranks = true
		emit = (&fragmentSender{listener: l, exchange: x}).send
	}
	reply, err := s.compose(ctx, x, emit)
	if err != nil {
		return PreviewResult{}, err
	}
	if l != nil && !reply.Answered() {
		l.Found([]search.Passage{})
		l.Chunk(reply.Text)
	}
	return PreviewResult{Reply: reply, Found: x.found.Passages, Cited: x.cited(&reply)}, nil
}

// query returns the query of the search: by the project's settings, except for those that the question has.
func (q *StatelessQuestion) query(project *dbsqlc.Project) search.Query {
	settings := project.Settings.Retrieval
	if q.Mode != "" {
		settings.Mode = q.Mode
	}
	if q.TopK > 0 {
		settings.TopK, settings.RerankTopK = q.TopK, q.TopK
	}
	if q.Rerank != nil {
		settings.RerankEnabled = *q.Rerank
	}
	if len(q.Filters) > 0 {
		settings.MetadataFilter = q.Filters
	}
	turns := recentTurns(project, q.History)
	return search.Query{Text: q.Question, History: questions(turns), LastAnswer: lastAnswer(turns)}.ByProject(&settings)
}

// recentTurns returns the turns that a search takes into account: the latest ones, each cut
// to the length of a question of the project; none if the project's settings say so.
func recentTurns(project *dbsqlc.Project, turns []llm.Exchange) []llm.Exchange {
	if !project.Settings.Retrieval.QueryRewriting {
		return nil
	}
	turns = slices.Clone(turns[max(0, len(turns)-earlierTurns):])
	for i, turn := range turns {
		if r := []rune(turn.Question); len(r) > project.Settings.Prompt.MaxQuestionLength {
			turns[i].Question = string(r[:project.Settings.Prompt.MaxQuestionLength])
		}
	}
	return turns
}

// questions returns the questions of turns.
func questions(turns []llm.Exchange) []string {
	var out []string
	for _, turn := range turns {
		out = append(out, turn.Question)
	}
	return out
}

// lastAnswer returns the answer to the last of the turns.
func lastAnswer(turns []llm.Exchange) string {
	if len(turns) == 0 {
		return ""
	}
	return turns[len(turns)-1].Answer
}

// fragmentSender sends the fragments of an answer to a listener, and the passages before the first one.
type fragmentSender struct {
	listener Listener
	exchange *exchange
	begun    bool
}

func (f *fragmentSender) send(fragment string) {
	if !f.begun {
		f.begun = true
		f.listener.Found(f.exchange.found.Passages)
	}
	f.listener.Chunk(fragment)
}
