package conversations

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// behindAll sorts after the id of every message, in every collation.
const behindAll = ids.Message + "_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"

// Thread is a conversation with one page of its messages.
type Thread struct {
	Conversation dbsqlc.Conversation
	Messages     []dbsqlc.Message // chronological
	Next         *string          // cursor of the earlier messages; nil if there are none
}

// Get returns a conversation with a page of its messages: the newest page, or the one that
// the cursor names. projectID may be empty, since ids are unique in the installation.
//
// Errors: NotFound; InvalidInput invalid_cursor.
func (s *Service) Get(ctx context.Context, companyID, projectID, conversationID string, p Page) (Thread, error) {
	q := dbsqlc.New()
	conversation, err := q.ConversationGet(ctx, s.store.Pool(), dbsqlc.ConversationGetParams{
		CompanyID: companyID, ConversationID: conversationID, ProjectID: column.NullIfEmpty(projectID),
	})
	if store.IsNoRows(err) {
		return Thread{}, apperr.NotFound()
	}
	if err != nil {
		return Thread{}, fmt.Errorf("read conversation %s: %w", conversationID, err)
	}
	list := "messages/" + companyID + "/" + conversationID
	at, err := s.place(list, p.Cursor)
	if err != nil {
		return Thread{}, err
	}
	messages, err := q.MessageListPage(ctx, s.store.Ordered(), dbsqlc.MessageListPageParams{
		CompanyID: companyID, ProjectID: conversation.ProjectID, ConversationID: conversationID,
		BeforeMessageID: cmp.Or(at.ID, behindAll), RowLimit: p.Limit + 1,
	})
	if err != nil {
		return Thread{}, fmt.Errorf("read messages of conversation %s: %w", conversationID, err)
	}
	t := Thread{Conversation: conversation, Messages: messages}
	if len(messages) > int(p.Limit) {
		t.Messages = messages[:p.Limit]
		text, err := s.cursors.Encode(place{List: list, ID: t.Messages[p.Limit-1].MessageID})
		if err != nil {
			return Thread{}, err
		}
		t.Next = &text
	}
	slices.Reverse(t.Messages)
	return t, nil
}
