package edge_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/platform/authn"
	"docqa/internal/testkit/factory"
)

// exhaust repeats r until it is refused and returns how often it was not.
func (s *bundle) exhaust(t *testing.T, r request) (allowed int, refused response) {
	t.Helper()
	for range 1300 {
		got := s.do(t, r)
		if got.StatusCode == http.StatusTooManyRequests {
			return allowed, got
		}
		allowed++
	}
	t.Fatal("never refused")
	return 0, response{}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		request func(s *bundle) request
		burst   int
		limit   string
		policy  string
	}{
		"public": {
			func(*bundle) request { return request{method: "GET", path: "/health"} }, 20, "60", "60;w=60;burst=20",
		},
		"documents": {
			func(*bundle) request { return request{method: "GET", path: "/openapi/rag.json"} }, 20, "60", "60;w=60;burst=20",
		},
		"share bootstrap": {
			func(*bundle) request { return request{method: "GET", path: "/v1/public/share/acme"} }, 30, "30", "30;w=60",
		},
		"chat with an integration key, growth": {
			func(s *bundle) request {
				return request{method: "GET", path: "/v1/chat/stream/msg_x", header: []string{"X-Service-Key", s.key(apikeys.Integration, apikeys.Live)}}
			}, 60, "60", "60;w=60",
		},
		"chat with a share token": {
			func(s *bundle) request {
				return request{method: "GET", path: "/v1/chat/stream/msg_x", header: []string{"X-Service-Share-Token", s.shareToken()}}
			}, 30, "30", "30;w=60",
		},
		"keys that are none": {
			func(*bundle) request {
				return request{method: "GET", path: "/v1/chat/stream/msg_x", header: []string{"X-Service-Key", "sk_live_none"}}
			}, 60, "60", "60;w=60",
		},
		"tokens that are none": {
			func(*bundle) request {
				return request{method: "GET", path: "/v1/projects", header: bearer("none")}
			}, 60, "60", "60;w=60",
		},
		"dashboard writes": {
			func(s *bundle) request {
				return request{method: "PATCH", path: "/v1/companies/settings", header: bearer(s.admin())}
			}, 60, "60", "60;w=60",
		},
		"exports": {
			func(s *bundle) request {
				return request{method: "GET", path: "/v1/conversations/export", header: bearer(s.admin())}
			}, 10, "10", "10;w=3600",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t, options{scale: 1})
			r := test.request(s)
			first := s.do(t, r)
			require.Equal(t, test.limit, first.Header.Get("RateLimit-Limit"))
			require.Equal(t, strconv.Itoa(test.burst-1), first.Header.Get("RateLimit-Remaining"))
			require.Equal(t, test.policy, first.Header.Get("RateLimit-Policy"))
			allowed, refused := s.exhaust(t, r)
			require.Equal(t, test.burst, allowed+1)
			require.Equal(t, "rate_limited", refused.code(t))
			require.Equal(t, "0", refused.Header.Get("RateLimit-Remaining"))
			wait, err := strconv.Atoi(refused.Header.Get("Retry-After"))
			require.NoError(t, err)
			require.Positive(t, wait)
			s.clock.Advance(time.Duration(wait) * time.Second)
			require.NotEqual(t, http.StatusTooManyRequests, s.do(t, r).StatusCode, "after the wait")
		})
	}
}

// Naming a foreign project must take nothing from its owner's bucket.
func TestLimits_foreignProjectIsNotDrained(t *testing.T) {
	t.Parallel()
	s := setup(t, options{scale: 1})
	upload := "/v1/projects/" + s.tenant.Project.ProjectID + "/documents/bulk-upload-url"
	foreign := factory.NewTenant(t, s.store, factory.TenantOpts{})
	allowed, _ := s.exhaust(t, request{method: "POST", path: upload, header: bearer(s.person(foreign.CompanyID, authn.RoleAdmin))})
	require.Equal(t, 120, allowed)
	require.NotEqual(t, http.StatusTooManyRequests, s.do(t, request{method: "POST", path: upload, header: bearer(s.admin())}).StatusCode)
}

func TestLimits_bucketsAreApart(t *testing.T) {
	t.Parallel()
	s := setup(t, options{scale: 1, proxies: 1})
	health := func(ip string) request {
		return request{method: "GET", path: "/health", header: []string{"X-Forwarded-For", ip}}
	}
	s.exhaust(t, health("198.51.100.1"))
	require.Equal(t, http.StatusOK, s.do(t, health("198.51.100.2")).StatusCode)
	s.exhaust(t, health("2001:db8::1"))
	require.Equal(t, http.StatusTooManyRequests, s.do(t, health("2001:db8::2")).StatusCode, "one /64 is one customer")
	require.Equal(t, http.StatusOK, s.do(t, health("2001:db8:0:1::1")).StatusCode)
}

// Without the database a public read that needs none is answered all the same.
func TestLimits_databaseAway(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	live := s.key(apikeys.Integration, apikeys.Live)
	s.keys.Wait(t.Context())
	s.store.Close()
	require.Equal(t, http.StatusOK, s.do(t, request{method: "GET", path: "/health"}).StatusCode)
	got := s.do(t, request{method: "GET", path: "/v1/chat/stream/msg_x", header: []string{"X-Service-Key", live}})
	require.GreaterOrEqual(t, got.StatusCode, 500, "what is limited by a credential fails closed")
}

func TestLog_oneLineForEachRequest(t *testing.T) {
	t.Parallel()
	s := setup(t, options{})
	live := s.key(apikeys.Integration, apikeys.Live)
	got := s.do(t, request{method: "GET", path: "/v1/chat/stream/msg_x?secret=hidden", header: []string{"X-Service-Key", live}})
	s.do(t, request{method: "GET", path: "/nowhere"})
	log := s.log.text()
	require.Contains(t, log, got.Header.Get("X-Request-Id"))
	require.Contains(t, log, `"route":"/v1/chat/stream/{assistantMessageId}"`)
	require.Contains(t, log, `"company_id":"`+s.tenant.CompanyID)
	require.NotContains(t, log, live)
	require.NotContains(t, log, "hidden")
}

// BenchmarkEdge is what the edge costs a request with a key: credential, rate, gate and
// log line, over HTTP and against Postgres.
func BenchmarkEdge(b *testing.B) {
	s := setup(b, options{})
	r := request{method: "GET", path: "/v1/chat/stream/msg_01jd8xw2v3k4m5n6p7q8r9s0ta", header: []string{"X-Service-Key", s.key(apikeys.Integration, apikeys.Live)}}
	for b.Loop() {
		s.do(b, r)
	}
}
