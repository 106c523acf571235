// Package walk_test calls every operation of the published contract. It tests what every
// operation must state, what is built and what answers 501, who may call what, and that ids of
// one company mean nothing to another company. It runs the service as production does. A new
// operation is tested without a change here.
package walk_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/openapi"
)

// operation is one operation of the published contract.
type operation struct {
	api       string // main, extract or rag
	method    string
	path      string
	ID        string                     `json:"operationId"`
	Summary   string                     `json:"summary"`
	Tags      []string                   `json:"tags"`
	Security  []map[string][]string      `json:"security"`
	Params    []parameter                `json:"parameters"`
	Body      *body                      `json:"requestBody"`
	Responses map[string]json.RawMessage `json:"responses"`
}

type parameter struct {
	Ref     string `json:"$ref"`
	Name    string `json:"name"`
	In      string `json:"in"`
	Example any    `json:"example"`
	Schema  struct {
		Pattern string `json:"pattern"`
	} `json:"schema"`
}

type body struct {
	Content map[string]struct {
		Example  json.RawMessage `json:"example"`
		Examples map[string]struct {
			Value json.RawMessage `json:"value"`
		} `json:"examples"`
	} `json:"content"`
}

// contract reads the three published documents.
func contract(t *testing.T) []operation {
	t.Helper()
	var list []operation
	for _, api := range []string{"main", "extract", "rag"} {
		data, err := openapi.Files.ReadFile(api + ".json")
		require.NoError(t, err)
		var doc struct {
			Paths      map[string]map[string]json.RawMessage `json:"paths"`
			Components struct {
				Parameters map[string]parameter `json:"parameters"`
			} `json:"components"`
		}
		require.NoError(t, json.Unmarshal(data, &doc))
		for _, path := range slices.Sorted(maps.Keys(doc.Paths)) {
			var shared []parameter
			if raw, ok := doc.Paths[path]["parameters"]; ok {
				require.NoError(t, json.Unmarshal(raw, &shared))
				delete(doc.Paths[path], "parameters")
			}
			for _, method := range slices.Sorted(maps.Keys(doc.Paths[path])) {
				require.Contains(t, []string{"get", "post", "put", "patch", "delete"}, method, "%s: only operations stand below a path", path)
				op := operation{api: api, method: strings.ToUpper(method), path: path}
				require.NoError(t, json.Unmarshal(doc.Paths[path][method], &op))
				op.Params = append(op.Params, shared...)
				for i, p := range op.Params {
					if name, ok := strings.CutPrefix(p.Ref, "#/components/parameters/"); ok {
						op.Params[i] = doc.Components.Parameters[name]
					}
				}
				list = append(list, op)
			}
		}
	}
	return list
}

// pathParams are the variables of the path.
func (o operation) pathParams() []parameter {
	return slices.DeleteFunc(slices.Clone(o.Params), func(p parameter) bool { return p.In != "path" })
}

// names tells whether the path holds the variable.
func (o operation) names(variable string) bool { return strings.Contains(o.path, "{"+variable+"}") }

// example is a body that the contract shows, nil where there is none.
func (o operation) example(t *testing.T) []byte {
	t.Helper()
	if o.Body == nil {
		return nil
	}
	media, ok := o.Body.Content["application/json"]
	require.True(t, ok, "%s takes no JSON", o.ID)
	if len(media.Example) > 0 {
		return media.Example
	}
	for _, name := range slices.Sorted(maps.Keys(media.Examples)) {
		return media.Examples[name].Value
	}
	require.Fail(t, "no example", "%s shows no example of its body", o.ID)
	return nil
}

// scheme is the credential of the first alternative, "" if none is needed.
func (o operation) scheme() string {
	for _, alternative := range o.Security {
		for name := range alternative {
			return name
		}
	}
	return ""
}

// public tells whether the operation can be called without any credential.
func (o operation) public() bool {
	return len(o.Security) == 0 || slices.ContainsFunc(o.Security, func(a map[string][]string) bool { return len(a) == 0 })
}

func TestContract_EveryOperation(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, op := range contract(t) {
		where := op.method + " " + op.path
		require.Regexp(t, `^[a-z][A-Za-z0-9]*$`, op.ID, "%s: operationId", where)
		require.False(t, seen[op.ID], "%s: the operationId %s stands twice", where, op.ID)
		seen[op.ID] = true
		require.Len(t, op.Tags, 1, "%s: one tag", where)
		require.NotEmpty(t, op.Summary, "%s: a summary", where)
		require.NotNil(t, op.Security, "%s: explicit security, [] where it is public", where)
		require.Contains(t, op.Responses, "429", "%s: every operation is limited", where)
		require.NotContains(t, op.Responses, "default", "%s: every status is listed", where)
		for status := range op.Responses {
			require.Regexp(t, `^[1-5]\d\d$`, status, where)
		}
		if op.public() || op.ID == "receiveChatAppEvent" { // there a bad signature is a 400
			continue
		}
		require.Contains(t, op.Responses, "401", "%s: what asks for a credential can miss it", where)
	}
	require.Len(t, seen, 136)
}

