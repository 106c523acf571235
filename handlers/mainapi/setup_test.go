package mainapi_test

import (
	"testing"

	"docqa/gen/dbsqlc"
	"docqa/internal/testkit/apitest"
)

type object = map[string]any

// bundle is a running installation with one company, whose project holds documents.
type bundle struct {
	*apitest.Env

	company *apitest.Company
	project dbsqlc.Project
}

func setup(t *testing.T) *bundle {
	t.Helper()
	shop := apitest.NewShop(t)
	return &bundle{Env: shop.Env, company: shop.Company, project: shop.Project}
}

func projectPath(projectID string) string { return "/v1/projects/" + projectID }

// under returns the paths that end with rest, by project.
func under(rest string) func(projectID string) string {
	return func(projectID string) string { return projectPath(projectID) + rest }
}
