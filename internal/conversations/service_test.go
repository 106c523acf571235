package conversations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/conversations"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/cursor"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

type bundle struct {
	store *store.Store
	svc   *conversations.Service
	factory.Tenant
}

func setup(t *testing.T) bundle {
	t.Helper()
	s := dbtest.New(t)
	codec := cursor.New([]byte("key of the test"), clock.Fixed(factory.Epoch()))
	return bundle{store: s, svc: conversations.New(s, codec), Tenant: factory.NewTenant(t, s, factory.TenantOpts{})}
}

// conversation makes one with n messages, last updated at the given time.
func (h bundle) conversation(t *testing.T, ten factory.Tenant, projectID, visitor string, at time.Time, n int) dbsqlc.Conversation {
	t.Helper()
	return ten.NewConversation(t, h.store, factory.ConversationOpts{ProjectID: projectID, VisitorID: visitor, Messages: n, At: at})
}

func TestService_List_pages(t *testing.T) {
	t.Parallel()
	h := setup(t)
	second := h.NewProject(t, h.store, factory.TenantOpts{})
	var all []string
	for i := range 7 { // equal stamps, so that the id decides
		project := h.Project.ProjectID
		if i%2 == 1 {
			project = second.ProjectID
		}
		all = append(all, h.conversation(t, h.Tenant, project, "v", factory.Epoch(), 0).ConversationID)
	}
	ctx := h.Context(t.Context())
	walk := func(projectID string) []string {
		var got []string
		for p := (conversations.Page{Limit: 2}); ; {
			list, err := h.svc.List(ctx, h.CompanyID, projectID, p)
			require.NoError(t, err)
			require.LessOrEqual(t, len(list.Rows), 2)
			for _, r := range list.Rows {
				got = append(got, r.Conversation.ConversationID)
				require.Equal(t, "Project", r.ProjectName)
			}
			if list.Next == nil {
				return got
			}
			p.Cursor = *list.Next
		}
	}
	require.Equal(t, []string{all[6], all[5], all[4], all[3], all[2], all[1], all[0]}, walk(""))
	require.Equal(t, []string{all[5], all[3], all[1]}, walk(second.ProjectID))
	require.Empty(t, walk("prj_unknown"))
}

func TestService_ListProject(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx, project := h.Context(t.Context()), h.Project.ProjectID
	older := h.conversation(t, h.Tenant, project, "anna", factory.Epoch(), 0)
	newer := h.conversation(t, h.Tenant, project, "anna", factory.Epoch().Add(time.Second), 0)
	other := h.conversation(t, h.Tenant, project, "ben", factory.Epoch().Add(time.Minute), 0)
	list := func(visitor, cursorText string, limit int32) conversations.ProjectList {
		page, err := h.svc.ListProject(ctx, h.CompanyID, project, visitor, conversations.Page{Cursor: cursorText, Limit: limit})
		require.NoError(t, err)
		return page
	}
	require.Equal(t, []dbsqlc.Conversation{other, newer, older}, list("", "", 50).Rows)
	require.Equal(t, []dbsqlc.Conversation{newer, older}, list("anna", "", 50).Rows)
	require.Empty(t, list("nobody", "", 50).Rows)
	first := list("anna", "", 1)
	require.Equal(t, []dbsqlc.Conversation{newer}, first.Rows)
	last := list("anna", *first.Next, 1)
	require.Equal(t, []dbsqlc.Conversation{older}, last.Rows)
	require.Nil(t, last.Next)
}

func TestService_Get_pagesBackwards(t *testing.T) {
	t.Parallel()
	h := setup(t)
	c := h.conversation(t, h.Tenant, h.Project.ProjectID, "v", factory.Epoch(), 5)
	ctx := h.Context(t.Context())
	var pages [][]string
	for p := (conversations.Page{Limit: 2}); ; {
		thread, err := h.svc.Get(ctx, h.CompanyID, "", c.ConversationID, p)
		require.NoError(t, err)
		require.Equal(t, c, thread.Conversation)
		var page []string
		for _, m := range thread.Messages {
			page = append(page, m.Content)
		}
		pages = append(pages, page)
		if thread.Next == nil {
			break
		}
		p.Cursor = *thread.Next
	}
	require.Equal(t, [][]string{{"3", "4"}, {"1", "2"}, {"0"}}, pages, "the newest page first, chronological inside")
}

func TestService_Get_unknown(t *testing.T) {
	t.Parallel()
	h := setup(t)
	other := factory.NewTenant(t, h.store, factory.TenantOpts{})
	second := h.NewProject(t, h.store, factory.TenantOpts{})
	c := h.conversation(t, h.Tenant, h.Project.ProjectID, "v", factory.Epoch(), 1)
	get := func(ten factory.Tenant, projectID, id string) error {
		_, err := h.svc.Get(ten.Context(t.Context()), ten.CompanyID, projectID, id, conversations.Page{Limit: 10})
		return err
	}
	require.NoError(t, get(h.Tenant, h.Project.ProjectID, c.ConversationID))
	require.Equal(t, apperr.NotFound(), get(h.Tenant, "", ids.New(ids.Conversation)))
	require.Equal(t, apperr.NotFound(), get(h.Tenant, second.ProjectID, c.ConversationID), "of another project")
	require.Equal(t, apperr.NotFound(), get(other, "", c.ConversationID), "of another company")
}

func TestService_refusesForeignCursors(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx, project := h.Context(t.Context()), h.Project.ProjectID
	for range 3 {
		h.conversation(t, h.Tenant, project, "v", factory.Epoch(), 0)
	}
	c := h.conversation(t, h.Tenant, project, "v", factory.Epoch(), 3)
	workspace, err := h.svc.List(ctx, h.CompanyID, "", conversations.Page{Limit: 1})
	require.NoError(t, err)
	thread, err := h.svc.Get(ctx, h.CompanyID, "", c.ConversationID, conversations.Page{Limit: 1})
	require.NoError(t, err)
	for name, text := range map[string]string{
		"of another list": *workspace.Next, "of a thread": *thread.Next, "of nobody": "x", "changed": "A" + *workspace.Next, "not base64": "ä",
	} {
		_, err := h.svc.ListProject(ctx, h.CompanyID, project, "", conversations.Page{Cursor: text, Limit: 1})
		require.EqualValues(t, "invalid_cursor", apperr.CodeOf(err), name)
	}
	_, err = h.svc.Get(ctx, h.CompanyID, "", c.ConversationID, conversations.Page{Cursor: *workspace.Next, Limit: 1})
	require.EqualValues(t, "invalid_cursor", apperr.CodeOf(err))
	other := factory.NewTenant(t, h.store, factory.TenantOpts{})
	_, err = h.svc.List(other.Context(t.Context()), other.CompanyID, "", conversations.Page{Cursor: *workspace.Next, Limit: 1})
	require.EqualValues(t, "invalid_cursor", apperr.CodeOf(err), "of another company")
}
