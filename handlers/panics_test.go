package handlers

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/mainapi"
	"docqa/internal/chat"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/search"
)

// brokenClock panics at its n-th reading.
type brokenClock struct {
	clock.Clock
	left *atomic.Int32
}

func (c brokenClock) Now() time.Time {
	if c.left.Add(-1) == 0 {
		panic("the clock broke")
	}
	return c.Clock.Now()
}

// TestChatAPI_panicsEndTheRequestAlone: a bug in whatever a question starts, also in a
// goroutine of its own, is a 500 or an error frame, and the process goes on.
func TestChatAPI_panicsEndTheRequestAlone(t *testing.T) {
	t.Parallel()
	h := newChatHouse(t, model{})
	req := mainapi.ChatRequest{Question: "How long is the warranty?"}
	for reading := int32(1); reading <= 2; reading++ { // when it was asked, when it is stored
		left := &atomic.Int32{}
		c := brokenClock{clock.System(), left}
		h.api.Answers = chat.New(h.store, c, search.New(search.Deps{Store: h.store, Clock: clock.System()}), chat.Hosted(model{}))
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			left.Store(reading)
			ctx := h.context(r.Context(), authn.Principal{Kind: authn.KindUser}, w.Header())
			r = r.WithContext(ctx)
			rec := &recorder{ResponseWriter: w}
			defer (&edge{}).rescue(rec, r)
			var err error
			if r.URL.Path == "/stream" {
				err = h.api.ChatStream(ctx, &req, rec)
			} else {
				_, err = h.api.Chat(ctx, &req)
			}
			if err != nil {
				classifier{}.write(rec, r, err)
			}
		}))
		t.Cleanup(srv.Close)
		for _, path := range []string{"/stream", "/json"} {
			resp := get(t, srv.URL+path)
			body, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Contains(t, string(body), `"code":"internal_error"`, "%s, reading %d", path, reading)
		}
	}
}
