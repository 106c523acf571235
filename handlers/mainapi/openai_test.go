package mainapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/factory"
)

func TestCreateOpenAIChatCompletion(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "createOpenAIChatCompletion")
	key := e.company.Key(t, e.project.ProjectID, "integration", "live")
	ten := factory.Tenant{CompanyID: e.company.ID, Project: e.project}
	factory.Document(t, e.Store, ten, e.project.ProjectID, "warranty-of-parts.txt", "The warranty on the frame is ten years.")
	factory.Document(t, e.Store, ten, e.project.ProjectID, "paint-shop.txt", "It takes three weeks to paint the frame.")
	factory.Reindex(t, e.Store, ten, e.project.ProjectID, factory.Epoch())
	const path = "/v1/openai/chat/completions"
	user := func(text any) map[string]any { return map[string]any{"role": "user", "content": text} }
	complete := func(t *testing.T, body map[string]any, messages ...any) *apitest.Answer {
		t.Helper()
		body["messages"] = messages
		return e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, Token: key, Body: body})
	}
	choice := func(t *testing.T, a *apitest.Answer) (content, finish string) {
		t.Helper()
		var doc struct {
			Choices []struct {
				Message      struct{ Role, Content string }
				FinishReason string `json:"finish_reason"`
			}
		}
		a.Into(t, &doc)
		require.Len(t, doc.Choices, 1)
		require.Equal(t, "assistant", doc.Choices[0].Message.Role)
		return doc.Choices[0].Message.Content, doc.Choices[0].FinishReason
	}
	t.Run("200", func(t *testing.T) {
		t.Parallel()
		a := complete(t, map[string]any{"model": "anything", "user": "user-42"}, user("How long does the warranty last?")).Require(t, http.StatusOK)
		content, finish := choice(t, a)
		require.Contains(t, content, "24 months")
		require.Equal(t, "stop", finish)
		require.Equal(t, "chat.completion", a.Text(t, "object"))
		require.Equal(t, e.project.ChatModelArn, a.Text(t, "model"))
		require.Positive(t, a.Get(t, "created"))
		require.InDelta(t, a.Get(t, "usage.prompt_tokens").(float64)+a.Get(t, "usage.completion_tokens").(float64), a.Get(t, "usage.total_tokens"), 0)
		require.Equal(t, true, a.Get(t, "answered"))
		require.NotEmpty(t, a.Get(t, "sources"))
		var visitor, role string
		require.NoError(t, e.Store.Pool().QueryRow(e.company.Context(t), `select c.visitor_id, m.role from conversations c
			join messages m using (company_id, project_id, conversation_id) where c.conversation_id = $1 and m.message_id = $2`,
			a.Text(t, "conversationId"), a.Text(t, "id")).Scan(&visitor, &role))
		require.Equal(t, "user-42", visitor)
		require.Equal(t, "assistant", role)
	})
	t.Run("200 with earlier messages", func(t *testing.T) {
		t.Parallel()
		follow := user([]map[string]any{{"type": "text", "text": "And how long "}, {"type": "text", "text": "for the frame?"}})
		for earlier, want := range map[string]string{
			"How long is the warranty on the battery?": "ten years", "How long does it take to paint the saddle?": "three weeks",
		} { // the question alone asks as much for the one as for the other
			for _, stream := range []bool{false, true} {
				a := complete(t, map[string]any{"stream": stream}, map[string]any{"role": "system", "content": "You are a pirate."}, user(earlier),
					map[string]any{"role": "assistant", "content": "Two of them."}, follow).Require(t, http.StatusOK)
				var content strings.Builder
				if stream {
					for _, c := range completionChunks(t, a) {
						content.WriteString(c.Choices[0].Delta.Content)
					}
				} else {
					text, _ := choice(t, a)
					content.WriteString(text)
				}
				first, _, _ := strings.Cut(content.String(), "[1]")
				require.Contains(t, first, want, "after %q, as a stream: %t", earlier, stream)
			}
		}
	})
	t.Run("200 with the fewest tokens", func(t *testing.T) {
		t.Parallel()
		content, _ := choice(t, complete(t, map[string]any{"max_tokens": 4000, "max_completion_tokens": 1}, user("How long does the warranty last?")).
			Require(t, http.StatusOK))
		require.Contains(t, content, "[1]")
	})
	t.Run("200 without an answer", func(t *testing.T) {
		t.Parallel()
		_, err := e.Store.Pool().Exec(e.company.Context(t), "update projects set lead_capture_enabled = true where project_id = $1", e.project.ProjectID)
		require.NoError(t, err)
		a := complete(t, map[string]any{}, user("Which planets have rings?")).Require(t, http.StatusOK)
		content, _ := choice(t, a)
		require.Equal(t, e.project.Settings.Prompt.NoAnswerMessage, content)
		require.Equal(t, false, a.Get(t, "answered"))
		require.Equal(t, []any{}, a.Get(t, "sources"))
	})
	t.Run("200 as a stream", func(t *testing.T) {
		t.Parallel()
		a := complete(t, map[string]any{"stream": true, "stream_options": map[string]any{"include_usage": true}}, user("How long does the warranty last?")).
			Require(t, http.StatusOK)
		require.NotContains(t, string(a.Body), "id: ")
		require.True(t, strings.HasSuffix(string(a.Body), "data: [DONE]\n\n"))
		chunks := completionChunks(t, a)
		require.Equal(t, "assistant", chunks[0].Choices[0].Delta.Role)
		var text strings.Builder
		for _, c := range chunks {
			require.Equal(t, "chat.completion.chunk", c.Object)
			require.Equal(t, chunks[0].ID, c.ID)
			if len(c.Choices) > 0 {
				text.WriteString(c.Choices[0].Delta.Content)
			}
		}
		require.Contains(t, text.String(), "24 months")
		last, usage := chunks[len(chunks)-2], chunks[len(chunks)-1]
		require.Equal(t, "stop", *last.Choices[0].FinishReason)
		require.NotEmpty(t, last.Sources)
		require.NotEmpty(t, last.ConversationID)
		require.Nil(t, last.Usage)
		require.Empty(t, usage.Choices)
		require.Positive(t, usage.Usage.TotalTokens)
	})
	t.Run("200 as a stream that fails", func(t *testing.T) {
		t.Parallel()
		a := complete(t, map[string]any{"stream": true}, user("break")).Require(t, http.StatusOK)
		require.True(t, strings.HasSuffix(string(a.Body), `data: {"error":"the model failed","code":"provider_error"}`+"\n\n"), "%s", a.Body)
	})
	t.Run("200 of a test key", func(t *testing.T) {
		t.Parallel()
		test := e.company.Key(t, e.project.ProjectID, "integration", "test")
		for _, stream := range []bool{false, true} {
			a := e.Do(t, apitest.Call{Method: http.MethodPost, Path: path, Token: test, Body: map[string]any{"stream": stream, "messages": []any{user("q")}}})
			require.Contains(t, string(a.Require(t, http.StatusOK).Body), "test answer")
			require.Contains(t, string(a.Body), `"id":"msg_`)
		}
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, messages := range [][]any{
			{},
			{user(" ")},
			{user([]map[string]any{{"type": "image_url", "image_url": "x"}})},
			{user("q"), map[string]any{"role": "assistant", "content": "a"}},
			{map[string]any{"role": "tool", "content": "a"}},
		} {
			complete(t, map[string]any{}, messages...).RequireError(t, http.StatusBadRequest, "validation_error")
		}
		complete(t, map[string]any{"n": 2}, user("q")).RequireError(t, http.StatusBadRequest, "validation_error")
		complete(t, map[string]any{"stream": true}, user(strings.Repeat("x", 1001))).RequireError(t, http.StatusBadRequest, "question_too_long")
	})
	t.Run("401, 403, 413 and 415", func(t *testing.T) {
		t.Parallel()
		good := apitest.Call{Method: http.MethodPost, Path: path, Token: key, Body: map[string]any{"messages": []any{user("q")}}}
		e.Refusals(t, good)
		good.Origin = "https://elsewhere.example.com"
		e.Do(t, good).RequireError(t, http.StatusForbidden, "origin_not_allowed")
		good.Origin, good.Token = "https://shop.example.com", e.company.Key(t, e.project.ProjectID, "embed", "live")
		e.Do(t, good).Require(t, http.StatusUnauthorized)
	})
	t.Run("502 and 504", func(t *testing.T) {
		t.Parallel()
		complete(t, map[string]any{}, user("break")).RequireError(t, http.StatusBadGateway, "provider_error")
		complete(t, map[string]any{}, user("hang")).RequireError(t, http.StatusGatewayTimeout, "provider_timeout")
	})
}

// completionChunk is what a client of the protocol reads.
type completionChunk struct {
	ID, Object string
	Choices    []struct {
		Delta        struct{ Role, Content string }
		FinishReason *string `json:"finish_reason"`
	}
	Usage *struct {
		TotalTokens int `json:"total_tokens"`
	}
	ConversationID string
	Sources        []any
}

func completionChunks(t *testing.T, a *apitest.Answer) []completionChunk {
	t.Helper()
	var list []completionChunk
	for line := range strings.Lines(string(a.Body)) {
		data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var c completionChunk
		require.NoError(t, json.Unmarshal([]byte(data), &c), data)
		list = append(list, c)
	}
	return list
}
