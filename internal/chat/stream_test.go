package chat_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/column"
)

// transcript notes what a sink is told.
type transcript struct {
	calls   []string
	text    strings.Builder
	sources column.Sources
	start   chat.ExchangeIDs
	onStart func()
	chunked chan string // gets every chunk, where it is set
}

func (s *transcript) Start(e chat.ExchangeIDs) {
	s.calls, s.start = append(s.calls, "start"), e
	if s.onStart != nil {
		s.onStart()
	}
}

func (s *transcript) Chunk(text string) {
	if s.calls == nil || s.calls[len(s.calls)-1] != "chunk" {
		s.calls = append(s.calls, "chunk")
	}
	s.text.WriteString(text)
	if s.chunked != nil {
		s.chunked <- text
	}
}

func (s *transcript) Sources(list column.Sources) {
	s.calls, s.sources = append(s.calls, "sources"), list
}

func TestService_Ask_streams(t *testing.T) {
	t.Parallel()
	h := setup(t)
	stream := func(t *testing.T, caller authn.Principal, question string) (*transcript, chat.Reply) {
		t.Helper()
		sink := &transcript{}
		reply, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, caller, chat.Request{Question: question}, sink)
		require.NoError(t, err)
		return sink, reply
	}
	t.Run("an answer", func(t *testing.T) {
		t.Parallel()
		sink, reply := stream(t, h.caller(authn.KindKey), "How long is the warranty?")
		require.Equal(t, []string{"start", "chunk", "sources"}, sink.calls)
		require.Equal(t, reply.Text, sink.text.String())
		require.Equal(t, reply.Sources, sink.sources)
		require.Equal(t, reply.ExchangeIDs, sink.start)
	})
	t.Run("no answer", func(t *testing.T) {
		t.Parallel()
		sink, reply := stream(t, h.caller(authn.KindKey), "Which planets have rings?")
		require.Equal(t, []string{"start", "chunk", "sources"}, sink.calls)
		require.Equal(t, reply.Text, sink.text.String())
		require.Equal(t, column.Sources{}, sink.sources)
	})
	t.Run("a prompt for contact details", func(t *testing.T) {
		t.Parallel()
		project := h.Project
		project.LeadCaptureEnabled = true
		sink := &transcript{}
		_, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &project, h.caller(authn.KindShare), chat.Request{Question: "Which planets have rings?"}, sink)
		require.NoError(t, err)
		require.Equal(t, []string{"start"}, sink.calls)
	})
	t.Run("a fixture", func(t *testing.T) {
		t.Parallel()
		caller := h.caller(authn.KindEmbed)
		caller.Test = true
		sink, reply := stream(t, caller, "How long is the warranty?")
		require.Equal(t, []string{"chunk", "sources"}, sink.calls)
		require.Equal(t, reply.Text, sink.text.String())
	})
}

func TestService_Ask_storesTheAnswerOfACallerWhoLeft(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ctx, leave := context.WithCancel(h.Context(t.Context()))
	sink := &transcript{onStart: leave}
	reply, err := h.chat.Ask(ctx, h.CompanyID, &h.Project, h.caller(authn.KindShare), chat.Request{Question: "How long is the warranty?"}, sink)
	require.NoError(t, err)
	require.Error(t, ctx.Err())
	require.True(t, reply.Answered())
	require.Equal(t, 2, h.count(t, "messages"))
	require.Equal(t, 1, h.used(t))
}
