package edge_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
)

// TestWrites_forgetTheirOwnCompanyAlone: a write is seen at once by the credentials of
// its company, and costs other companies nothing: theirs are not looked up again.
func TestWrites_forgetTheirOwnCompanyAlone(t *testing.T) {
	t.Parallel()
	now := clock.Fixed(time.Now())
	env := apitest.New(t, apitest.Options{Clock: now})
	writer, other := env.Company(t, "growth"), env.Company(t, "growth")
	projects := map[*apitest.Company]string{writer: writer.Project(t).ProjectID, other: other.Project(t).ProjectID}
	asking := map[*apitest.Company]apitest.Call{}
	for c, id := range projects {
		asking[c] = apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: c.Key(t, id, "integration", "test"), Body: object{"question": "Open?"}}
		env.Do(t, asking[c]).Require(t, http.StatusOK)
		env.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/projects", As: c.Owner}).Require(t, http.StatusOK)
	}
	_, err := env.Store.Pool().Exec(store.AsSystem(t.Context(), "test"), "update companies set status = 'suspended'")
	require.NoError(t, err)
	for _, c := range []*apitest.Company{writer, other} {
		env.Do(t, asking[c]).Require(t, http.StatusOK) // remembered
	}
	patch := func(c *apitest.Company) apitest.Call {
		return apitest.Call{Method: http.MethodPatch, Path: "/v1/projects/" + projects[c], As: c.Owner, Body: object{"name": "Guide"}}
	}
	env.Do(t, patch(writer)).Require(t, http.StatusOK)
	env.Do(t, asking[writer]).RequireError(t, http.StatusForbidden, "company_suspended")
	env.Do(t, patch(writer)).RequireError(t, http.StatusForbidden, "company_suspended")
	env.Do(t, asking[other]).Require(t, http.StatusOK)
	env.Do(t, patch(other)).Require(t, http.StatusOK)
	now.Advance(time.Second)
	env.Do(t, asking[other]).RequireError(t, http.StatusForbidden, "company_suspended")
}
