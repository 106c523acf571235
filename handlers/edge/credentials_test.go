package edge_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/platform/authn"
	"docqa/internal/testkit/factory"
)

// passed is the expectation that nothing of the edge refuses the call.
const passed = ""

// TestSecurity holds every kind of credential against every kind of operation.
func TestSecurity(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	project := "/v1/projects/" + s.tenant.Project.ProjectID
	ops := map[string]request{
		"chat":     {method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta"},
		"feedback": {method: "POST", path: "/v1/chat/feedback", body: `{}`},
		"lead":     {method: "POST", path: project + "/leads", body: `{}`},
		"openai":   {method: "POST", path: "/v1/openai/chat/completions", body: `{}`},
		"member":   {method: "GET", path: "/v1/companies/users"},
		"admin":    {method: "GET", path: project + "/leads"},
		"plan":     {method: "GET", path: "/v1/companies/me/integrations"},
		"signed":   {method: "POST", path: "/v1/companies", body: `{`},
		"extract":  {method: "GET", path: "/v1/extract/schemas"},
		"rag":      {method: "GET", path: "/v1/rag/config/defaults"},
	}
	const unauthenticated, role, company = "401 unauthenticated", "403 role_required", "403 company_required"
	live, embed := s.key(apikeys.Integration, apikeys.Live), s.key(apikeys.Embed, apikeys.Live)
	for name, test := range map[string]struct {
		header []string
		want   map[string]string // by operation; absent: 401 unauthenticated
	}{
		"nothing": {},
		"integration key": {
			[]string{"X-Service-Key", live},
			map[string]string{"chat": passed, "feedback": passed, "lead": passed, "openai": passed, "extract": passed},
		},
		"integration key as bearer": {
			bearer(live),
			map[string]string{"chat": passed, "feedback": passed, "lead": passed, "openai": passed, "extract": passed, "rag": "401 invalid_key"},
		},
		"test key": {
			[]string{"X-Service-Key", s.key(apikeys.Integration, apikeys.Test)},
			map[string]string{"chat": passed, "feedback": passed, "lead": passed, "openai": passed, "extract": passed},
		},
		"embed key": {
			[]string{"X-Service-Key", embed, "Origin", site},
			map[string]string{"chat": passed, "feedback": passed, "lead": passed},
		},
		"embed key as bearer": {
			append(bearer(embed), "Origin", site),
			map[string]string{"chat": passed, "feedback": passed, "lead": passed, "rag": "401 invalid_key"},
		},
		"share token": {
			[]string{"X-Service-Share-Token", s.shareToken()},
			map[string]string{"chat": passed, "feedback": passed, "lead": passed},
		},
		"unknown key": {
			[]string{"X-Service-Key", "sk_live_nonsense"},
			map[string]string{
				"chat": "401 invalid_key", "feedback": "401 invalid_key", "lead": "401 invalid_key", "openai": "401 invalid_key",
				"extract": "401 invalid_key",
			},
		},
		"member": {
			bearer(s.person(s.tenant.CompanyID, authn.RoleMember)),
			map[string]string{"member": passed, "admin": role, "plan": role, "signed": passed, "rag": "401 invalid_key"},
		},
		"admin": {
			bearer(s.admin()),
			map[string]string{"member": passed, "admin": passed, "plan": passed, "signed": passed, "rag": "401 invalid_key"},
		},
		"owner": {
			bearer(s.person(s.tenant.CompanyID, authn.RoleOwner)),
			map[string]string{"member": passed, "admin": passed, "plan": passed, "signed": passed, "rag": "401 invalid_key"},
		},
		"person without a company": {
			bearer(s.person("", "")),
			map[string]string{"member": company, "admin": company, "plan": company, "signed": passed, "rag": "401 invalid_key"},
		},
		"service key":           {[]string{"X-Rag-Service-Key", ragKey}, map[string]string{"rag": passed}},
		"service key as bearer": {bearer(ragKey), map[string]string{"rag": passed}},
		"wrong service key":     {[]string{"X-Rag-Service-Key", ragKey + "x"}, map[string]string{"rag": "401 invalid_key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for op, r := range ops {
				want, ok := test.want[op]
				if !ok {
					want = unauthenticated
				}
				r.header = test.header
				requireAnswer(t, s.do(t, r), want, op)
			}
		})
	}
}

// requireAnswer compares with "<status> <code>", or with passed.
func requireAnswer(t *testing.T, got response, want, what string) {
	t.Helper()
	if want == passed {
		require.NotContains(t, []int{401, 403, 429}, got.StatusCode, "%s: %s", what, got.body)
		return
	}
	status, code, _ := strings.Cut(want, " ")
	require.Equal(t, status, got.Status[:3], "%s: %s", what, got.body)
	require.Equal(t, code, got.code(t), what)
	if status == "401" {
		require.NotEmpty(t, got.Header.Get("WWW-Authenticate"))
	}
}

