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

// ratedFixture is the message that a test key rates: there is none.
const ratedFixture = "msg_00000000000000000000000000"

// Rating is what a visitor thinks of an answer.
type Rating struct {
	ConversationID string
	MessageID      string // of the answer
	VisitorID      string // as the caller sent it; may be empty
	Value          string // up or down
}

// Rated is a rating as it stands.
type Rated struct {
	MessageID string
	Value     string
	At        time.Time
}

// Rate keeps a rating in place of an earlier one. A test key gets a fixture and
// nothing is kept.
//
// Errors: ForbiddenCall feature_disabled; InvalidInput validation_error for an unknown
// answer, another visitor's or project's, and where the visitor is missing.
//
// Source: main API section 4.3; gaps sections 10 ("Who may call what") and 11.
func (s *Service) Rate(ctx context.Context, companyID string, project *dbsqlc.Project, caller authn.Principal, r Rating) (Rated, error) {
	now := s.clock.Now()
	if !project.FeedbackEnabled {
		return Rated{}, apperr.Forbidden(apperr.CodeFeatureDisabled, "this project takes no feedback")
	}
	if caller.Test {
		return Rated{MessageID: ratedFixture, Value: r.Value, At: now}, nil
	}
	if caller.FromBrowser() && !ids.Valid(ids.Visitor, r.VisitorID) {
		return Rated{}, unknownAnswer(r) // what a visitor can guess must not open another one's conversation
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

// unknownAnswer is alike for what does not exist and what is another visitor's.
func unknownAnswer(r Rating) error {
	if r.VisitorID == "" {
		return apperr.Validation("/visitorId", "is required once the conversation has a visitor")
	}
	return apperr.Validation("/messageId", "names no answer of this conversation and this visitor")
}
