package origin_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/origin"
)

func TestParse(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"https://www.example.com":       "https://www.example.com",
		"https://WWW.Example.com:443":   "https://www.example.com",
		"https://example.com:8443":      "https://example.com:8443",
		"http://localhost":              "http://localhost",
		"http://localhost:80":           "http://localhost",
		"http://localhost:3000":         "http://localhost:3000",
		"https://localhost:3000":        "https://localhost:3000",
		"https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
		"https://192.0.2.1":             "https://192.0.2.1",
		"https://[2001:DB8::1]:8443":    "https://[2001:db8::1]:8443",
	}
	for in, want := range good {
		got, err := origin.Parse(in)
		require.NoError(t, err, in)
		require.Equal(t, want, got)
		again, err := origin.Parse(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	for _, in := range []string{
		"", " ", "*", "null", "example.com", "https://", "https://*.example.com", "http://example.com", "http://127.0.0.1",
		"ftp://example.com", "https://example.com/", "https://example.com/path", "https://example.com?", "https://example.com?x",
		"https://example.com#", "https://user@example.com", "https://example.com:", "https://example.com:0",
		"https://example.com:70000", "https://exa mple.com", "https://-a.example", "https://a..example", "https://example.com.",
		"https://b\u00fccher.example", " https://example.com", "https://[::1%25lo]", "https://[192.0.2.1]", "//example.com",
	} {
		_, err := origin.Parse(in)
		require.Error(t, err, "%q", in)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("https://example.com:8443")
	f.Add("http://localhost")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := origin.Parse(s)
		if err != nil {
			return
		}
		again, err := origin.Parse(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	})
}
