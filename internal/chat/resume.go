package chat

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
	"docqa/internal/store"
	"docqa/internal/streams"
)

// resumeTime bounds the time that a resumed stream is followed: no answer takes longer.
const resumeTime = answerTime + streams.Abandoned + 10*time.Second

// Resumption says which answer a reader wants to go on with, and what it has of it.
type Resumption struct {
	AnswerID  string
	VisitorID string // as the caller sent it; may be empty
	Heard     int    // code points of the answer
	Sourced   bool   // it has all the text and what follows it
	Ended     bool   // it has everything
}

// Resume goes on with a streamed answer of the project where its reader was cut off,
// also while another process is still writing it, and returns the whole reply. sink
// gets Start in any case, then what the reader lacks. It ends with ctx.
//
// Errors: NotFound for an answer that is unknown, too old, another visitor's or was
// not streamed; RateLimited. After Start, what ended the answer itself.
//
// Source: docs/decisions.md#resumed-streams.
func (s *Service) Resume(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Resumption, sink Sink) (Reply, error) {
	if caller.Test || project.Status == "archived" {
		return Reply{}, apperr.NotFound()
	}
	leave, err := s.enter(ctx, companyID, project.ProjectID, caller.Plan, true)
	if err != nil {
		return Reply{}, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, resumeTime)
	defer cancel()
	state, err := s.streams.Find(ctx, companyID, project.ProjectID, r.AnswerID)
	if err != nil {
		return Reply{}, err
	}
	if caller.FromBrowser() && (r.VisitorID == "" || r.VisitorID != state.VisitorID) {
		return Reply{}, apperr.NotFound()
	}
	sink.Start(Exchange{
		ConversationID: state.ConversationID, SessionID: state.SessionID, VisitorID: state.VisitorID, AnswerID: r.AnswerID,
	})
	if r.Ended {
		return Reply{}, nil
	}
	return s.follow(ctx, companyID, project, r, sink)
}

// follow hands over what comes until the answer has ended.
func (s *Service) follow(ctx context.Context, companyID string, project *dbsqlc.Project, r Resumption, sink Sink) (Reply, error) {
	for {
		state, err := s.streams.Get(ctx, companyID, project.ProjectID, r.AnswerID, r.Heard)
		if err != nil {
			return Reply{}, err
		}
		if state.Stored() {
			reply := storedReply(project, r.AnswerID, &state)
			hear(&reply, r, sink)
			return reply, nil
		}
		if state.Rest != "" {
			sink.Chunk(state.Rest)
			r.Heard += utf8.RuneCountInString(state.Rest)
		}
		if err := state.Failure(); err != nil {
			return Reply{}, err
		}
		if err := streams.Pause(ctx); err != nil {
			return Reply{}, err
		}
	}
}

// hear hands over what the reader lacks of an answer that is stored.
func hear(reply *Reply, r Resumption, sink Sink) {
	if r.Sourced || reply.Kind == KindLeadPrompt {
		return
	}
	if text := []rune(reply.Text); r.Heard < len(text) {
		sink.Chunk(string(text[r.Heard:]))
	}
	sink.Sources(reply.Sources)
}

// storedReply is a reply as it was stored.
func storedReply(project *dbsqlc.Project, answerID string, state *streams.State) Reply {
	reply := Reply{
		Exchange: Exchange{
			ConversationID: state.ConversationID, SessionID: state.SessionID, VisitorID: state.VisitorID, AnswerID: answerID,
		},
		Kind: Kind(of(state.Kind)), Text: of(state.Content), Sources: column.Sources{}, FollowUps: []string{},
		Level: of(state.ConfidenceLevel), Confidence: digits(float64(of(state.ConfidenceScore))),
	}
	reply.Usage.PromptTokens, reply.Usage.CompletionTokens = int(of(state.PromptTokens)), int(of(state.CompletionTokens))
	reply.Sources = append(reply.Sources, state.Sources...)
	reply.FollowUps = append(reply.FollowUps, state.SuggestedFollowUps...)
	if reply.Kind == KindLeadPrompt {
		reply.Fields = project.Settings.LeadCapture.Fields
	}
	return reply
}

// of is what p points to, the zero value where it points to nothing.
func of[T any](p *T) (v T) {
	if p != nil {
		return *p
	}
	return v
}

// keptSink passes an answer on and keeps how far it is, for a reader that is cut off.
type keptSink struct {
	Sink
	keeper               *streams.Keeper
	companyID, projectID string

	stream  *streams.Stream // nil before Start
	failure *apperr.Error
	settled bool
}

// Start begins to keep the answer.
func (k *keptSink) Start(e Exchange) {
	k.stream = k.keeper.Begin(streams.Answer{
		CompanyID: k.companyID, ProjectID: k.projectID, ConversationID: e.ConversationID, SessionID: e.SessionID, VisitorID: e.VisitorID,
		MessageID: e.AnswerID,
	})
	k.Sink.Start(e)
}

// Chunk keeps the next part of the answer.
func (k *keptSink) Chunk(text string) {
	if k.stream != nil { // a fixture is not kept
		k.stream.Add(text)
	}
	k.Sink.Chunk(text)
}

// settle notes how the answer ended.
func (k *keptSink) settle(err error) {
	k.settled = true
	if err == nil {
		return
	}
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		k.failure = e
		return
	}
	k.failure = apperr.Fault(err)
	if store.IsUnavailable(err) {
		k.failure = apperr.TryAgain(err)
	}
}

// end lets go of the answer, also after a panic.
func (k *keptSink) end() {
	if k.stream == nil {
		return
	}
	if !k.settled {
		k.failure = apperr.Fault(nil)
	}
	k.stream.End(k.failure)
}
