package mainapi_test

import (
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

const shopOrigin = "https://shop.example.com"

func TestRateAnswer(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "rateAnswer")
	project := e.project.ProjectID
	key, embed := e.company.Key(t, project, "integration", "live"), e.company.Key(t, project, "embed", "live")
	rate := func(key string, body object) apitest.Call {
		return apitest.Call{Method: http.MethodPost, Path: "/v1/chat/feedback", Key: key, Body: body}
	}
	asked := func(t *testing.T, key string, body object) object {
		t.Helper()
		body["question"] = "How long does the warranty last?"
		a := e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Origin: shopOrigin, Body: body}).Require(t, http.StatusOK)
		return object{
			"conversationId": a.Text(t, "conversationId"), "messageId": a.Text(t, "assistantMessageId"), "visitorId": a.Text(t, "visitorId"), "rating": "up",
		}
	}
	with := func(body object, name string, value any) object {
		changed := maps.Clone(body)
		changed[name] = value
		if value == nil {
			delete(changed, name)
		}
		return changed
	}
	stored := func(t *testing.T, conversation any) (question, answer object) {
		t.Helper()
		id, _ := conversation.(string)
		var page struct{ Messages []object }
		e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/conversations/" + id, As: e.company.Owner}).Require(t, http.StatusOK).Into(t, &page)
		return page.Messages[0], page.Messages[1]
	}

	t.Run("200 and again", func(t *testing.T) {
		t.Parallel()
		body := asked(t, key, object{"visitorId": "anna"})
		first := e.Do(t, rate(key, body)).Require(t, http.StatusOK)
		require.Equal(t, true, first.Get(t, "ok"))
		require.Equal(t, body["messageId"], first.Get(t, "messageId"))
		require.Equal(t, "up", first.Get(t, "rating"))
		again := e.Do(t, rate(key, body)).Require(t, http.StatusOK)
		require.Equal(t, string(first.Body), string(again.Body), "the same rating again changes nothing")
		e.Do(t, rate(key, with(body, "rating", "down"))).Require(t, http.StatusOK)
		question, answer := stored(t, body["conversationId"])
		require.Equal(t, "down", answer["rating"])
		require.NotNil(t, answer["ratedAt"])
		require.Nil(t, question["rating"])
	})
	t.Run("200 for an embed key's own visitor", func(t *testing.T) {
		t.Parallel()
		body := asked(t, embed, object{})
		call := rate(embed, body)
		call.Origin = shopOrigin
		e.Do(t, call).Require(t, http.StatusOK)
		_, answer := stored(t, body["conversationId"])
		require.Equal(t, "up", answer["rating"])
		call.Body = with(body, "visitorId", ids.New(ids.Visitor))
		e.Do(t, call).RequireError(t, http.StatusBadRequest, "validation_error")
		call.Body = with(body, "visitorId", nil)
		e.Do(t, call).RequireError(t, http.StatusBadRequest, "validation_error")
		guessable := asked(t, key, object{"visitorId": "bob"})
		call.Body = guessable
		e.Do(t, call).RequireError(t, http.StatusBadRequest, "validation_error")
	})
	t.Run("200 with a test key stores nothing", func(t *testing.T) {
		t.Parallel()
		body := asked(t, key, object{})
		test := e.company.Key(t, project, "integration", "test")
		a := e.Do(t, rate(test, body)).Require(t, http.StatusOK)
		require.Equal(t, "msg_00000000000000000000000000", a.Text(t, "messageId"))
		_, answer := stored(t, body["conversationId"])
		require.Nil(t, answer["rating"])
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		body := asked(t, key, object{})
		question, _ := stored(t, body["conversationId"])
		for name, wrong := range map[string]object{
			"a conversation that is unknown": with(body, "conversationId", ids.New(ids.Conversation)),
			"a message that is unknown":      with(body, "messageId", ids.New(ids.Message)),
			"a question":                     with(body, "messageId", question["messageId"]),
			"another visitor":                with(body, "visitorId", "anna"),
			"no visitor":                     with(body, "visitorId", nil),
			"no such rating":                 with(body, "rating", "good"),
			"no rating":                      with(body, "rating", nil),
			"no message":                     with(body, "messageId", nil),
			"an empty id":                    with(body, "conversationId", ""),
		} {
			a := e.Do(t, rate(key, wrong))
			require.Equal(t, http.StatusBadRequest, a.Status, name)
			a.RequireError(t, http.StatusBadRequest, "validation_error")
		}
		foreign := e.company.Key(t, e.company.Project(t).ProjectID, "integration", "live")
		e.Do(t, rate(foreign, body)).RequireError(t, http.StatusBadRequest, "validation_error")
		_, answer := stored(t, body["conversationId"])
		require.Nil(t, answer["rating"])
	})
	t.Run("401, 413 and 415", func(t *testing.T) {
		t.Parallel()
		e.Refusals(t, rate(key, asked(t, key, object{})))
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		p := e.company.Project(t)
		silent := e.company.Key(t, p.ProjectID, "integration", "live")
		e.Do(t, apitest.Call{Method: http.MethodPatch, Path: projectPath(p.ProjectID), As: e.company.Owner, Body: object{"feedbackEnabled": false}}).Require(t, http.StatusOK)
		e.Do(t, rate(silent, asked(t, key, object{}))).RequireError(t, http.StatusForbidden, "feature_disabled")
	})
}
