package outbound_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/outbound"
)

func TestGuard_CheckPage(t *testing.T) {
	t.Parallel()
	guard, err := outbound.New(outbound.Options{Resolver: table{
		"www.example.com": {"93.184.215.14"}, "inside.example.com": {"10.0.0.7"},
	}})
	require.NoError(t, err)
	for rawURL, code := range map[string]string{
		"https://www.example.com/a":        "",
		"http://www.example.com/a":         "",
		"http://inside.example.com/":       "url_not_allowed",
		"http://nowhere.example.com/":      "url_not_allowed",
		"http://user@www.example.com/":     "url_not_allowed",
		"http://169.254.169.254/latest":    "url_not_allowed",
		"http://[::ffff:127.0.0.1]/":       "url_not_allowed",
		"file:///etc/passwd":               "invalid_url",
		"gopher://www.example.com/":        "url_not_allowed",
		"http://metadata.google.internal/": "url_not_allowed",
		"/path":                            "invalid_url",
	} {
		require.EqualValues(t, code, apperr.CodeOf(guard.CheckPage(t.Context(), rawURL)), rawURL)
	}
}

func TestGuard_Open(t *testing.T) {
	t.Parallel()
	var site *httptest.Server
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/page":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<p>Hello</p>")
		case "/moved":
			http.Redirect(w, r, "/again", http.StatusMovedPermanently)
		case "/again":
			http.Redirect(w, r, site.URL+"/page", http.StatusFound)
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		case "/inside":
			http.Redirect(w, r, "http://10.0.0.7/secret", http.StatusFound)
		case "/metadata":
			http.Redirect(w, r, "http://169.254.169.254/latest/meta-data", http.StatusTemporaryRedirect)
		case "/file":
			w.Header().Set("Location", "file:///etc/passwd")
			w.WriteHeader(http.StatusFound)
		case "/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "short")
		default:
			http.Error(w, "no", http.StatusForbidden)
		}
	}))
	t.Cleanup(site.Close)
	guard, err := outbound.New(outbound.Options{AllowCIDRs: []string{"127.0.0.0/8"}})
	require.NoError(t, err)

	for _, path := range []string{"/page", "/moved"} {
		page, err := guard.Open(t.Context(), site.URL+path)
		require.NoError(t, err)
		body, err := io.ReadAll(page.Body)
		require.NoError(t, err)
		require.NoError(t, page.Body.Close())
		require.Equal(t, "<p>Hello</p>", string(body))
		require.Equal(t, site.URL+"/page", page.URL)
		require.Equal(t, "text/html; charset=utf-8", page.ContentType)
	}
	for path, code := range map[string]string{
		"/loop": "crawl_unreachable", "/none": "crawl_unreachable", "/inside": "url_not_allowed", "/metadata": "url_not_allowed",
		"/file": "invalid_url",
	} {
		_, err := guard.Open(t.Context(), site.URL+path)
		require.EqualValues(t, code, apperr.CodeOf(err), path)
	}
	page, err := guard.Open(t.Context(), site.URL+"/cut")
	require.NoError(t, err)
	_, err = io.ReadAll(page.Body)
	require.EqualValues(t, "crawl_unreachable", apperr.CodeOf(err))
	require.NoError(t, page.Body.Close())

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = guard.Open(gone, site.URL+"/page")
	require.ErrorIs(t, err, context.Canceled)

	strict, err := outbound.New(outbound.Options{Resolver: table{"www.example.com": {"93.184.215.14"}, "localhost": {"93.184.215.14"}}})
	require.NoError(t, err)
	_, err = strict.Open(t.Context(), strings.Replace(site.URL, "127.0.0.1", "localhost", 1)+"/page")
	require.EqualValues(t, "url_not_allowed", apperr.CodeOf(err), "the connection is judged, whatever the name resolved to before")
}

// TestGuard_Open_endsSlowPages reads sites that send almost nothing, and one whose reader is
// slow.
func TestGuard_Open_endsSlowPages(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "a byte or two")
		w.(http.Flusher).Flush()
		if r.URL.Path == "/slow" {
			<-r.Context().Done()
		}
	}))
	t.Cleanup(site.Close)
	guard, err := outbound.New(outbound.Options{AllowCIDRs: []string{"127.0.0.0/8"}, PageWindow: 50 * time.Millisecond})
	require.NoError(t, err)

	t.Run("a slow site", func(t *testing.T) {
		t.Parallel()
		page, err := guard.Open(t.Context(), site.URL+"/slow")
		require.NoError(t, err)
		defer page.Body.Close()
		_, err = io.ReadAll(page.Body)
		require.EqualValues(t, "crawl_unreachable", apperr.CodeOf(err))
		require.ErrorContains(t, err, "too slowly")
	})
	t.Run("a slow reader", func(t *testing.T) {
		t.Parallel()
		page, err := guard.Open(t.Context(), site.URL+"/quick")
		require.NoError(t, err)
		defer page.Body.Close()
		first := make([]byte, 1)
		_, err = io.ReadFull(page.Body, first)
		require.NoError(t, err)
		<-time.After(200 * time.Millisecond) // several windows pass while the reader does not read
		rest, err := io.ReadAll(page.Body)
		require.NoError(t, err)
		require.Equal(t, "a byte or two", string(first)+string(rest))
	})
}
