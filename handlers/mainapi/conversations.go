package mainapi

import (
	"context"

	oas "docqa/gen/mainapi"
	"docqa/internal/conversations"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/limits"
)

// ConversationsAPI lists and reads stored conversations.
//
// Source: main API section 4.11.
type ConversationsAPI struct{ Conversations *conversations.Service }

// ListConversations lists the conversations of the workspace.
func (c *ConversationsAPI) ListConversations(ctx context.Context, params oas.ListConversationsParams) (*oas.ConversationList, error) {
	list, err := c.Conversations.List(ctx, authn.Must(ctx).CompanyID, params.ProjectID.Or(""), conversationsPage(params.Cursor, params.Limit))
	if err != nil {
		return nil, err
	}
	out := &oas.ConversationList{Conversations: make([]oas.Conversation, 0, len(list.Rows)), NextCursor: nilString(list.Next)}
	for i := range list.Rows {
		item := toAPIConversation(&list.Rows[i].Conversation)
		item.ProjectName = oas.NewOptString(list.Rows[i].ProjectName)
		out.Conversations = append(out.Conversations, item)
	}
	return out, nil
}

// ListProjectConversations lists the conversations of one project.
func (c *ConversationsAPI) ListProjectConversations(ctx context.Context, params oas.ListProjectConversationsParams) (*oas.ConversationList, error) {
	list, err := c.Conversations.ListProject(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.VisitorID.Or(""),
		conversationsPage(params.Cursor, params.Limit))
	if err != nil {
		return nil, err
	}
	out := &oas.ConversationList{Conversations: make([]oas.Conversation, 0, len(list.Rows)), NextCursor: nilString(list.Next)}
	for i := range list.Rows {
		out.Conversations = append(out.Conversations, toAPIConversation(&list.Rows[i]))
	}
	return out, nil
}

// GetConversation reads a conversation of the workspace.
func (c *ConversationsAPI) GetConversation(ctx context.Context, params oas.GetConversationParams) (*oas.ConversationPage, error) {
	thread, err := c.Conversations.Get(ctx, authn.Must(ctx).CompanyID, params.ProjectID.Or(""), params.ConversationID,
		messagesPage(params.Cursor, params.Limit))
	if err != nil {
		return nil, err
	}
	return toAPIConversationPage(&thread), nil
}

// GetProjectConversation reads a conversation of one project.
func (c *ConversationsAPI) GetProjectConversation(ctx context.Context, params oas.GetProjectConversationParams) (*oas.ConversationPage, error) {
	thread, err := c.Conversations.Get(ctx, authn.Must(ctx).CompanyID, params.ProjectID, params.ConversationID,
		messagesPage(params.Cursor, params.Limit))
	if err != nil {
		return nil, err
	}
	return toAPIConversationPage(&thread), nil
}

func conversationsPage(cursor, limit oas.OptString) conversations.Page {
	return conversations.Page{Cursor: cursor.Or(""), Limit: limits.PageSize(limit.Or(""), 50, 100)}
}

func messagesPage(cursor, limit oas.OptString) conversations.Page {
	return conversations.Page{Cursor: cursor.Or(""), Limit: limits.PageSize(limit.Or(""), 100, 200)}
}