func TestContract_Security(t *testing.T) {
	t.Parallel()
	known := map[string][]string{
		"serviceKey": {}, "shareToken": {}, "bearerKey": {}, "shimIdToken": {}, "ragServiceKey": {}, "ragBearer": {},
		"billingSignature": {}, "chatappSignature": {}, "msgappSignature": {},
		"dashboardJWT": {"member", "admin", "signed_in", "optional", "plan:growth"},
	}
	for _, op := range contract(t) {
		for _, alternative := range op.Security {
			require.LessOrEqual(t, len(alternative), 1, "%s: one credential is enough", op.ID)
			for scheme, roles := range alternative {
				require.Contains(t, known, scheme, op.ID)
				for _, role := range roles {
					require.Contains(t, known[scheme], role, op.ID)
				}
				if scheme != "dashboardJWT" {
					continue
				}
				require.NotEmpty(t, roles, "%s: the dashboard asks for a role", op.ID)
				if op.path != "/v1/companies" && !op.public() {
					require.True(t, slices.Contains(roles, "member") || slices.Contains(roles, "admin"), "%s: member or admin", op.ID)
				}
			}
		}
	}
}

// TestContract_Public lists the operations that can be called without a credential.
//
// Source: main API section 5 rule 7; docs/decisions.md#who-may-call-what.
func TestContract_Public(t *testing.T) {
	t.Parallel()
	var public, signed []string
	for _, op := range contract(t) {
		switch {
		case op.public():
			public = append(public, op.method+" "+op.path)
		case strings.HasSuffix(op.scheme(), "Signature"):
			signed = append(signed, op.method+" "+op.path)
		}
	}
	require.ElementsMatch(t, []string{
		"GET /health", "GET /config", "GET /dev/info", "GET /widget.js", "GET /v1/widget/{projectId}/config",
		"GET /v1/public/share/{slug}", "GET /v1/auth/codehost/.well-known/openid-configuration", "GET /v1/auth/codehost/jwks",
		"POST /v1/auth/codehost/token", "GET /extract/health", "GET /v1/rag/health",
		"GET /v1/webhooks/msgapp", // called by the platform, which sends its verify token
	}, public)
	require.ElementsMatch(t, []string{"POST /v1/chatapp/events", "POST /v1/webhooks/msgapp", "POST /v1/billing/webhook"}, signed)
}

// TestContract_LinterExceptions lists the rules that the linter of the documents may ignore.
func TestContract_LinterExceptions(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../../openapi/redocly.yaml")
	require.NoError(t, err)
	require.Contains(t, string(data), "extends: [recommended]\n")
	_, rules, found := strings.Cut(string(data), "\nrules:\n")
	require.True(t, found)
	var exceptions []string
	for _, m := range regexp.MustCompile(`(?m)^  ([a-z-]+): *(\S+)`).FindAllStringSubmatch(rules, -1) {
		exceptions = append(exceptions, m[1]+" "+m[2])
	}
	require.Equal(t, []string{"no-ambiguous-paths off"}, exceptions)
	require.NotContains(t, rules, "severity")
}

// TestContract_IDs checks that every id in a path states its pattern, so that a malformed id
// can be recognised.
func TestContract_IDs(t *testing.T) {
	t.Parallel()
	for _, op := range contract(t) {
		for _, p := range op.pathParams() {
			require.NotNil(t, p.Example, "%s: %s needs an example", op.ID, p.Name)
			if p.Name == "provider" {
				continue
			}
			require.NotEmpty(t, p.Schema.Pattern, "%s: %s needs a pattern", op.ID, p.Name)
		}
		if slices.ContainsFunc(op.pathParams(), func(p parameter) bool { return strings.HasSuffix(p.Name, "Id") }) {
			require.Contains(t, op.Responses, "404", "%s %s", op.method, op.path)
		}
		if op.Body != nil && op.method != http.MethodGet {
			require.Contains(t, op.Responses, "400", op.ID)
			require.Contains(t, op.Responses, "413", op.ID)
		}
	}
}
