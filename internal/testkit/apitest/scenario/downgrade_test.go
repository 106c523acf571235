package scenario_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/apikeys"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
)

// TestDowngrade: after a downgrade the oldest projects, as many as the plan includes, work as
// before. The others can only be read, asked, emptied and archived, until the company is
// within its plan again.
func TestDowngrade(t *testing.T) {
	t.Parallel()
	e := apitest.New(t, apitest.Options{Objects: blobtest.New(t)})
	e.Work(t)
	company := e.Company(t, "pro")
	oldest, middle, newest := company.Project(t), company.Project(t), company.Project(t)
	documents, keys, keyIDs := map[string]string{}, map[string]string{}, map[string]string{}
	do := func(t *testing.T, method, path string, body any) *apitest.Answer {
		t.Helper()
		return e.Do(t, apitest.Call{Method: method, Path: path, As: company.Owner, Body: body})
	}
	for _, id := range []string{oldest.ProjectID, middle.ProjectID, newest.ProjectID} {
		documents[id] = e.Upload(t, company.Owner, id, "valve.txt", "The valve opens at seventeen bar.")
		do(t, http.MethodPost, projectPath(id)+"/deploy", nil).Require(t, http.StatusOK)
		keys[id] = company.Key(t, id, apikeys.Integration, apikeys.Live)
		keyIDs[id] = do(t, http.MethodPost, projectPath(id)+"/keys", object{"label": "x"}).Require(t, http.StatusCreated).Text(t, "key.keyId")
	}
	pending := do(t, http.MethodPost, projectPath(middle.ProjectID)+"/documents/upload-url", object{"filename": "late.txt"}).Require(t, http.StatusOK)
	e.Put(t, pending.Text(t, "uploadUrl"), "late")
	_, err := e.Companies.SetPlan(company.Context(t), company.ID, "free")
	require.NoError(t, err)
	e.People.Forget(company.ID)
	e.Keys.Forget(company.ID)

	changes := func(id string) map[string]apitest.Call {
		post := func(path string, body any) apitest.Call {
			return apitest.Call{Method: http.MethodPost, Path: projectPath(id) + path, As: company.Owner, Body: body}
		}
		rag := func(path string, body object) apitest.Call {
			return apitest.Call{Method: http.MethodPost, Path: "/v1/rag/ingest" + path, Token: apitest.RagKey, Body: body}
		}
		return map[string]apitest.Call{
			"settings":   {Method: http.MethodPatch, Path: projectPath(id), As: company.Owner, Body: object{"name": "Other"}},
			"deploy":     post("/deploy", nil),
			"upload":     post("/documents/upload-url", object{"filename": "a.txt"}),
			"sync":       post("/documents/sync", nil),
			"reprocess":  post("/documents/"+documents[id]+"/reprocess", nil),
			"key":        post("/keys", object{"label": "y"}),
			"prompt":     post("/test-prompts", object{"prompt": "When does the valve open?"}),
			"ingest":     rag("", object{"projectId": id, "title": "t", "text": "x"}),
			"ingest all": rag("/batch", object{"projectId": id, "documents": []object{{"title": "t", "text": "x"}}}),
		}
	}
	for name, call := range changes(oldest.ProjectID) {
		require.Less(t, e.Do(t, call).Status, 300, name)
	}
	for _, id := range []string{middle.ProjectID, newest.ProjectID} {
		for name, call := range changes(id) {
			a := e.Do(t, call)
			require.Equal(t, http.StatusForbidden, a.Status, "%s: %s", name, a.Body)
			require.Equal(t, "plan_limit_reached", a.Text(t, "code"), name)
		}
		for _, path := range []string{"", "/overview", "/documents", "/keys", "/deploy-readiness", "/test-prompts", "/conversations"} {
			do(t, http.MethodGet, projectPath(id)+path, nil).Require(t, http.StatusOK)
		}
		question := object{"question": "At how many bar does the valve open?"}
		do(t, http.MethodPost, projectPath(id)+"/chat", question).Require(t, http.StatusOK)
		e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: keys[id], Body: question}).Require(t, http.StatusOK)
		do(t, http.MethodPost, projectPath(id)+"/keys/rotate", nil).Require(t, http.StatusOK)
		do(t, http.MethodDelete, projectPath(id)+"/keys/"+keyIDs[id], nil).Require(t, http.StatusOK)
		do(t, http.MethodDelete, projectPath(id)+"/documents/"+documents[id], nil).Require(t, http.StatusOK)
	}
	do(t, http.MethodPost, projectPath(middle.ProjectID)+"/documents/"+pending.Text(t, "documentId")+"/confirm", nil).
		RequireError(t, http.StatusForbidden, "plan_limit_reached")
	do(t, http.MethodPost, "/v1/projects", object{"name": "Fourth"}).RequireError(t, http.StatusForbidden, "plan_limit_reached")

	do(t, http.MethodDelete, projectPath(oldest.ProjectID), nil).Require(t, http.StatusOK)
	do(t, http.MethodPatch, projectPath(middle.ProjectID), object{"name": "Next"}).Require(t, http.StatusOK)
	do(t, http.MethodPatch, projectPath(newest.ProjectID), object{"name": "Next"}).RequireError(t, http.StatusForbidden, "plan_limit_reached")
	_, err = e.Companies.SetPlan(company.Context(t), company.ID, "growth")
	require.NoError(t, err)
	do(t, http.MethodPatch, projectPath(newest.ProjectID), object{"name": "Next"}).Require(t, http.StatusOK)
}
