package edge_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/testkit/apitest"
)

// field reads a string member of a JSON answer.
func field(t *testing.T, body []byte, path ...string) string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal(body, &v), "%s", body)
	for _, name := range path {
		m, ok := v.(map[string]any)
		require.True(t, ok, "%s", body)
		v = m[name]
	}
	s, _ := v.(string)
	return s
}

func TestHygiene_bodies(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	admin := bearer(s.admin())
	const invalid, malformed, large, media = "400 validation_error", "400 invalid_json", "413 payload_too_large", "415 unsupported_media_type"
	for name, test := range map[string]struct {
		body, contentType, want string
	}{
		"malformed":                    {`{"label":`, "", malformed},
		"trailing data":                {`{} {}`, "", malformed},
		"not an object":                {`[]`, "", invalid},
		"a string":                     {`"x"`, "", invalid},
		"null":                         {`null`, "", invalid},
		"wrong type":                   {`{"label":7}`, "", invalid},
		"not of the enum":              {`{"environment":"staging"}`, "", invalid},
		"too long":                     {`{"label":"` + strings.Repeat("a", 81) + `"}`, "", invalid},
		"NUL escape":                   {`{"label":"a\u0000b"}`, "", invalid},
		"NUL escape in a name":         {`{"a\u0000b":1}`, "", invalid},
		"NUL byte":                     {"{\"label\":\"a\x00b\"}", "", malformed},
		"lone high surrogate":          {`{"label":"\ud800"}`, "", malformed},
		"lone low surrogate":           {`{"label":"\udc00x"}`, "", malformed},
		"high surrogate twice":         {`{"label":"\ud800\ud800"}`, "", malformed},
		"invalid UTF-8":                {"{\"label\":\"\xff\xfe\"}", "", malformed},
		"member twice":                 {`{"label":"a","label":"b"}`, "", malformed},
		"member twice, escaped":        {`{"label":"a","la\u0062el":"b"}`, "", malformed},
		"10,000 arrays":                {strings.Repeat("[", 10000), "", malformed},
		"101 levels":                   {`{"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, "", malformed},
		"2 MB":                         {`{"label":"` + strings.Repeat("a", 2<<20) + `"}`, "", large},
		"text":                         {"label=a", "text/plain", media},
		"form":                         {"label=a", "application/x-www-form-urlencoded", media},
		"unreadable content type":      {`{}`, ";;;", media},
		"no content type":              {`{}`, "none", media},
		"a number that is no number":   {`{"label": NaN}`, "", malformed},
		"an escape that is none":       {`{"label":"\x"}`, "", malformed},
		"an unterminated escape":       {`{"label":"\u00`, "", malformed},
		"an unbalanced closing bracke": {`]]]]`, "", malformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := request{method: "POST", path: "/v1/projects/" + s.tenant.Project.ProjectID + "/keys", header: admin, body: test.body}
			switch test.contentType {
			case "":
			case "none":
				r.header = append(r.header[:2:2], "Content-Type", "")
			default:
				r.header = append(r.header[:2:2], "Content-Type", "", "Content-Type", test.contentType)
			}
			got := s.do(t, r)
			requireAnswer(t, got, test.want, name)
			require.Less(t, len(got.body), 1000, "an error quotes no body")
		})
	}
}

func TestHygiene_bodiesThatPass(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	admin := bearer(s.admin())
	for name, body := range map[string]string{
		"no body": "", "empty object": `{}`, "unknown member": `{"later":[{"a":1},{"a":2}]}`,
		"surrogate pair": `{"label":"\ud83d\ude00"}`, "same name in two objects": `{"x":{"a":1},"y":{"a":{"a":1}}}`,
		"100 levels":      `{"x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`,
		"escaped quotes":  `{"label":"a\"b\\"}`,
		"name as a value": `{"label":"label"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := request{method: "POST", path: "/v1/projects/" + s.tenant.Project.ProjectID + "/keys", header: admin, body: body}
			got := s.do(t, r)
			require.Equal(t, http.StatusCreated, got.StatusCode, "%s", got.body)
		})
	}
}

func TestHygiene_bodiesThatAreEncoded(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	r := request{method: "POST", path: "/v1/projects/" + s.tenant.Project.ProjectID + "/keys", body: `{}`}
	for _, encoding := range []string{"gzip", "br"} {
		r.header = append(bearer(s.admin()), "Content-Encoding", encoding)
		requireAnswer(t, s.do(t, r), "415 unsupported_media_type", encoding)
	}
	r.header = append(bearer(s.admin()), "Content-Encoding", "identity")
	require.Equal(t, http.StatusCreated, s.do(t, r).StatusCode)
}

func TestHygiene_401ComesFirst(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	for name, body := range map[string]string{"malformed": "{", "large": strings.Repeat("a", 1<<20+1), "nested": strings.Repeat("[", 10000)} {
		got := s.do(t, request{method: "POST", path: "/v1/projects/malformed/keys", body: body})
		require.Equal(t, http.StatusUnauthorized, got.StatusCode, name)
	}
}

func TestHygiene_URLs(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	admin := bearer(s.admin())
	for path, want := range map[string]string{
		"/v1/keys?projectId=%00":       "400 validation_error",
		"/v1/keys?%00=a":               "400 validation_error",
		"/v1/keys?projectId=%ff%fe":    "400 validation_error",
		"/v1/keys?a=%zz":               "400 validation_error",
		"/v1/projects/%00/keys":        "400 validation_error",
		"/v1/projects/%ff/keys":        "400 validation_error",
		"/v1/projects/a%2fb/keys":      "404 not_found",
		"/v1/projects/../keys":         "404 not_found",
		"/v1//keys":                    "404 not_found",
		"/v1/keys/":                    "404 not_found",
		"/v1/keys?projectId=" + long(): "400 validation_error",
		"/nowhere":                     "404 not_found",
		"/":                            "404 not_found",
		"/v1/rag/nowhere":              "404 not_found",
		"/v1/extract/nowhere":          "404 not_found",
		"/v1/extract/jobs/malformed":   "401 unauthenticated",
	} {
		requireAnswer(t, s.do(t, request{method: "GET", path: path, header: admin}), want, path)
	}
	got := s.do(t, request{method: "POST", path: "/v1/projects/" + s.tenant.Project.ProjectID + "/keys", header: append(admin, "Idempotency-Key", "\xff")})
	requireAnswer(t, got, "400 validation_error", "header")
}

func long() string { return strings.Repeat("a", 200) }

func TestHygiene_methods(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	got := s.do(t, request{method: "HEAD", path: "/health"})
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.Empty(t, got.body)
	require.Equal(t, http.StatusUnauthorized, s.do(t, request{method: "HEAD", path: "/v1/keys"}).StatusCode)
	require.Equal(t, http.StatusNotFound, s.do(t, request{method: "HEAD", path: "/nowhere"}).StatusCode)

	got = s.do(t, request{method: "DELETE", path: "/health"})
	requireAnswer(t, got, "405 method_not_allowed", "DELETE")
	require.Equal(t, "GET, HEAD, OPTIONS", got.Header.Get("Allow"))
	requireAnswer(t, s.do(t, request{method: "PROPFIND", path: "/v1/keys"}), "405 method_not_allowed", "PROPFIND")

	got = s.do(t, request{method: "OPTIONS", path: "/v1/projects"})
	require.Equal(t, http.StatusNoContent, got.StatusCode)
	require.Equal(t, "GET, POST, HEAD, OPTIONS", got.Header.Get("Allow"))
	require.Equal(t, http.StatusNotFound, s.do(t, request{method: "OPTIONS", path: "/nowhere"}).StatusCode)
}

func TestCORS(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	leads := "/v1/projects/" + s.tenant.Project.ProjectID + "/leads"
	for name, test := range map[string]struct {
		method, path, origin string
		allowed              bool
	}{
		"chat from any site":          {"POST", "/v1/chat", "https://anyone.example", true},
		"widget from any site":        {"GET", "/v1/widget/x/config", "https://anyone.example", true},
		"share from any site":         {"GET", "/v1/public/share/acme", "http://localhost:5173", true},
		"a lead from any site":        {"POST", leads, "https://anyone.example", true},
		"the leads for the dashboard": {"GET", leads, dashboard, true},
		"the leads for any site":      {"GET", leads, "https://anyone.example", false},
		"keys for the dashboard":      {"GET", "/v1/keys", dashboard, true},
		"keys for a longer name":      {"GET", "/v1/keys", dashboard + ".evil.example", false},
		"an opaque origin":            {"POST", "/v1/chat", "null", false},
		"an origin with a path":       {"POST", "/v1/chat", "https://a.example/x", false},
		"an origin with credentials":  {"POST", "/v1/chat", "https://u:p@a.example", false},
		"another scheme":              {"POST", "/v1/chat", "file://a", false},
		"an unknown method":           {"PATCH", "/v1/chat", "https://anyone.example", false},
		"rag for any site":            {"POST", "/v1/rag/search", "https://anyone.example", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := s.do(t, request{method: "OPTIONS", path: test.path, header: []string{
				"Origin", test.origin, "Access-Control-Request-Method", test.method, "Access-Control-Request-Headers", "content-type,x-service-key",
			}})
			require.Equal(t, http.StatusNoContent, got.StatusCode)
			require.Contains(t, got.Header.Values("Vary"), "Origin")
			require.Empty(t, got.Header.Get("Access-Control-Allow-Credentials"))
			if !test.allowed {
				require.Empty(t, got.Header.Get("Access-Control-Allow-Origin"))
				return
			}
			require.Equal(t, test.origin, got.Header.Get("Access-Control-Allow-Origin"))
			require.Contains(t, got.Header.Get("Access-Control-Allow-Headers"), "X-Service-Key")
			require.Contains(t, got.Header.Get("Access-Control-Allow-Methods"), test.method)
		})
	}
	got := s.do(t, request{method: "GET", path: "/v1/keys", header: []string{"Origin", dashboard}})
	require.Equal(t, http.StatusUnauthorized, got.StatusCode)
	require.Equal(t, dashboard, got.Header.Get("Access-Control-Allow-Origin"))
	require.Contains(t, got.Header.Get("Access-Control-Expose-Headers"), "X-Request-Id")
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	for _, path := range []string{
		"/openapi/main.json", "/openapi/extract.json", "/openapi/rag.json", "/v1/openapi.json", "/v1/extract/openapi.json", "/v1/rag/openapi.json",
	} {
		got := s.do(t, request{method: "GET", path: path})
		require.Equal(t, http.StatusOK, got.StatusCode, path)
		require.True(t, json.Valid(got.body), path)
		again := s.do(t, request{method: "GET", path: path, header: []string{"If-None-Match", got.Header.Get("ETag")}})
		require.Equal(t, http.StatusNotModified, again.StatusCode)
	}
	for _, path := range []string{"/openapi/main.yaml", "/openapi/extract.yaml", "/openapi/rag.yaml"} {
		got := s.do(t, request{method: "GET", path: path})
		require.Equal(t, http.StatusOK, got.StatusCode, path)
		require.Equal(t, "application/yaml", got.Header.Get("Content-Type"))
		require.True(t, strings.HasPrefix(string(got.body), "openapi: 3.1.0"), path)
	}
	require.Equal(t, http.StatusMethodNotAllowed, s.do(t, request{method: "POST", path: "/openapi/main.json"}).StatusCode)
	require.Equal(t, http.StatusNotFound, s.do(t, request{method: "GET", path: "/openapi/embed.go"}).StatusCode)
}

func TestPlatform(t *testing.T) {
	t.Parallel()
	s := setup(t, options{extractOff: true})
	got := s.do(t, request{method: "GET", path: "/health"})
	require.JSONEq(t, `{"status":"ok","service":"docqa","timestamp":"2026-01-31T09:15:02.123Z"}`, string(got.body))
	require.Equal(t, "60", strings.TrimSuffix(got.Header.Get("RateLimit-Limit"), "000"))
	got = s.do(t, request{method: "GET", path: "/config"})
	require.Equal(t, http.StatusOK, got.StatusCode)
	require.Contains(t, string(got.body), `"socialProviders":[]`)
	requireAnswer(t, s.do(t, request{method: "GET", path: "/dev/info"}), "404 not_found", "dev info outside dev")
	got = s.do(t, request{method: "GET", path: "/extract/health"})
	require.Contains(t, string(got.body), `"extract":"disabled"`)
	header := []string{"X-Service-Key", s.key(apikeys.Integration, apikeys.Live)}
	requireAnswer(t, s.do(t, request{method: "GET", path: "/v1/extract/schemas", header: header}), "404 not_found", "Extract is off")
}

func TestExtract_submitAlwaysRefused(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	header := []string{"X-Service-Key", s.key(apikeys.Integration, apikeys.Live)}
	got := s.do(t, request{method: "POST", path: "/v1/extract/jobs", header: append(header, "Content-Type", "", "Content-Type", "multipart/form-data; boundary=x"), body: "--x--"})
	requireAnswer(t, got, "400 VALIDATION_ERROR", "multipart")
	requireAnswer(t, s.do(t, request{method: "POST", path: "/v1/extract/jobs", body: "{}"}), "401 unauthenticated", "no key")
}

// A token dies with the way of sharing that it was issued for, for good: also where everything is put back as it was.
func TestShare_tokenStaysDead(t *testing.T) {
	t.Parallel()
	e := apitest.New(t, apitest.Options{})
	company := e.Company(t, "growth")
	project := company.Project(t)
	e.Do(t, apitest.Call{Method: http.MethodPost, Path: projectPath(project.ProjectID) + "/deploy", As: company.Owner}).Require(t, http.StatusOK)
	patch := func(t *testing.T, body object) {
		t.Helper()
		e.Do(t, apitest.Call{Method: http.MethodPatch, Path: projectPath(project.ProjectID), As: company.Owner, Body: body}).Require(t, http.StatusOK)
	}
	patch(t, object{"shareEnabled": true, "shareSlug": "acme"})
	ask := func(t *testing.T, token string) *apitest.Answer {
		t.Helper()
		return e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Share: token, Body: object{"question": "Is it open?"}})
	}
	for _, change := range []struct{ there, back object }{
		{object{"shareEnabled": false}, object{"shareEnabled": true}},
		{object{"shareEnabled": false}, object{"shareEnabled": true, "shareSlug": "acme"}},
		{object{"accessMode": "private"}, object{"accessMode": "public"}},
		{object{"shareSlug": "other"}, object{"shareSlug": "acme"}},
	} {
		token := e.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/public/share/acme"}).Require(t, http.StatusOK).Text(t, "shareToken")
		patch(t, object{"name": "Another name", "shareEnabled": true, "shareSlug": "acme", "accessMode": "public"})
		ask(t, token).Require(t, http.StatusOK)
		patch(t, change.there)
		ask(t, token).RequireError(t, http.StatusUnauthorized, "unauthenticated")
		patch(t, change.back)
		ask(t, token).RequireError(t, http.StatusUnauthorized, "unauthenticated")
	}
}

func TestShare_bootstrap(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	get := request{method: "GET", path: "/v1/public/share/acme"}
	got := s.do(t, get)
	require.Equal(t, http.StatusOK, got.StatusCode, "%s", got.body)
	chat := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta", header: []string{"X-Service-Share-Token", field(t, got.body, "shareToken")}}
	requireAnswer(t, s.do(t, chat), passed, "its token")
	get.header = bearer("nonsense")
	require.Equal(t, http.StatusOK, s.do(t, get).StatusCode, "a bad token counts as none")
	requireAnswer(t, s.do(t, request{method: "GET", path: "/v1/public/share/unknown"}), "404 share_not_found", "unknown")

	s.exec("update projects set access_mode = 'private'")
	requireAnswer(t, s.do(t, chat), "401 unauthenticated", "the share has changed")
	for name, token := range map[string]string{"nobody": "", "noise": "nonsense", "a person without a company": s.person("", "")} {
		get.header = bearer(token)
		got = s.do(t, get)
		requireAnswer(t, got, "403 private_share", name)
		require.Equal(t, "private", field(t, got.body, "accessMode"))
	}
	get.header = bearer(s.person(s.tenant.CompanyID, "member"))
	require.Equal(t, http.StatusOK, s.do(t, get).StatusCode)
}
