package edge

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
)

// manualAlarms ring only when a test rings them.
type manualAlarms struct {
	mu  sync.Mutex
	all map[time.Duration]*manualAlarm
}

type manualAlarm struct {
	mu   sync.Mutex
	ring func()
	sets int
}

func (a *manualAlarms) after(d time.Duration, f func()) alarm {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all[d] = &manualAlarm{ring: f, sets: 1}
	return a.all[d]
}

func (a *manualAlarms) get(d time.Duration) *manualAlarm {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.all[d]
}

func (a *manualAlarm) Reset(time.Duration) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sets++
	return true
}

func (a *manualAlarm) Stop() bool { return true }

type testFrame struct {
	Text string `json:"text"`
}

// serveStream answers every request by write and returns the address.
func serveStream(t *testing.T, write func(out *Stream, alarms *manualAlarms)) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		alarms := &manualAlarms{all: map[time.Duration]*manualAlarm{}}
		out := NewStream(w, func(e *apperr.Error) (string, any) { return "error", NewErrorFrame(e) })
		out.after = alarms.after
		write(out, alarms)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

func getURL(t *testing.T, url string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func TestStream_pingsInSilence(t *testing.T) {
	t.Parallel()
	silences := make(chan *manualAlarm, 1)
	resp := getURL(t, serveStream(t, func(out *Stream, alarms *manualAlarms) {
		err := out.Run(t.Context(), func() error {
			out.Send("0", testFrame{"first"})
			alarms.get(pingAfter).ring()
			out.Send("5", testFrame{"<second>"})
			silences <- alarms.get(15 * time.Second)
			return nil
		})
		if err != nil {
			panic(err)
		}
		alarms.get(pingAfter).ring() // after the end: nothing is written
	}))
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "id: 0\ndata: {\"text\":\"first\"}\n\n: ping\n\nid: 5\ndata: {\"text\":\"<second>\"}\n\n", string(body))
	require.Equal(t, 4, (<-silences).sets, "every frame and every ping begins a new silence")
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	require.Equal(t, "no", resp.Header.Get("X-Accel-Buffering"))
}

func TestStream_abortsTheWriteOfAStuckReader(t *testing.T) {
	t.Parallel()
	gone := make(chan bool)
	getURL(t, serveStream(t, func(out *Stream, alarms *manualAlarms) {
		out.Send("0", testFrame{"first"})
		go alarms.get(frameTime).ring()
		for range 1000 { // more than every buffer between us holds
			out.Send("0", testFrame{strings.Repeat("x", 1<<16)})
		}
		gone <- out.gone
	}))
	require.True(t, <-gone)
}
