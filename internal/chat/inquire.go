package chat

import (
	"context"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/search"
)

// Inquiry is a question that is answered without being kept. What is left out is as the
// project has it.
type Inquiry struct {
	Question string
	History  []string // the user's earlier turns, the oldest first
	Mode     string   // semantic, keyword or hybrid
	TopK     int      // 1 to 50
	Rerank   *bool
	Filters  map[string]any
}

// Stage is what is being done for an inquiry.
type Stage string

// The stages, in their order; the first and the third only where there is such work.
const (
	StageRewriting  Stage = "rewriting"
	StageRetrieving Stage = "retrieving"
	StageReranking  Stage = "reranking"
	StageGenerating Stage = "generating"
)

// Listener follows an inquiry: the stages, then Found once, then Chunk any number of
// times. Methods do not fail.
type Listener interface {
	Stage(s Stage)
	// Found gets what the answer may name, by the numbers of its markers; none where the
	// documents hold no answer.
	Found(passages []search.Passage)
	Chunk(text string)
}

// Trial is an answer that was tried out.
type Trial struct {
	Reply
	Found []search.Passage // what the answer was written from, the best first
	Cited []search.Passage // those that the markers name, by their numbers
}

// Try answers a question as Ask does for a signed-in user, but stores and counts
// nothing. It ends with ctx.
//
// Errors: InvalidInput (validation_error, question_too_long), RateLimited,
// ProviderFailed, Timeout.
func (s *Service) Try(ctx context.Context, companyID string, project *dbsqlc.Project, question string) (Trial, error) {
	question, err := accept(project, question)
	if err != nil {
		return Trial{}, err
	}
	return s.Inquire(ctx, companyID, "", project, &Inquiry{Question: question}, nil)
}

// Inquire answers a question that was judged before, stores and counts nothing, and
// ends with ctx. plan, that of the project's company, bounds the streams at once. With
// a listener the markers are the ranks of the passages found; without one they count
// from 1 in the order of the answer.
//
// Errors: NotFound (an archived project), RateLimited, ProviderFailed, Timeout.
func (s *Service) Inquire(ctx context.Context, companyID, plan string, project *dbsqlc.Project, q *Inquiry, l Listener) (Trial, error) {
	if project.Status == "archived" {
		return Trial{}, apperr.NotFound()
	}
	leave, err := s.enter(ctx, companyID, project.ProjectID, plan, l != nil)
	if err != nil {
		return Trial{}, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	trial, err := s.inquire(ctx, companyID, project, q, l)
	return trial, inTime(ctx, err)
}

func (s *Service) inquire(ctx context.Context, companyID string, project *dbsqlc.Project, q *Inquiry, l Listener) (Trial, error) {
	query := q.query(project)
	stage := func(is bool, name Stage) {
		if l != nil && is {
			l.Stage(name)
		}
	}
	stage(len(query.History) > 0, StageRewriting)
	stage(true, StageRetrieving)
	query.Reranking = func() { stage(true, StageReranking) }
	found, err := s.find(ctx, companyID, project, query)
	if err != nil {
		return Trial{}, err
	}
	stage(true, StageGenerating)
	names := &numbering{passages: found.Passages}
	var told *telling
	var emit func(string)
	if l != nil {
		names.byRank()
		told = &telling{to: l, passages: found.Passages, names: names}
		emit = told.chunk
	}
	t := thread{earlier: query.History}
	reply, err := s.compose(ctx, project, authn.Principal{Kind: authn.KindUser}, &t, q.Question, &found, names, emit)
	if err != nil {
		return Trial{}, err
	}
	if told != nil && !reply.Answered() {
		l.Found([]search.Passage{})
		l.Chunk(reply.Text)
	}
	return Trial{Reply: reply, Found: found.Passages, Cited: names.cited()}, nil
}

// query is what the inquiry looks for.
func (q *Inquiry) query(project *dbsqlc.Project) search.Query {
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
	return search.Query{Text: q.Question, History: recent(project, q.History)}.ByProject(&settings)
}

// recent returns the turns that count: the latest ones, each as far as a question of
// the project may be long; none where the project's settings say so.
func recent(project *dbsqlc.Project, turns []string) []string {
	if !project.Settings.Retrieval.QueryRewriting {
		return nil
	}
	turns = slices.Clone(turns[max(0, len(turns)-earlierTurns):])
	for i, turn := range turns {
		if r := []rune(turn); len(r) > project.Settings.Prompt.MaxQuestionLength {
			turns[i] = string(r[:project.Settings.Prompt.MaxQuestionLength])
		}
	}
	return turns
}

// telling hands the fragments of an answer to a listener.
type telling struct {
	to       Listener
	passages []search.Passage
	names    *numbering
	begun    bool
}

func (t *telling) chunk(fragment string) {
	if !t.begun {
		t.begun = true
		t.to.Found(t.passages)
	}
	t.to.Chunk(t.names.rename(fragment))
}
