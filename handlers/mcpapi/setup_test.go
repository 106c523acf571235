package mcpapi_test

import (
	"testing"

	"docqa/gen/dbsqlc"
	"docqa/internal/testkit/apitest"
)

// bundle is a running installation with one company, whose project holds documents.
type bundle struct {
	*apitest.Env

	company *apitest.Company
	project dbsqlc.Project
}

func setup(t *testing.T) *bundle {
	t.Helper()
	e := apitest.New(t, apitest.Options{Model: apitest.FailingWriter()})
	b := &bundle{Env: e, company: e.Company(t, "enterprise")}
	b.project = b.company.Shop(t)
	return b
}
