package mainapi_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
)

func TestCreateCompany(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "createCompany")
	create := sends(http.MethodPost, "/v1/companies")

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		u := env.User(t)
		a := env.Do(t, create(u, object{"name": " Example Ltd "})).Require(t, http.StatusOK)
		require.Regexp(t, "^cmp_[0-9a-z]{26}$", a.Text(t, "companyId"))
		require.Equal(t, "Example Ltd", a.Text(t, "name"))
		require.Regexp(t, "^example-ltd(-[0-9a-z]{4})?$", a.Text(t, "slug"))
		require.Equal(t, "free", a.Text(t, "plan"))
		require.Equal(t, "active", a.Text(t, "status"))
		require.Equal(t, u.ID, a.Text(t, "ownerUserId"))
		require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`, a.Text(t, "createdAt"))
		me := env.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/companies/me", As: u}).Require(t, http.StatusOK)
		require.JSONEq(t, string(a.Body), string(me.Body))
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		u := env.User(t)
		for _, body := range []any{
			object{},
			object{"name": ""},
			object{"name": "  "},
			object{"name": strings.Repeat("x", 121)},
			object{"name": 3},
			object{"name": nil},
			object{"name": "a\tb"},
		} {
			env.Do(t, create(u, body)).RequireError(t, http.StatusBadRequest, "validation_error")
		}
		for _, raw := range []string{`{"name":"a\u0000b"}`, "{\"name\":\"a\xffb\"}", `{"name":"\ud800"}`} {
			env.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/companies", As: u, Raw: raw}).Require(t, http.StatusBadRequest)
		}
	})
	t.Run("401, 413 and 415", func(t *testing.T) {
		t.Parallel()
		env.Refusals(t, create(env.User(t), object{"name": "Example Ltd"}))
	})
	t.Run("409", func(t *testing.T) {
		t.Parallel()
		owner := env.Company(t, "free").Owner
		env.Do(t, create(owner, object{"name": "Second"})).RequireError(t, http.StatusConflict, "already_in_company")
	})
}

func TestGetCompany(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "getCompany")
	get := apitest.Call{Method: http.MethodGet, Path: "/v1/companies/me"}

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		company := env.Company(t, "growth")
		get := get
		get.As = company.Member(t, authn.RoleMember)
		a := env.Do(t, get).Require(t, http.StatusOK)
		require.Equal(t, company.ID, a.Text(t, "companyId"))
		require.Equal(t, "growth", a.Text(t, "plan"))
	})
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		env.Refusals(t, get)
		company := env.Company(t, "free")
		p := company.Project(t)
		get := get
		get.Token = company.Key(t, p.ProjectID, "integration", "live")
		env.Do(t, get).RequireError(t, http.StatusUnauthorized, "unauthenticated")
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		get := get
		get.As = env.User(t)
		env.Do(t, get).RequireError(t, http.StatusForbidden, "company_required")
	})
}

func TestUpdateCompany(t *testing.T) {
	t.Parallel()
	env := setupBare(t, "updateCompany")
	company := env.Company(t, "free")
	patch := sends(http.MethodPatch, "/v1/companies/me")

	t.Run("200", func(t *testing.T) {
		t.Parallel()
		before := env.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/companies/me", As: company.Owner}).Require(t, http.StatusOK)
		a := env.Do(t, patch(company.Member(t, authn.RoleAdmin), object{"name": "Example Group"})).Require(t, http.StatusOK)
		require.Equal(t, "Example Group", a.Text(t, "name"))
		require.Equal(t, before.Text(t, "slug"), a.Text(t, "slug"))
	})
	t.Run("400", func(t *testing.T) {
		t.Parallel()
		env.Do(t, patch(company.Owner, object{"name": " "})).RequireError(t, http.StatusBadRequest, "validation_error")
	})
	t.Run("401, 413 and 415", func(t *testing.T) {
		t.Parallel()
		env.Refusals(t, patch(company.Owner, object{"name": "x"}))
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		env.Do(t, patch(company.Member(t, authn.RoleMember), object{"name": "x"})).RequireError(t, http.StatusForbidden, "role_required")
		env.Do(t, patch(env.User(t), object{"name": "x"})).RequireError(t, http.StatusForbidden, "company_required")
	})
}
