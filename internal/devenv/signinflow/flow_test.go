package signinflow

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFindForm(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, page string
		want       form
		ok         bool
	}{
		{
			"ours", `<form action="/in"><input type=hidden name=a value="1&amp;2"><input type=email name=e><input type=password name=p></form>`,
			form{action: "/in", values: map[string][]string{"a": {"1&2"}}, email: "e", password: "p"},
			true,
		},
		{
			"the second form", `<form action="/search"><input name=q></form><form action="/in"><input name=user><input type=password name=p></form>`,
			form{action: "/in", values: map[string][]string{}, email: "user", password: "p"},
			true,
		},
		{"no password", `<form><input name=q></form>`, form{}, false},
		{"no form", `hello`, form{}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := findForm([]byte(tc.page))
			require.Equal(t, tc.ok, err == nil)
			require.Equal(t, tc.want, got)
		})
	}
}

func TestProvidersThatMisbehave(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		handler func(issuer string) http.HandlerFunc
		want    string
	}{
		{"calls itself something else", func(string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"issuer":"https://other.example.com"}`) }
		}, "calls itself"},
		{"is down", func(string) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }
		}, "status 503"},
		{"goes in circles", func(issuer string) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/round" {
					http.Redirect(w, r, "/round", http.StatusFound)
					return
				}
				fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":%q}`, issuer, issuer+"/round")
			}
		}, "too many redirects"},
		{"answers another request", func(issuer string) http.HandlerFunc {
			return func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/authorize" {
					http.Redirect(w, r, "http://localhost:1/back?code=c&state=other", http.StatusFound)
					return
				}
				fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":%q}`, issuer, issuer+"/authorize")
			}
		}, "another request"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewUnstartedServer(nil)
			issuer := "http://" + server.Listener.Addr().String()
			server.Config.Handler = tc.handler(issuer)
			server.Start()
			t.Cleanup(server.Close)
			_, err := SignIn(t.Context(), Request{Issuer: issuer, ClientID: "c", RedirectURI: "http://localhost:1/back"})
			require.ErrorContains(t, err, tc.want)
		})
	}
}
