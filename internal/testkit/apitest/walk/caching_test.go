package walk_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
)

// TestCaching calls every operation with each kind of credential, and the pages outside of the
// contract. call itself checks that no answer may be cached; only the published documents may.
func TestCaching(t *testing.T) {
	t.Parallel()
	in := install(t)
	ten := in.tenant(t, "growth")
	for name, c := range map[string]credential{
		"nobody":      {},
		"admin":       ten.admin(t),
		"key":         {"X-Service-Key": ten.key(t, apikeys.Integration, apikeys.Live)},
		"share token": {"X-Service-Share-Token": ten.shareToken(t)},
		"service":     {"X-Rag-Service-Key": ragKey},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, op := range contract(t) {
				var payload []byte
				if op.Body != nil && op.Body.Content["application/json"].Example != nil {
					payload = op.Body.Content["application/json"].Example
				}
				in.call(t, op.method, at(op, fresh(op)), c, payload)
			}
			for _, path := range []string{"/nowhere", "/v1/projects/x", "/mcp"} {
				in.call(t, http.MethodGet, path, c, nil)
				in.call(t, http.MethodOptions, path, c, nil)
			}
			in.call(t, http.MethodPost, "/mcp", credential{
				"Accept": "application/json, text/event-stream", "X-Service-Key": c["X-Service-Key"],
			}, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		})
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, in.url+"/openapi/main.json", nil)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, "public, max-age=300", resp.Header.Get("Cache-Control"))
}