func TestSecurity_dedicatedHeaderWins(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	chat := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta"}
	live := s.key(apikeys.Integration, apikeys.Live)
	chat.header = append(bearer("sk_live_nonsense"), "X-Service-Key", live)
	requireAnswer(t, s.do(t, chat), passed, "a good key in X-Service-Key")
	chat.header = append(bearer(live), "X-Service-Key", "sk_live_nonsense")
	requireAnswer(t, s.do(t, chat), "401 invalid_key", "a bad key in X-Service-Key")
	chat.header = append(bearer("a.b.c"), "X-Service-Share-Token", s.shareToken())
	requireAnswer(t, s.do(t, chat), passed, "a share token beside a foreign bearer token")
	chat.header = bearer(s.admin())
	requireAnswer(t, s.do(t, chat), "401 unauthenticated", "a JWT where keys are asked for")
}

func TestSecurity_planGate(t *testing.T) {
	t.Parallel()
	s := setup(t, options{plan: "free"})
	r := request{method: "GET", path: "/v1/companies/me/integrations", header: bearer(s.admin())}
	requireAnswer(t, s.do(t, r), "403 plan_required", "free")
}

func TestSecurity_suspendedCompanyReadsOnly(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	admin, live := s.admin(), s.key(apikeys.Integration, apikeys.Live)
	s.exec("update companies set status = 'suspended'")
	requireAnswer(t, s.do(t, request{method: "GET", path: "/v1/keys", header: bearer(admin)}), passed, "read")
	write := request{method: "POST", path: "/v1/projects/" + s.tenant.Project.ProjectID + "/keys", header: bearer(admin)}
	requireAnswer(t, s.do(t, write), "403 company_suspended", "write")
	chat := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta", header: []string{"X-Service-Key", live}}
	requireAnswer(t, s.do(t, chat), "403 company_suspended", "key")
}

func TestSecurity_origin(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	const required, notAllowed = "403 origin_required", "403 origin_not_allowed"
	live, embed, share := s.key(apikeys.Integration, apikeys.Live), s.key(apikeys.Embed, apikeys.Live), s.shareToken()
	for name, test := range map[string]struct{ header, value, origin, want string }{
		"integration key from a server":         {"X-Service-Key", live, "", passed},
		"integration key from the site":         {"X-Service-Key", live, site, passed},
		"integration key from elsewhere":        {"X-Service-Key", live, "https://evil.example", notAllowed},
		"integration key from an opaque origin": {"X-Service-Key", live, "null", notAllowed},
		"embed key without origin":              {"X-Service-Key", embed, "", required},
		"embed key from the site":               {"X-Service-Key", embed, site, passed},
		"embed key from a subdomain":            {"X-Service-Key", embed, "https://a.shop.example", notAllowed},
		"embed key over http":                   {"X-Service-Key", embed, "http://shop.example", notAllowed},
		"embed key from another port":           {"X-Service-Key", embed, site + ":8443", notAllowed},
		"embed key from a longer name":          {"X-Service-Key", embed, site + ".evil.example", notAllowed},
		"embed key in another case":             {"X-Service-Key", embed, "https://SHOP.example", notAllowed},
		"share token from anywhere":             {"X-Service-Share-Token", share, "https://evil.example", passed},
		"share token from a server":             {"X-Service-Share-Token", share, "", passed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta", header: []string{test.header, test.value}}
			if test.origin != "" {
				r.header = append(r.header, "Origin", test.origin)
			}
			got := s.do(t, r)
			requireAnswer(t, got, test.want, name)
			if test.origin != "" && test.origin != "null" {
				require.Equal(t, test.origin, got.Header.Get("Access-Control-Allow-Origin"), "the script may read why")
			}
		})
	}
}

func TestSecurity_emptyOriginListRejectsBrowsers(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	live := s.key(apikeys.Integration, apikeys.Live)
	s.exec("update projects set allowed_origins = '{}'")
	r := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta", header: []string{"X-Service-Key", live, "Origin", site}}
	requireAnswer(t, s.do(t, r), "403 origin_not_allowed", "browser")
}

