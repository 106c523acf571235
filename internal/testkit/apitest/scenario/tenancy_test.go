package scenario_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/factory"
)

// tenant is a company with one resource of every kind that a path can name.
type tenant struct {
	*apitest.Company
	key    string            // a live integration key of the project
	values map[string]string // of path variables
}

func newTenant(t *testing.T, env *apitest.Env) tenant {
	t.Helper()
	company := env.Company(t, "enterprise")
	project := company.Project(t)
	made := tenant{Company: company, values: map[string]string{
		"projectId": project.ProjectID, "documentId": company.Document(t, project.ProjectID, "indexed"),
		"userId": company.Owner.ID,
	}}
	made.key = company.Key(t, project.ProjectID, "integration", "live")
	keys, err := env.Keys.ListByProject(company.Context(t), company.ID, project.ProjectID)
	require.NoError(t, err)
	made.values["keyId"] = keys[0].KeyID
	made.values["conversationId"] = factory.Tenant{CompanyID: company.ID, Project: project}.NewConversation(t, env.Store, factory.ConversationOpts{At: env.Clock.Now()}).ConversationID
	return made
}

// TestForeignIDs calls, as another company, every operation of the contract that has an id in
// its path. A resource of another company gets exactly the same answer as one that does not
// exist.
func TestForeignIDs(t *testing.T) {
	t.Parallel()
	env := apitest.New(t, apitest.Options{})
	ours, theirs := newTenant(t, env), newTenant(t, env)
	walked := 0
	for _, op := range apitest.Operations(t) {
		if len(op.PathValues) == 0 || op.Public || strings.HasPrefix(op.Path, "/v1/rag/") {
			continue // public, or for the operator's service key, which reaches every company
		}
		call := apitest.Call{Method: op.Method, As: ours.Owner, Body: body(op)}
		if !slices.Contains(op.Schemes, "dashboardJWT") {
			call.As, call.Key = nil, ours.key
		}
		_, inProject := op.PathValues["projectId"]
		t.Run(op.ID, func(t *testing.T) {
			t.Parallel()
			call.Path = op.Fill(nil)
			unknown := env.Do(t, call)
			if unknown.Status == http.StatusNotImplemented && !inProject {
				return
			}
			unknown.RequireError(t, http.StatusNotFound, "not_found")
			call.Path = op.Fill(theirs.values)
			foreign := env.Do(t, call)
			require.Equal(t, unknown.Status, foreign.Status)
			require.Equal(t, string(unknown.Body), string(foreign.Body))
			if !inProject || len(op.PathValues) == 1 {
				return
			}
			child := map[string]string{}
			for name := range op.PathValues {
				child[name] = theirs.values[name]
				if child[name] == "" {
					child[name] = op.PathValues[name]
				}
			}
			child["projectId"] = ours.values["projectId"]
			call.Path = op.Fill(child)
			if mixed := env.Do(t, call); mixed.Status != http.StatusNotImplemented {
				require.Equal(t, unknown.Status, mixed.Status)
				require.Equal(t, string(unknown.Body), string(mixed.Body))
			}
		})
		walked++
	}
	require.Greater(t, walked, 50)
}

// TestOwnIDs makes sure that TestForeignIDs tests something: the owner does reach the
// resources.
func TestOwnIDs(t *testing.T) {
	t.Parallel()
	env := apitest.New(t, apitest.Options{})
	owner := newTenant(t, env)
	for _, op := range apitest.Operations(t) {
		if op.Method == http.MethodGet && len(op.PathValues) > 0 && slices.Contains(op.Schemes, "dashboardJWT") && known(op, owner.values) {
			env.Do(t, apitest.Call{Method: op.Method, Path: op.Fill(owner.values), As: owner.Owner})
		}
	}
	for _, path := range []string{
		"/v1/projects/{projectId}", "/v1/projects/{projectId}/documents/{documentId}", "/v1/conversations/{conversationId}",
		"/v1/projects/{projectId}/conversations/{conversationId}", "/v1/projects/{projectId}/keys",
	} {
		op := apitest.Operation{Path: path, PathValues: owner.values}
		env.Do(t, apitest.Call{Method: http.MethodGet, Path: op.Fill(nil), As: owner.Owner}).Require(t, http.StatusOK)
	}
}

// TestWithoutCredential calls every operation that needs a credential without one.
func TestWithoutCredential(t *testing.T) {
	t.Parallel()
	env := apitest.New(t, apitest.Options{})
	for _, op := range apitest.Operations(t) {
		if op.Public || !slices.Contains(op.Statuses, http.StatusUnauthorized) {
			continue
		}
		t.Run(op.ID, func(t *testing.T) {
			t.Parallel()
			env.Do(t, apitest.Call{Method: op.Method, Path: op.Fill(nil)}).Require(t, http.StatusUnauthorized)
			bad := env.Do(t, apitest.Call{Method: op.Method, Path: op.Fill(nil), Token: "x", Key: "x", Share: "x"})
			require.Contains(t, []int{http.StatusUnauthorized, http.StatusNotImplemented}, bad.Status)
		})
	}
}

func body(op apitest.Operation) any {
	if op.Body == nil {
		return nil
	}
	return op.Body
}

func known(op apitest.Operation, values map[string]string) bool {
	for name := range op.PathValues {
		if values[name] == "" {
			return false
		}
	}
	return true
}
