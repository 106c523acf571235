package conversations

import (
	"context"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/apperr"
	"docqa/internal/cursor"
	"docqa/internal/store"
)

// Service reads conversations. Safe for concurrent use.
type Service struct {
	store   *store.Store
	cursors *cursor.Codec
}

// New returns a service whose cursors are made by cursors.
func New(s *store.Store, cursors *cursor.Codec) *Service {
	return &Service{store: s, cursors: cursors}
}

// Page says which part of a list is wanted.
type Page struct {
	Cursor string // empty: the first page
	Limit  int32  // from 1
}

// WorkspaceList is one page of the company's conversations.
type WorkspaceList struct {
	Rows []dbsqlc.ConversationListWorkspaceRow
	Next *string // nil at the end
}

// List returns the company's conversations, the last updated first; projectID may be
// empty, and an unknown one gives an empty list.
//
// Errors: InvalidInput invalid_cursor.
func (s *Service) List(ctx context.Context, companyID, projectID string, p Page) (WorkspaceList, error) {
	list := "conversations/" + companyID + "/" + projectID
	at, err := s.place(list, p.Cursor)
	if err != nil {
		return WorkspaceList{}, err
	}
	rows, err := dbsqlc.New().ConversationListWorkspace(ctx, s.store.Pool(), dbsqlc.ConversationListWorkspaceParams{
		CompanyID: companyID, ProjectID: given(projectID), BeforeUpdatedAt: at.Time, BeforeConversationID: &at.ID, RowLimit: p.Limit + 1,
	})
	if err != nil {
		return WorkspaceList{}, fmt.Errorf("list conversations: %w", err)
	}
	if len(rows) <= int(p.Limit) {
		return WorkspaceList{Rows: rows}, nil
	}
	rows = rows[:p.Limit]
	next, err := s.next(list, &rows[len(rows)-1].Conversation)
	return WorkspaceList{Rows: rows, Next: next}, err
}

// ProjectList is one page of a project's conversations.
type ProjectList struct {
	Rows []dbsqlc.Conversation
	Next *string // nil at the end
}

// ListProject returns a project's conversations, the last updated first; visitorID
// may be empty, and an unknown one gives an empty list.
//
// Errors: InvalidInput invalid_cursor.
func (s *Service) ListProject(ctx context.Context, companyID, projectID, visitorID string, p Page) (ProjectList, error) {
	list := "conversations/" + companyID + "/" + projectID + "/" + visitorID
	at, err := s.place(list, p.Cursor)
	if err != nil {
		return ProjectList{}, err
	}
	rows, err := dbsqlc.New().ConversationListProject(ctx, s.store.Pool(), dbsqlc.ConversationListProjectParams{
		CompanyID: companyID, ProjectID: projectID, VisitorID: given(visitorID),
		BeforeUpdatedAt: at.Time, BeforeConversationID: &at.ID, RowLimit: p.Limit + 1,
	})
	if err != nil {
		return ProjectList{}, fmt.Errorf("list conversations of project %s: %w", projectID, err)
	}
	if len(rows) <= int(p.Limit) {
		return ProjectList{Rows: rows}, nil
	}
	rows = rows[:p.Limit]
	next, err := s.next(list, &rows[len(rows)-1])
	return ProjectList{Rows: rows, Next: next}, err
}

// place is where in a list a page begins: behind the row of this stamp and id.
type place struct {
	List string     `json:"l"`
	Time *time.Time `json:"t,omitempty"` // nil: at the beginning
	ID   string     `json:"i"`
}

func (s *Service) place(list, cursorText string) (place, error) {
	var at place
	if cursorText == "" {
		return at, nil
	}
	if err := s.cursors.Decode(cursorText, &at); err != nil {
		return at, err
	}
	if at.List != list {
		return at, apperr.Invalid("invalid_cursor", "the cursor belongs to another list")
	}
	return at, nil
}

func (s *Service) next(list string, last *dbsqlc.Conversation) (*string, error) {
	text, err := s.cursors.Encode(place{List: list, Time: &last.UpdatedAt, ID: last.ConversationID})
	return &text, err
}

func given(id string) *string {
	if id == "" {
		return nil
	}
	return &id
}
