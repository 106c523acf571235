package edge

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/extractapi"
	"docqa/gen/mainapi"
	"docqa/gen/openapi"
	"docqa/gen/operations"
	"docqa/gen/ragapi"
)

// published is one operation as the contract states it.
type published struct {
	id, method, path string
	security         []map[string][]string
	statuses         []string
	op               operation
}

func (p published) names(scheme string) bool {
	return slices.ContainsFunc(p.security, func(s map[string][]string) bool { _, ok := s[scheme]; return ok })
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// contract reads every operation of the three documents, with the edge's view of it.
func contract(t *testing.T) []published {
	t.Helper()
	routes := router{apiMain: NewAPI(&mainapi.Server{}), apiExtract: NewAPI(&extractapi.Server{}), apiRag: NewAPI(&ragapi.Server{})}
	var all []published
	for _, name := range []string{"main.json", "extract.json", "rag.json"} {
		data, err := openapi.Files.ReadFile(name)
		require.NoError(t, err)
		var doc struct {
			Paths map[string]map[string]json.RawMessage
		}
		require.NoError(t, json.Unmarshal(data, &doc))
		for path, methods := range doc.Paths {
			for method, raw := range methods {
				if method == "parameters" {
					continue
				}
				var o struct {
					OperationID string
					Security    []map[string][]string
					Responses   map[string]any
				}
				require.NoError(t, json.Unmarshal(raw, &o))
				p := published{id: o.OperationID, method: strings.ToUpper(method), path: path, security: o.Security}
				for status := range o.Responses {
					p.statuses = append(p.statuses, status)
				}
				p.op = routes.find(p.method, &url.URL{Path: parameter.ReplaceAllString(path, "x")})
				require.True(t, p.op.known(), "%s %s", p.method, path)
				require.Equal(t, path, p.op.pattern)
				all = append(all, p)
			}
		}
	}
	require.Greater(t, len(all), 100)
	return all
}

// Every operation says who may call it, in words that the guard knows.
func TestContract_security(t *testing.T) {
	t.Parallel()
	for _, p := range contract(t) {
		require.NotNil(t, p.security, "%s has no security of its own", p.id)
		require.Contains(t, p.statuses, "429", p.id)
		require.NotContains(t, p.statuses, "default", p.id)
		open := len(p.security) == 0 || slices.ContainsFunc(p.security, func(s map[string][]string) bool { return len(s) == 0 })
		require.Equal(t, open, p.op.Access == operations.Public || p.id == "verifyMsgAppWebhook", "%s: public", p.id)
		require.Equal(t, p.names("shareToken"), p.op.Access == operations.Browser, "%s: browser credentials", p.id)
		signed := p.names("billingSignature") || p.names("chatappSignature") || p.names("msgappSignature")
		require.Equal(t, signed || p.id == "verifyMsgAppWebhook", p.op.Access == operations.Provider, "%s: provider", p.id)
		for _, alternative := range p.security {
			for scheme, roles := range alternative {
				if scheme != "dashboardJWT" {
					require.Empty(t, roles, "%s: %s", p.id, scheme)
					continue
				}
				require.NotEmpty(t, roles, p.id)
				for _, role := range roles {
					require.Regexp(t, `^(member|admin|signed_in|optional|plan:(growth|pro|enterprise))$`, role, p.id)
				}
			}
		}
		if strings.HasPrefix(p.path, "/v1/") && !open {
			refused := "401"
			if p.id == "receiveChatAppEvent" {
				refused = "400"
			}
			require.Contains(t, p.statuses, refused, p.id)
		}
	}
}

// Source: main API section 5 rule 7; docs/decisions.md#who-may-call-what.
func TestContract_publicList(t *testing.T) {
	t.Parallel()
	var public []string
	for _, p := range contract(t) {
		if p.op.Access == operations.Public {
			public = append(public, p.id)
		}
	}
	require.ElementsMatch(t, []string{
		"getHealth", "getPublicConfig", "getDevInfo", "getWidgetScript", "getWidgetDisplayConfig", "bootstrapShare", "getCodeHostDiscovery",
		"getCodeHostKeySet", "exchangeCodeHostToken", "getExtractHealth", "getRagHealth",
	}, public)
}

// Every rate that an operation is bound by fits those who may call it.
func TestContract_rates(t *testing.T) {
	t.Parallel()
	by := map[operations.Access][]operations.By{
		operations.Public: {operations.ByAddress}, operations.Browser: {operations.ByKey, operations.ByAddress}, operations.Key: {operations.ByKey},
		operations.User: {
			operations.ByUser, operations.ByCompany, operations.ByProject, operations.BySource, operations.ByAddress,
		},
		operations.Provider: {operations.ByProvider},
	}
	for _, p := range contract(t) {
		if p.id == "getWidgetScript" {
			require.Empty(t, p.op.Rate, "a file that caches keep")
			continue
		}
		require.Equal(t, p.op.Rate, p.op.Rate.Rate().Name, p.id)
		require.Contains(t, by[p.op.Access], p.op.By, p.id)
		require.False(t, p.op.By == operations.ByProject && !strings.HasPrefix(p.path, "/v1/projects/{projectId}/"), p.id)
	}
}

// The table holds every operation of the published documents and nothing else.
func TestContract_table(t *testing.T) {
	t.Parallel()
	var published []string
	names := map[api]string{apiMain: "main", apiExtract: "extract", apiRag: "rag"}
	for _, p := range contract(t) {
		published = append(published, p.id)
		require.Equal(t, p.id, p.op.ID)
		require.Equal(t, names[p.op.api], p.op.API, p.id)
	}
	require.ElementsMatch(t, published, operations.IDs())
}

func TestAPIOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]api{
		"/v1/rag": apiRag, "/v1/rag/search": apiRag, "/v1/ragged": apiMain, "/v1/extract": apiExtract, "/v1/extract/jobs": apiExtract,
		"/extract/health": apiExtract, "/extractor": apiMain, "/v1/projects": apiMain, "/": apiMain, "": apiMain,
	} {
		require.Equal(t, want, apiOf(path), path)
	}
}

