package chat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/testkit/factory"
)

// TestService_Ask_conversations holds the rules by which ids continue a conversation.
func TestService_Ask_conversations(t *testing.T) {
	t.Parallel()
	h := setupWith(t, scripted{}, factory.TenantOpts{Plan: "growth"})
	other := h
	other.Project = h.NewProject(t, h.store, factory.TenantOpts{})
	foreign := h
	foreign.Tenant = factory.NewTenant(t, h.store, factory.TenantOpts{})
	const question = "How long is the warranty?"
	ask := func(t *testing.T, h bundle, kind authn.Kind, r chat.Request) chat.Reply {
		t.Helper()
		r.Question = question
		return h.ask(t, h.caller(kind), r)
	}
	a := ask(t, h, authn.KindKey, chat.Request{})
	b := ask(t, h, authn.KindKey, chat.Request{})
	embed := ask(t, h, authn.KindEmbed, chat.Request{})
	chosen := ask(t, h, authn.KindKey, chat.Request{VisitorID: "user-42"})
	elsewhere := ask(t, other, authn.KindKey, chat.Request{})
	abroad := ask(t, foreign, authn.KindKey, chat.Request{})

	for _, tt := range []struct {
		name      string
		kind      authn.Kind
		give      chat.Request
		continues *chat.Reply // nil: a new conversation
		visitor   string      // "": a new one
	}{
		{"no ids", authn.KindKey, chat.Request{}, nil, ""},
		{"the conversation", authn.KindKey, chat.Request{ConversationID: a.ConversationID}, &a, a.VisitorID},
		{"the session", authn.KindKey, chat.Request{SessionID: a.SessionID}, &a, a.VisitorID},
		{"both", authn.KindKey, chat.Request{ConversationID: a.ConversationID, SessionID: a.SessionID}, &a, a.VisitorID},
		{"a session of another conversation", authn.KindKey, chat.Request{ConversationID: a.ConversationID, SessionID: b.SessionID}, nil, ""},
		{"an unknown session", authn.KindKey, chat.Request{ConversationID: a.ConversationID, SessionID: ids.New(ids.Session)}, nil, ""},
		{"an unknown conversation", authn.KindKey, chat.Request{ConversationID: ids.New(ids.Conversation), SessionID: a.SessionID}, nil, ""},
		{"malformed ids", authn.KindKey, chat.Request{ConversationID: "x", SessionID: "'; --"}, nil, ""},
		{"another project's", authn.KindKey, chat.Request{ConversationID: elsewhere.ConversationID}, nil, ""},
		{"another company's", authn.KindKey, chat.Request{ConversationID: abroad.ConversationID, SessionID: abroad.SessionID}, nil, ""},
		{"a key continues whatever the visitor", authn.KindKey, chat.Request{SessionID: a.SessionID, VisitorID: "user-7"}, &a, a.VisitorID},
		{"a key names a visitor of its own", authn.KindKey, chat.Request{VisitorID: "user-7"}, nil, "user-7"},
		{"the dashboard continues", authn.KindUser, chat.Request{ConversationID: a.ConversationID}, &a, a.VisitorID},
		{"an embed key with the same visitor", authn.KindEmbed, chat.Request{SessionID: embed.SessionID, VisitorID: embed.VisitorID}, &embed, embed.VisitorID},
		{"a share token with the same visitor", authn.KindShare, chat.Request{ConversationID: embed.ConversationID, VisitorID: embed.VisitorID}, &embed, embed.VisitorID},
		{"an embed key without the visitor", authn.KindEmbed, chat.Request{SessionID: embed.SessionID}, nil, ""},
		{"an embed key with another known visitor", authn.KindEmbed, chat.Request{SessionID: embed.SessionID, VisitorID: a.VisitorID}, nil, a.VisitorID},
		{"an embed key with an unknown visitor", authn.KindEmbed, chat.Request{VisitorID: ids.New(ids.Visitor)}, nil, ""},
		{"an embed key with a visitor of no form", authn.KindEmbed, chat.Request{VisitorID: "me"}, nil, ""},
		{"an embed key with a visitor that a server chose", authn.KindEmbed, chat.Request{SessionID: chosen.SessionID, VisitorID: "user-42"}, nil, ""},
		{"an embed key with its visitor alone", authn.KindEmbed, chat.Request{VisitorID: embed.VisitorID}, nil, embed.VisitorID},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := ask(t, h, tt.kind, tt.give)
			if tt.continues != nil {
				require.Equal(t, tt.continues.ConversationID, got.ConversationID)
				require.Equal(t, tt.continues.SessionID, got.SessionID)
			} else {
				for _, known := range []chat.Reply{a, b, embed, chosen, elsewhere, abroad} {
					require.NotEqual(t, known.ConversationID, got.ConversationID)
					require.NotEqual(t, known.SessionID, got.SessionID)
				}
				require.True(t, ids.Valid(ids.Conversation, got.ConversationID))
				require.True(t, ids.Valid(ids.Session, got.SessionID))
			}
			if tt.visitor != "" {
				require.Equal(t, tt.visitor, got.VisitorID)
				return
			}
			require.True(t, ids.Valid(ids.Visitor, got.VisitorID))
			require.NotEqual(t, tt.give.VisitorID, got.VisitorID)
		})
	}
}
