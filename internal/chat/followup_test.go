package chat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/testkit/factory"
)

func TestService_Ask_suggestsWhatElseTheDocumentsAnswer(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx := h.Context(t.Context())
	factory.Document(t, h.store, h.Tenant, h.Project.ProjectID, "care.txt", "How often should I oil the bicycle chain? Oil the chain once a month.")
	factory.Reindex(t, h.store, h.Tenant, h.Project.ProjectID, factory.Epoch())
	reply, err := h.chat.Ask(ctx, h.CompanyID, &h.Project, h.caller(authn.KindKey), chat.Request{Question: "How long is the warranty of a bicycle?"}, nil)
	require.NoError(t, err)
	require.True(t, reply.Answered())
	require.Equal(t, []string{"How often should I oil the bicycle chain?"}, reply.FollowUps)
	asked := h.ask(t, h.caller(authn.KindKey), chat.Request{Question: reply.FollowUps[0]})
	require.True(t, asked.Answered())
	require.NotContains(t, asked.FollowUps, reply.FollowUps[0])
}