func TestClientIP(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		peer      string
		forwarded []string
		proxies   int
		want      string
	}{
		"no proxy is trusted":        {"192.0.2.1:4000", []string{"203.0.113.1"}, 0, "192.0.2.1"},
		"one proxy":                  {"10.0.0.1:4000", []string{"203.0.113.1"}, 1, "203.0.113.1"},
		"what the client made up":    {"10.0.0.1:4000", []string{"1.1.1.1, 203.0.113.1"}, 1, "203.0.113.1"},
		"two proxies":                {"10.0.0.1:4000", []string{"203.0.113.1, 10.0.0.2"}, 2, "203.0.113.1"},
		"several headers":            {"10.0.0.1:4000", []string{"203.0.113.1", "10.0.0.2"}, 2, "203.0.113.1"},
		"fewer entries than proxies": {"10.0.0.1:4000", []string{"203.0.113.1"}, 2, "10.0.0.1"},
		"noise":                      {"10.0.0.1:4000", []string{"unknown"}, 1, "10.0.0.1"},
		"with a port":                {"10.0.0.1:4000", []string{"203.0.113.1:5000"}, 1, "203.0.113.1"},
		"IPv6":                       {"[2001:db8::1]:4000", nil, 0, "2001:db8::1"},
		"mapped":                     {"[::ffff:192.0.2.1]:4000", nil, 0, "192.0.2.1"},
		"with a zone":                {"[fe80::1%eth0]:4000", nil, 0, "fe80::1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &http.Request{RemoteAddr: test.peer, Header: http.Header{}}
			for _, f := range test.forwarded {
				r.Header.Add("X-Forwarded-For", f)
			}
			require.Equal(t, test.want, clientIP(r, test.proxies).String())
		})
	}
}
