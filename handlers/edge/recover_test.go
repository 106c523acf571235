package edge

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestServer_recovers(t *testing.T) {
	t.Parallel()
	broken := API{
		server: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a bug") }),
		find:   func(string, *url.URL) (operation, bool) { return operation{name: "ListKeys"}, true },
	}
	e := &server{Edge: &Edge{Limits: &Limits{}, requestTime: time.Minute}, router: router{apiMain: broken}}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/keys", nil)
	info := &requestInfo{header: w.Header()}
	e.recovering(&recorder{ResponseWriter: w}, r.WithContext(withInfo(r.Context(), info)))
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.JSONEq(t, `{"error":"internal error","code":"internal_error"}`, w.Body.String())
	require.ErrorContains(t, info.cause, "panic")
}

func TestRecorder(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	rec := &recorder{ResponseWriter: w, headOnly: true}
	rec.WriteHeader(http.StatusEarlyHints)
	rec.WriteHeader(http.StatusTeapot)
	n, err := rec.Write([]byte("body"))
	require.NoError(t, err)
	require.Equal(t, 4, n)
	require.Equal(t, http.StatusTeapot, rec.status)
	require.Empty(t, w.Body.String())
	require.NoError(t, http.NewResponseController(rec).Flush())
}
