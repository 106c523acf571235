package mainapi_test

import (
	"net/http"
	"testing"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
)

type object = map[string]any

// bundle is a running installation with one company and its project.
type bundle struct {
	*apitest.Env

	company *apitest.Company
	project dbsqlc.Project
}

// setup starts an installation whose project holds documents.
func setup(t *testing.T) *bundle {
	t.Helper()
	shop := apitest.NewShop(t)
	return &bundle{Env: shop.Env, company: shop.Company, project: shop.Project}
}

// setupEmpty starts an installation that stores files, with a company on plan whose project is empty.
func setupEmpty(t *testing.T, plan string) *bundle {
	t.Helper()
	b := &bundle{Env: apitest.New(t, apitest.Options{Objects: blobtest.New(t)})}
	b.company = b.Company(t, plan)
	b.project = b.company.Project(t)
	return b
}

// setupBare starts an installation without companies. The test fails where it does not see every status of the operations.
func setupBare(t *testing.T, operationIDs ...string) *apitest.Env {
	t.Helper()
	env := apitest.New(t, apitest.Options{})
	env.Cover(t, operationIDs...)
	return env
}

// sends makes the calls of an operation whose callers are users that send a body.
func sends(method, path string) func(u *apitest.User, body any) apitest.Call {
	return func(u *apitest.User, body any) apitest.Call {
		return apitest.Call{Method: method, Path: path, As: u, Body: body}
	}
}

// allowsAdminsOnly checks that an operation of a project refuses who is not signed in, members who are no admins, and
// projects of other companies. path makes the path of good, a call of the company's owner, of a project id.
func allowsAdminsOnly(t *testing.T, env *apitest.Env, company *apitest.Company, good apitest.Call, path func(projectID string) string) {
	t.Helper()
	t.Run("401", func(t *testing.T) {
		t.Parallel()
		call := good
		call.Path = path(company.Project(t).ProjectID)
		env.Refusals(t, call)
	})
	t.Run("403", func(t *testing.T) {
		t.Parallel()
		call := good
		call.Path, call.As = path(company.Project(t).ProjectID), company.Member(t, authn.RoleMember)
		env.Do(t, call).RequireError(t, http.StatusForbidden, "role_required")
	})
	t.Run("404", func(t *testing.T) {
		t.Parallel()
		env.ForeignProject(t, good, path)
	})
}

func projectPath(projectID string) string { return "/v1/projects/" + projectID }

// under returns the paths that end with rest, by project.
func under(rest string) func(projectID string) string {
	return func(projectID string) string { return projectPath(projectID) + rest }
}
