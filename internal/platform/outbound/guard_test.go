package outbound_test

import (
	"context"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/outbound"
)

// table resolves the names in it and no others.
type table map[string][]string

func (t table) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	var list []netip.Addr
	for _, s := range t[host] {
		list = append(list, netip.MustParseAddr(s))
	}
	if list == nil {
		return nil, errors.New("no such host")
	}
	return list, nil
}

func TestGuard_CheckURL(t *testing.T) {
	t.Parallel()
	guard, err := outbound.New(outbound.Options{AllowCIDRs: []string{"10.9.0.0/16"}, Resolver: table{
		"hooks.example.com":        {"93.184.215.14", "2606:2800:21f:cb07::1"},
		"mapped.example.com":       {"::ffff:93.184.215.14"},
		"rebound.example.com":      {"93.184.215.14", "127.0.0.1"},
		"private.example.com":      {"192.168.1.4"},
		"inside.example.com":       {"10.9.1.2"},
		"metadata.google.internal": {"93.184.215.14"},
	}})
	require.NoError(t, err)
	tests := map[string]string{ // URL: expected code, "" if it is allowed
		"https://hooks.example.com/in?x=1":     "",
		"https://hooks.example.com:8443/in":    "",
		"https://mapped.example.com/":          "",
		"https://inside.example.com/":          "",
		"https://93.184.215.14/":               "",
		"":                                     "invalid_url",
		"hooks.example.com":                    "invalid_url",
		"https:///path":                        "invalid_url",
		"https://hooks.example.com:0/":         "invalid_url",
		"https://hooks.example.com:99999/":     "invalid_url",
		"https://exa mple.com/":                "invalid_url",
		"http://hooks.example.com/":            "url_not_allowed",
		"ftp://hooks.example.com/":             "url_not_allowed",
		"https://user:pass@hooks.example.com/": "url_not_allowed",
		"https://nowhere.example.com/":         "url_not_allowed",
		"https://rebound.example.com/":         "url_not_allowed",
		"https://private.example.com/":         "url_not_allowed",
		"https://metadata.google.internal/":    "url_not_allowed",
		"https://METADATA.google.internal./":   "url_not_allowed",
		"https://localhost/":                   "url_not_allowed",
		"https://127.0.0.1/":                   "url_not_allowed",
		"https://2130706433/":                  "url_not_allowed",
		"https://0x7f.1/":                      "url_not_allowed",
		"https://0.0.0.0/":                     "url_not_allowed",
		"https://10.0.0.1/":                    "url_not_allowed",
		"https://100.64.0.1/":                  "url_not_allowed",
		"https://169.254.169.254/":             "url_not_allowed",
		"https://168.63.129.16/":               "url_not_allowed",
		"https://192.0.2.1/":                   "url_not_allowed",
		"https://198.18.0.1/":                  "url_not_allowed",
		"https://224.0.0.1/":                   "url_not_allowed",
		"https://255.255.255.255/":             "url_not_allowed",
		"https://[::1]/":                       "url_not_allowed",
		"https://[fe80::1%25eth0]/":            "url_not_allowed",
		"https://[fd00:ec2::254]/":             "url_not_allowed",
		"https://[::ffff:93.184.215.14]/":      "url_not_allowed",
		"https://[64:ff9b::7f00:1]/":           "url_not_allowed",
		"https://[2002:7f00:1::]/":             "url_not_allowed",
		"https://[2001::1]/":                   "url_not_allowed",
		"https://[2001:db8::1]/":               "url_not_allowed",
		"https://[ff02::1]/":                   "url_not_allowed",
	}
	for rawURL, code := range tests {
		t.Run(rawURL, func(t *testing.T) {
			t.Parallel()
			err := guard.CheckURL(t.Context(), rawURL)
			if code == "" {
				require.NoError(t, err)
				return
			}
			require.EqualValues(t, code, apperr.CodeOf(err))
			require.Equal(t, apperr.KindInvalidInput, apperr.KindOf(err))
		})
	}
}

func TestGuard_Client(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}))
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	require.NoError(t, os.WriteFile(ca, block, 0o600))
	get := func(t *testing.T, opts outbound.Options) (*http.Response, error) {
		t.Helper()
		guard, err := outbound.New(opts)
		require.NoError(t, err)
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, http.NoBody)
		require.NoError(t, err)
		return guard.Client().Do(req)
	}

	t.Run("refuses loopback", func(t *testing.T) {
		t.Parallel()
		resp, err := get(t, outbound.Options{CAFile: ca})
		require.ErrorContains(t, err, "prohibited")
		require.Nil(t, resp)
	})
	t.Run("reaches an allowed network and follows no redirect", func(t *testing.T) {
		t.Parallel()
		resp, err := get(t, outbound.Options{CAFile: ca, AllowCIDRs: []string{"127.0.0.0/8"}})
		require.NoError(t, err)
		t.Cleanup(func() { _ = resp.Body.Close() })
		require.Equal(t, http.StatusFound, resp.StatusCode)
	})
	t.Run("refuses the certificate without its CA", func(t *testing.T) {
		t.Parallel()
		_, err := get(t, outbound.Options{AllowCIDRs: []string{"127.0.0.0/8"}})
		require.ErrorContains(t, err, "certificate")
	})
}

func TestNew_BadOptions(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, opts := range []outbound.Options{{AllowCIDRs: []string{"10.0.0.0"}}, {CAFile: "/nowhere/ca.pem"}, {CAFile: empty}} {
		_, err := outbound.New(opts)
		require.Error(t, err)
	}
}
