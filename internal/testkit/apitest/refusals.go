package apitest

import (
	"net/http"
	"strings"
	"testing"
)

// Refusals checks the refusals that are the same for every operation: a call without a
// credential or with an invalid one and, if good has a body, bodies that are not JSON, too
// large, or of another type. good is a call that is accepted.
func (e *Env) Refusals(t *testing.T, good Call) {
	t.Helper()
	change := func(f func(c *Call)) Call {
		c := good
		f(&c)
		return c
	}
	anonymous := change(func(c *Call) { c.As, c.Token, c.Key, c.Share = nil, "", "", "" })
	e.Do(t, anonymous).RequireError(t, http.StatusUnauthorized, "unauthenticated")
	anonymous.Token = "no.such.token"
	e.Do(t, anonymous).Require(t, http.StatusUnauthorized)
	if good.Body == nil {
		return
	}
	e.Do(t, change(func(c *Call) { c.Body, c.Raw = nil, "{" })).RequireError(t, http.StatusBadRequest, "invalid_json")
	e.Do(t, change(func(c *Call) { c.Body, c.Raw = nil, "[]" })).RequireError(t, http.StatusBadRequest, "validation_error")
	e.Do(t, change(func(c *Call) { c.Body, c.Raw = nil, "" })).RequireError(t, http.StatusBadRequest, "validation_error")
	e.Do(t, change(func(c *Call) { c.Type = "text/plain" })).RequireError(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
	e.Do(t, change(func(c *Call) {
		c.Body = map[string]string{"name": strings.Repeat("x", 1<<20)}
	})).RequireError(t, http.StatusRequestEntityTooLarge, "payload_too_large")
}

// ForeignProject checks that a project that does not exist and a project of another company
// get the same 404, byte for byte. path makes the call's path from a project id.
func (e *Env) ForeignProject(t *testing.T, good Call, path func(projectID string) string) {
	t.Helper()
	foreign := e.Company(t, "enterprise").Project(t)
	good.Path = path(foreign.ProjectID)
	first := e.Do(t, good).RequireError(t, http.StatusNotFound, "not_found")
	for _, id := range []string{"prj_01jd8xw2v3k4m5n6p7q8r9s0ta", "prj_x", "nonsense"} {
		good.Path = path(id)
		other := e.Do(t, good).RequireError(t, http.StatusNotFound, "not_found")
		if string(other.Body) != string(first.Body) {
			t.Fatalf("a foreign project is answered %s, an unknown one %s", first.Body, other.Body)
		}
	}
}

// AccessRefusals checks that an operation of a project refuses callers without access: a
// request without credential, a user without a company, and a project of another company.
func (e *Env) AccessRefusals(t *testing.T, good Call, path func(projectID string) string) {
	t.Helper()
	e.Refusals(t, good)
	e.ForeignProject(t, good, path)
	good.As = e.User(t)
	e.Do(t, good).RequireError(t, http.StatusForbidden, "company_required")
}
