package chat

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// testKeyMessage is the message id in the reply to a rating with a test key. No message has it.
const testKeyMessage = "msg_00000000000000000000000000"

// Rating is a visitor's rating of an answer.
type Rating struct {
	ConversationID string
	MessageID      string // of the answer
	VisitorID      string // as the caller sent it; may be empty
	Value          string // up or down
}

// Rated is a stored rating.
type Rated struct {
	MessageID string
	Value     string
	At        time.Time
}

// Rate stores a visitor's rating of an answer. A second rating replaces the first. With a
// test key nothing is stored.
//
// Errors: Forbidden (feature_disabled); InvalidInput (validation_error) if the answer is
// unknown, another visitor's or another project's, or if the visitor is missing.
//
// Source: main API section 4.3; docs/decisions.md#who-may-call-what, #feedback.
func (s *Service) Rate(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Rating) (Rated, error) {
	now := s.clock.Now()
	if !project.FeedbackEnabled {
		return Rated{}, apperr.Forbidden(apperr.CodeFeatureDisabled, "this project takes no feedback")
	}
	if caller.Test {
		return Rated{MessageID: testKeyMessage, Value: r.Value, At: now}, nil
	}
	if caller.FromBrowser() && !ids.Valid(ids.Visitor, r.VisitorID) {
		return Rated{}, unknownAnswer(r) // a visitor could guess an id that is not one of ours and rate a foreign answer
	}
	at, err := dbsqlc.New().MessageRate(ctx, s.store.Pool(), dbsqlc.MessageRateParams{
		CompanyID: companyID, ProjectID: project.ProjectID, ConversationID: r.ConversationID, MessageID: r.MessageID,
		VisitorID: r.VisitorID, Rating: r.Value, Now: now,
	})
	if store.IsNoRows(err) {
		return Rated{}, unknownAnswer(r)
	}
	if err != nil {
		return Rated{}, fmt.Errorf("rate message %s: %w", r.MessageID, err)
	}
	return Rated{MessageID: r.MessageID, Value: r.Value, At: *at}, nil
}

// unknownAnswer is the same error for an answer that does not exist and for another visitor's.
func unknownAnswer(r Rating) error {
	if r.VisitorID == "" {
		return apperr.Validation("/visitorId", "is required once the conversation has a visitor")
	}
	return apperr.Validation("/messageId", "names no answer of this conversation and this visitor")
}