func TestSecurity_address(t *testing.T) {
	t.Parallel()
	s := setup(t, options{proxies: 1})
	live, share, admin := s.key(apikeys.Integration, apikeys.Live), s.shareToken(), s.admin()
	s.exec(`update projects set settings = '{"ipAllowlist": ["203.0.113.0/24", "2001:db8::1"]}'`)
	const refused = "403 ip_not_allowed"
	for name, test := range map[string]struct {
		header    []string
		forwarded string
		want      string
	}{
		"in the network":                 {[]string{"X-Service-Key", live}, "203.0.113.9", passed},
		"an address of the list":         {[]string{"X-Service-Key", live}, "2001:db8::1", passed},
		"mapped into IPv6":               {[]string{"X-Service-Key", live}, "::ffff:203.0.113.9", passed},
		"outside":                        {[]string{"X-Service-Key", live}, "198.51.100.1", refused},
		"what the client claims first":   {[]string{"X-Service-Key", live}, "203.0.113.9, 198.51.100.1", refused},
		"a client that claims a list":    {[]string{"X-Service-Key", live}, "198.51.100.1, 203.0.113.9", passed},
		"nothing forwarded":              {[]string{"X-Service-Key", live}, "", refused},
		"noise":                          {[]string{"X-Service-Key", live}, "203.0.113.9; evil", refused},
		"a share token is bound too":     {[]string{"X-Service-Share-Token", share}, "198.51.100.1", refused},
		"a share token from the network": {[]string{"X-Service-Share-Token", share}, "203.0.113.1", passed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta", header: test.header}
			if test.forwarded != "" {
				r.header = append(r.header, "X-Forwarded-For", test.forwarded)
			}
			requireAnswer(t, s.do(t, r), test.want, name)
		})
	}
	r := request{method: "GET", path: "/v1/keys", header: append(bearer(admin), "X-Forwarded-For", "198.51.100.1")}
	requireAnswer(t, s.do(t, r), passed, "people are not bound")
}

func TestSecurity_revocationIsImmediate(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	admin := s.admin()
	keys := "/v1/projects/" + s.tenant.Project.ProjectID + "/keys"
	created := s.do(t, request{method: "POST", path: keys, header: bearer(admin)})
	require.Equal(t, http.StatusCreated, created.StatusCode)
	secret, id := field(t, created.body, "secret"), field(t, created.body, "key", "keyId")
	chat := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta", header: []string{"X-Service-Key", secret}}
	requireAnswer(t, s.do(t, chat), passed, "before")
	for range 2 {
		revoked := s.do(t, request{method: "DELETE", path: keys + "/" + id, header: bearer(admin)})
		require.Equal(t, http.StatusOK, revoked.StatusCode)
		require.Equal(t, "revoked", field(t, revoked.body, "key", "status"))
	}
	requireAnswer(t, s.do(t, chat), "401 invalid_key", "after")
}

func TestSecurity_notConfigured(t *testing.T) {
	t.Parallel()
	s := setup(t, options{noRagKeys: true, noSecret: true})
	requireAnswer(t, s.do(t, request{method: "GET", path: "/v1/rag/config/defaults", header: bearer("x")}), "503 not_configured", "rag")
	got := s.do(t, request{method: "GET", path: "/v1/public/share/acme"})
	requireAnswer(t, got, "503 not_configured", "share")
	require.Equal(t, "SHARE_TOKEN_SECRET", field(t, got.body, "setting"))
}

func TestSecurity_providersWithoutSignature(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	for path, want := range map[string]string{
		"/v1/billing/webhook": "401 invalid_signature", "/v1/webhooks/msgapp": "401 invalid_signature", "/v1/chatapp/events": "400 invalid_signature",
	} {
		requireAnswer(t, s.do(t, request{method: "POST", path: path, body: "{malformed"}), want, path)
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	foreign := factory.NewTenant(t, s.store, factory.TenantOpts{})
	ours, unknown := s.tenant.Project.ProjectID, "prj_00000000000000000000000000"
	admin, live := bearer(s.admin()), []string{"X-Service-Key", s.key(apikeys.Integration, apikeys.Live)}
	second := s.tenant.NewProject(t, s.store, factory.TenantOpts{}).ProjectID
	missing := func(method, path, body string, header []string) []byte {
		got := s.do(t, request{method: method, path: path, body: body, header: header})
		require.Equal(t, http.StatusNotFound, got.StatusCode, "%s %s: %s", method, path, got.body)
		return got.body
	}
	lead := `{"visitorId":"v","name":"n"}`
	want := missing("GET", "/v1/projects/"+unknown+"/keys", "", admin)
	require.Equal(t, want, missing("GET", "/v1/projects/"+foreign.Project.ProjectID+"/keys", "", admin), "built")
	require.Equal(t, want, missing("GET", "/v1/projects/"+foreign.Project.ProjectID+"/leads", "", admin), "not built")
	require.Equal(t, want, missing("GET", "/v1/projects/malformed/leads", "", admin), "malformed")
	require.Equal(t, want, missing("POST", "/v1/projects/"+foreign.Project.ProjectID+"/leads", lead, live), "key, foreign")
	require.Equal(t, want, missing("POST", "/v1/projects/"+second+"/leads", lead, live), "key, another project of the company")
	require.Equal(t, http.StatusNotImplemented, s.do(t, request{method: "POST", path: "/v1/projects/" + ours + "/leads", body: lead, header: live}).StatusCode)

	s.exec("update projects set status = 'archived' where project_id = '" + ours + "'")
	require.Equal(t, http.StatusOK, s.do(t, request{method: "GET", path: "/v1/projects/" + ours + "/keys", header: admin}).StatusCode)
	require.Equal(t, want, missing("POST", "/v1/projects/"+ours+"/keys/rotate", "", admin), "archived")
}
