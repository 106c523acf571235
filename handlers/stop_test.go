package handlers

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
)

// TestChatAPI_ChatStream_whileTheProcessStops: the reader is told at once, in place of
// whatever would have come, and the answer that ends all the same is stored.
func TestChatAPI_ChatStream_whileTheProcessStops(t *testing.T) {
	t.Parallel()
	halfway, told, stored := make(chan struct{}), make(chan struct{}), make(chan struct{})
	h := newChatHouse(t, model{late: func() { close(halfway); <-told }})
	ctx, stop := context.WithCancelCause(t.Context())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer close(stored)
		_ = h.api.ChatStream(h.context(ctx, authn.Principal{Kind: authn.KindKey}, w.Header()), &mainapi.ChatRequest{Question: "How long is the warranty?"}, w)
	}))
	t.Cleanup(srv.Close)
	resp := get(t, srv.URL)
	<-halfway
	stop(apperr.ShuttingDown())
	body := bufio.NewReader(resp.Body)
	for line := ""; line != "id: error\n"; {
		var err error
		line, err = body.ReadString('\n')
		require.NoError(t, err)
	}
	close(told)
	rest, err := io.ReadAll(body)
	require.NoError(t, err)
	require.Equal(t, `data: {"type":"error","error":"the service is restarting, ask again","code":"shutting_down"}`+"\n\n", string(rest))
	<-stored
	var n int
	require.NoError(t, h.store.Pool().QueryRow(h.Context(t.Context()), "select count(*) from messages").Scan(&n))
	require.Equal(t, 2, n)
}

func TestClassifier_whileTheProcessStops(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cause  error
		err    error
		status int
		code   string
	}{
		"a fault of the stop":       {apperr.ShuttingDown(), context.Canceled, http.StatusServiceUnavailable, "shutting_down"},
		"what the caller did wrong": {apperr.ShuttingDown(), apperr.NotFound(), http.StatusNotFound, "not_found"},
		"a caller that left":        {nil, context.Canceled, statusClientClosed, "internal_error"},
		"neither":                   {nil, errors.New("a bug"), http.StatusInternalServerError, "internal_error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info := &requestInfo{header: http.Header{}}
			ctx, end := context.WithCancelCause(withInfo(t.Context(), info))
			end(test.cause)
			e, status := classifier{}.answer(ctx, test.err)
			require.Equal(t, test.status, status)
			require.Equal(t, test.code, e.Code)
			if test.status == http.StatusServiceUnavailable {
				require.Equal(t, "1", info.header.Get("Retry-After"))
			}
		})
	}
}
