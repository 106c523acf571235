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
	"docqa/internal/platform/optional"
	"docqa/internal/store"
	"docqa/internal/streams"
)

// resumeTime bounds how long a resumed stream is followed: no answer takes longer.
const resumeTime = answerTime + streams.Abandoned + 10*time.Second

// Resumption says which answer a reader wants to go on with, and what it has seen of it.
type Resumption struct {
	AnswerID  string
	VisitorID string // as the caller sent it; may be empty
	Seen      int    // code points of the answer
	Sourced   bool   // the reader has seen the whole text and what follows it
	Ended     bool   // the reader has seen everything
}

// Resume continues a streamed answer of the project for a reader whose connection broke,
// also while another process is still writing the answer, and returns the whole reply. sink
// gets Start in any case, then what the reader has not seen. It stops when ctx ends.
//
// Errors: NotFound if the answer is unknown, too old, another visitor's or was not
// streamed; RateLimited. After Start, the error that ended the answer itself.
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
	sink.Start(ExchangeIDs{
		ConversationID: state.ConversationID, SessionID: state.SessionID, VisitorID: state.VisitorID, AnswerID: r.AnswerID,
	})
	if r.Ended {
		return Reply{}, nil
	}
	return s.follow(ctx, companyID, project, r, sink)
}

// follow sends to sink what is added to the answer, until the answer has ended.
func (s *Service) follow(ctx context.Context, companyID string, project *dbsqlc.Project, r Resumption, sink Sink) (Reply, error) {
	for {
		state, err := s.streams.Get(ctx, companyID, project.ProjectID, r.AnswerID, r.Seen)
		if err != nil {
			return Reply{}, err
		}
		if state.Stored() {
			reply := storedReply(project, r.AnswerID, &state)
			sendUnseen(&reply, r, sink)
			return reply, nil
		}
		if state.Rest != "" {
			sink.Chunk(state.Rest)
			r.Seen += utf8.RuneCountInString(state.Rest)
		}
		if err := state.Failure(); err != nil {
			return Reply{}, err
		}
		if err := streams.Pause(ctx); err != nil {
			return Reply{}, err
		}
	}
}

// sendUnseen sends to sink what the reader has not seen of a stored answer.
func sendUnseen(reply *Reply, r Resumption, sink Sink) {
	if r.Sourced || reply.Kind == KindLeadPrompt {
		return
	}
	if text := []rune(reply.Text); r.Seen < len(text) {
		sink.Chunk(string(text[r.Seen:]))
	}
	sink.Sources(reply.Sources)
}

// storedReply returns the reply as it was stored.
func storedReply(project *dbsqlc.Project, answerID string, state *streams.State) Reply {
	reply := Reply{
		ExchangeIDs: ExchangeIDs{
			ConversationID: state.ConversationID, SessionID: state.SessionID, VisitorID: state.VisitorID, AnswerID: answerID,
		},
		Kind: Kind(optional.Deref(state.Kind)), Text: optional.Deref(state.Content), Sources: column.Sources{}, FollowUps: []string{},
		Level: optional.Deref(state.ConfidenceLevel), Confidence: fourDigits(float64(optional.Deref(state.ConfidenceScore))),
	}
	reply.Usage.PromptTokens, reply.Usage.CompletionTokens = int(optional.Deref(state.PromptTokens)), int(optional.Deref(state.CompletionTokens))
	reply.Sources = append(reply.Sources, state.Sources...)
	reply.FollowUps = append(reply.FollowUps, state.SuggestedFollowUps...)
	if reply.Kind == KindLeadPrompt {
		reply.Fields = project.Settings.LeadCapture.Fields
	}
	return reply
}

// resumableSink passes an answer on and records it, so that a reader whose connection breaks
// can resume it.
type resumableSink struct {
	Sink
	keeper               *streams.Keeper
	companyID, projectID string

	stream  *streams.Stream // nil before Start
	failure *apperr.Error
	settled bool
}

// Start begins to record the answer.
func (k *resumableSink) Start(e ExchangeIDs) {
	k.stream = k.keeper.Begin(streams.Answer{
		CompanyID: k.companyID, ProjectID: k.projectID, ConversationID: e.ConversationID, SessionID: e.SessionID, VisitorID: e.VisitorID,
		MessageID: e.AnswerID,
	})
	k.Sink.Start(e)
}

// Chunk records the next part of the answer.
func (k *resumableSink) Chunk(text string) {
	if k.stream != nil { // the reply to a test key has no Start and is not recorded
		k.stream.Add(text)
	}
	k.Sink.Chunk(text)
}

// settle records how the answer ended.
func (k *resumableSink) settle(err error) {
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

// end ends the recording, also after a panic.
func (k *resumableSink) end() {
	if k.stream == nil {
		return
	}
	if !k.settled {
		k.failure = apperr.Fault(nil)
	}
	k.stream.End(k.failure)
}
