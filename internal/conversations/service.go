package conversations

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/cursor"
	"docqa/internal/store"
)

// Service reads conversations. Safe for concurrent use.
type Service struct {
	store   *store.Store
	cursors *cursor.Codec
}

// New returns a Service. cursors makes and checks its cursors.
func New(s *store.Store, cursors *cursor.Codec) *Service {
	return &Service{store: s, cursors: cursors}
}

// Page selects a part of a list.
type Page struct {
	Cursor string // empty: the first page
	Limit  int32  // from 1
}

// Named is a conversation with the name of its project.
type Named struct {
	Conversation dbsqlc.Conversation
	ProjectName  string
}

// WorkspaceList is one page of the company's conversations.
type WorkspaceList struct {
	Rows []Named
	Next *string // nil at the end
}

// List returns the company's conversations, the last updated first, of all projects if
// projectID is empty. For an unknown project the list is empty.
//
// Errors: InvalidInput invalid_cursor.
func (s *Service) List(ctx context.Context, companyID, projectID string, p Page) (WorkspaceList, error) {
	page, err := s.page("conversations/"+companyID+"/"+projectID, p, func(at place) ([]dbsqlc.Conversation, error) {
		if projectID != "" {
			return s.ofProject(ctx, companyID, projectID, at, p)
		}
		return dbsqlc.New().ConversationListWorkspace(ctx, s.store.Ordered(), dbsqlc.ConversationListWorkspaceParams{
			CompanyID: companyID, BeforeUpdatedAt: at.time(), BeforeConversationID: at.ID, RowLimit: p.Limit + 1,
		})
	})
	if err != nil || len(page.Rows) == 0 {
		return WorkspaceList{}, err
	}
	names, err := s.names(ctx, companyID, page.Rows)
	if err != nil {
		return WorkspaceList{}, err
	}
	list := WorkspaceList{Rows: make([]Named, len(page.Rows)), Next: page.Next}
	for i, c := range page.Rows {
		list.Rows[i] = Named{Conversation: c, ProjectName: names[c.ProjectID]}
	}
	return list, nil
}

// names returns the names of the projects that the conversations belong to.
func (s *Service) names(ctx context.Context, companyID string, list []dbsqlc.Conversation) (map[string]string, error) {
	names := map[string]string{}
	for i := range list {
		names[list[i].ProjectID] = ""
	}
	rows, err := dbsqlc.New().ProjectNames(ctx, s.store.Pool(), dbsqlc.ProjectNamesParams{
		CompanyID: companyID, ProjectIds: slices.Collect(maps.Keys(names)),
	})
	if err != nil {
		return nil, fmt.Errorf("read the names of projects: %w", err)
	}
	for _, row := range rows {
		names[row.ProjectID] = row.Name
	}
	return names, nil
}

// ProjectList is one page of a project's conversations.
type ProjectList struct {
	Rows []dbsqlc.Conversation
	Next *string // nil at the end
}

// ListProject returns a project's conversations, the last updated first, of all visitors if
// visitorID is empty. For an unknown visitor the list is empty.
//
// Errors: InvalidInput invalid_cursor.
func (s *Service) ListProject(ctx context.Context, companyID, projectID, visitorID string, p Page) (ProjectList, error) {
	return s.page("conversations/"+companyID+"/"+projectID+"/"+visitorID, p, func(at place) ([]dbsqlc.Conversation, error) {
		if visitorID == "" {
			return s.ofProject(ctx, companyID, projectID, at, p)
		}
		return dbsqlc.New().ConversationListVisitor(ctx, s.store.Ordered(), dbsqlc.ConversationListVisitorParams{
			CompanyID: companyID, ProjectID: projectID, VisitorID: visitorID,
			BeforeUpdatedAt: at.time(), BeforeConversationID: at.ID, RowLimit: p.Limit + 1,
		})
	})
}

func (s *Service) ofProject(ctx context.Context, companyID, projectID string, at place, p Page) ([]dbsqlc.Conversation, error) {
	return dbsqlc.New().ConversationListProject(ctx, s.store.Ordered(), dbsqlc.ConversationListProjectParams{
		CompanyID: companyID, ProjectID: projectID, BeforeUpdatedAt: at.time(), BeforeConversationID: at.ID, RowLimit: p.Limit + 1,
	})
}

// page reads one page of the named list. read must return one row more than the page has if the
// list continues.
func (s *Service) page(list string, p Page, read func(at place) ([]dbsqlc.Conversation, error)) (ProjectList, error) {
	at, err := s.place(list, p.Cursor)
	if err != nil {
		return ProjectList{}, err
	}
	rows, err := read(at)
	if err != nil {
		return ProjectList{}, fmt.Errorf("list conversations: %w", err)
	}
	if len(rows) <= int(p.Limit) {
		return ProjectList{Rows: rows}, nil
	}
	rows = rows[:p.Limit]
	next, err := s.next(list, &rows[len(rows)-1])
	return ProjectList{Rows: rows, Next: next}, err
}

// place is where a page of a list begins: behind the row with this time and id.
type place struct {
	List string     `json:"l"`
	Time *time.Time `json:"t,omitempty"` // nil: at the beginning
	ID   string     `json:"i"`
}

// time returns the time of the row. At the beginning of a list it is later than all others.
func (p *place) time() time.Time {
	if p.Time == nil {
		return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return *p.Time
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
		return at, apperr.Invalid(apperr.CodeInvalidCursor, "the cursor belongs to another list")
	}
	return at, nil
}

func (s *Service) next(list string, last *dbsqlc.Conversation) (*string, error) {
	text, err := s.cursors.Encode(place{List: list, Time: &last.UpdatedAt, ID: last.ConversationID})
	return &text, err
}
