package factory

import (
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// ConversationOpts are the options of NewConversation.
type ConversationOpts struct {
	ProjectID string // empty: the tenant's own project
	VisitorID string // empty: a new one
	Messages  int    // number of questions; their texts are 0, 1, 2, ...
	At        time.Time
}

// NewConversation makes a conversation of the tenant, last changed at o.At.
func (ten Tenant) NewConversation(tb testing.TB, s *store.Store, o ConversationOpts) dbsqlc.Conversation {
	tb.Helper()
	if o.ProjectID == "" {
		o.ProjectID = ten.Project.ProjectID
	}
	if o.VisitorID == "" {
		o.VisitorID = ids.New(ids.Visitor)
	}
	ctx, id := ten.Context(tb.Context()), ids.New(ids.Conversation)
	batch := &pgx.Batch{}
	batch.Queue(`insert into conversations (company_id, project_id, conversation_id, session_id, visitor_id, channel, source, preview, message_count,
		created_at, updated_at) values ($1, $2, $3, $4, $5, 'public', 'api_key', 'First?', $6, $7, $7)`,
		ten.CompanyID, o.ProjectID, id, ids.New(ids.Session), o.VisitorID, o.Messages, o.At)
	for i := range o.Messages {
		batch.Queue(`insert into messages (company_id, project_id, conversation_id, message_id, role, content, created_at)
			values ($1, $2, $3, $4, 'user', $5, $6)`, ten.CompanyID, o.ProjectID, id, ids.New(ids.Message), strconv.Itoa(i), o.At)
	}
	require.NoError(tb, s.Pool().SendBatch(ctx, batch).Close())
	c, err := dbsqlc.New().ConversationGet(ctx, s.Pool(), dbsqlc.ConversationGetParams{CompanyID: ten.CompanyID, ConversationID: id})
	require.NoError(tb, err)
	return c
}

// Events lists the types of the tenant's events, oldest first.
func (ten Tenant) Events(tb testing.TB, s *store.Store) []string {
	tb.Helper()
	rows, err := s.Pool().Query(ten.Context(tb.Context()), "select type from activity_events where company_id = $1 order by event_id", ten.CompanyID)
	require.NoError(tb, err)
	types, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(tb, err)
	return types
}
