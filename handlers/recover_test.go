package handlers

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/mainapi"
)

// A Main without its groups panics in every one of their operations.
func TestEdge_recovers(t *testing.T) {
	t.Parallel()
	e := &edge{router: router{}, limits: NewLimits(nil)}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/keys", nil)
	info := &requestInfo{header: w.Header()}
	rec := &recorder{ResponseWriter: w}
	e.main = &mainapi.Server{}
	e.recovering(rec, r.WithContext(withInfo(r.Context(), info)))
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
