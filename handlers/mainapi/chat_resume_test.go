package mainapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/testkit/apitest"
)

// streamed asks by a stream and returns its frames as they came.
func (c *bundle) streamed(t *testing.T, call apitest.Call, question string) (frames []string, answerID, visitorID string) {
	t.Helper()
	call.Method, call.Path, call.Body = http.MethodPost, "/v1/chat/stream", map[string]any{"question": question}
	a := c.Do(t, call).Require(t, http.StatusOK)
	start := a.Events(t)[0]
	answerID, _ = start["assistantMessageId"].(string)
	visitorID, _ = start["visitorId"].(string)
	c.Settle(t.Context())
	return strings.SplitAfter(strings.TrimSuffix(string(a.Body), "\n\n"), "\n\n"), answerID, visitorID
}

func TestResumeChatStream(t *testing.T) {
	t.Parallel()
	e := setup(t)
	e.Cover(t, "resumeChatStream")
	key := e.company.Key(t, e.project.ProjectID, "integration", "live")
	embed := e.company.Key(t, e.project.ProjectID, "embed", "live")
	const site = "https://shop.example.com"
	resume := func(t *testing.T, call apitest.Call, id, query, last string) *apitest.Answer {
		t.Helper()
		call.Method, call.Path = http.MethodGet, "/v1/chat/stream/"+id+query
		if last != "" {
			call.Header = map[string]string{"Last-Event-ID": last}
		}
		return e.Do(t, call)
	}
	t.Run("200 from behind every frame", func(t *testing.T) {
		t.Parallel()
		frames, id, _ := e.streamed(t, apitest.Call{Key: key}, "How long does the warranty last?")
		text := resume(t, apitest.Call{Key: key}, id, "", "").Require(t, http.StatusOK).Events(t).Text("chunk")
		require.Contains(t, text, "24 months")
		require.Equal(t, []string{"start", "chunk", "sources", "done"}, resume(t, apitest.Call{Key: key}, id, "", "").Events(t).Types())
		seen := ""
		for i, frame := range frames {
			last := strings.TrimPrefix(strings.SplitN(frame, "\n", 2)[0], "id: ")
			_, data, _ := strings.Cut(frame, "data: ")
			chunk := (&apitest.Answer{Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: []byte("data: " + data)}).Events(t)
			seen += chunk.Text("chunk")
			a := resume(t, apitest.Call{Key: key}, id, "", last).Require(t, http.StatusOK)
			rest := a.Events(t)
			require.Equal(t, text, seen+rest.Text("chunk"), "after frame %d", i)
			if i == len(frames)-1 {
				require.Empty(t, rest)
				continue
			}
			require.True(t, strings.HasSuffix(string(a.Body), strings.TrimRight(frames[len(frames)-1], "\n")+"\n\n"), "the last frame is as it was")
		}
	})
	t.Run("200 of a visitor", func(t *testing.T) {
		t.Parallel()
		_, id, visitor := e.streamed(t, apitest.Call{Key: embed, Origin: site}, "How long does the warranty last?")
		a := resume(t, apitest.Call{Key: embed, Origin: site}, id, "?visitorId="+visitor, "").Require(t, http.StatusOK)
		require.NotContains(t, string(a.Body), "usage")
		resume(t, apitest.Call{Key: embed, Origin: site}, id, "", "").RequireError(t, http.StatusBadRequest, "validation_error")
		resume(t, apitest.Call{Key: embed, Origin: site}, id, "?visitorId="+ids.New(ids.Visitor), "").RequireError(t, http.StatusNotFound, "not_found")
		resume(t, apitest.Call{Key: embed}, id, "?visitorId="+visitor, "").RequireError(t, http.StatusForbidden, "origin_required")
		resume(t, apitest.Call{Key: key}, id, "", "").Require(t, http.StatusOK)
	})
	t.Run("200 of an answer that failed", func(t *testing.T) {
		t.Parallel()
		_, id, _ := e.streamed(t, apitest.Call{Key: key}, "break")
		list := resume(t, apitest.Call{Key: key}, id, "", "").Require(t, http.StatusOK).Events(t)
		require.Equal(t, []string{"start", "error"}, list.Types())
		require.Equal(t, "provider_error", list[1]["code"])
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		for _, last := range []string{"x", "-1", "1e3", strings.Repeat("9", 65)} {
			resume(t, apitest.Call{Key: key}, "msg_01jd8xw2v3k4m5n6p7q8r9s0th", "", last).RequireError(t, http.StatusBadRequest, "validation_error")
		}
	})
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		resume(t, apitest.Call{}, "msg_01jd8xw2v3k4m5n6p7q8r9s0th", "", "").Require(t, http.StatusUnauthorized)
	})
	t.Run("404", func(t *testing.T) {
		t.Parallel()
		_, id, _ := e.streamed(t, apitest.Call{Key: key}, "How long does the warranty last?")
		other := e.company.Key(t, e.company.Project(t).ProjectID, "integration", "live")
		test := e.company.Key(t, e.project.ProjectID, "integration", "test")
		want := resume(t, apitest.Call{Key: key}, "msg_01jd8xw2v3k4m5n6p7q8r9s0th", "", "").RequireError(t, http.StatusNotFound, "not_found").Body
		for _, a := range []*apitest.Answer{
			resume(t, apitest.Call{Key: other}, id, "", ""), resume(t, apitest.Call{Key: test}, id, "", ""), resume(t, apitest.Call{Key: key}, "msg_x", "", ""),
		} {
			require.Equal(t, string(want), string(a.RequireError(t, http.StatusNotFound, "not_found").Body))
		}
	})
}
