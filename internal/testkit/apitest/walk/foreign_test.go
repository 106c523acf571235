package walk_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/store"
)

// TestForeignIDs calls every operation that has ids in its path, with a valid credential and
// with ids of another company, of another project of the same company, of nothing, and
// malformed ones. The answers must be 404 and equal byte for byte. Afterwards nothing of the
// other company may have changed.
//
// The rag API is called only with malformed ids, as its key reaches every company. An operation
// that is not built is checked only if the gate or the decoder answers first.
func TestForeignIDs(t *testing.T) { //nolint:tparallel // it looks at the victim when all operations have ended
	t.Parallel()
	in := install(t)
	list := notBuilt(t)
	victim := in.tenant(t, "enterprise")
	theirs := victim.things(t)
	before := victim.state(t)
	t.Run("operations", func(t *testing.T) {
		for _, op := range contract(t) {
			if op.public() || !slices.ContainsFunc(op.pathParams(), isID) {
				continue
			}
			t.Run(op.ID, func(t *testing.T) {
				t.Parallel()
				s := sweep{in: in, op: op, caller: in.tenant(t, "enterprise"), built: !list[op.ID]}
				s.credential = s.caller.rightful(t, op)
				s.run(t, theirs)
			})
		}
	})
	require.Equal(t, before, victim.state(t))
}

func isID(p parameter) bool { return strings.HasSuffix(p.Name, "Id") }

// sweep checks the ids of one operation.
type sweep struct {
	in         *installation
	op         operation
	caller     *tenant
	credential credential
	built      bool
}

func (s sweep) run(t *testing.T, theirs map[string]string) {
	t.Helper()
	gated := s.op.names("projectId")
	if s.op.api == "rag" || !s.built && !gated {
		s.malformed(t, fresh(s.op), s.send(t, s.malformedProbe()).body)
		return
	}
	unknown := s.require404(t, "unknown ids", fresh(s.op), "")
	s.require404(t, "another company's ids", values(s.op, theirs), unknown)
	own := values(s.op, nil)
	if gated {
		own["projectId"] = s.caller.projectID
	}
	s.malformed(t, own, unknown)
	if !s.built {
		return
	}
	mine := s.caller.things(t)
	if !gated || len(own) > 1 {
		s.children(t, gated, theirs, mine, unknown)
	}
	mine["projectId"] = s.caller.projectID
	a := s.send(t, values(s.op, mine))
	require.NotEqual(t, http.StatusNotFound, a.status, "the caller's own things are not found either")
	require.Less(t, a.status, http.StatusInternalServerError, a.body)
}

// children uses ids of things that do not exist, below a project of the caller's own.
func (s sweep) children(t *testing.T, gated bool, theirs, mine map[string]string, unknown string) {
	t.Helper()
	none, second := fresh(s.op), maps.Clone(mine)
	if gated {
		none["projectId"] = s.caller.projectID
		theirs = maps.Clone(theirs)
		theirs["projectId"] = s.caller.projectID
		second["projectId"] = s.caller.project(t)
		s.require404(t, "another project's things in an own project", values(s.op, second), unknown)
	}
	s.require404(t, "unknown things in an own project", none, unknown)
	s.require404(t, "another company's things in an own project", values(s.op, theirs), unknown)
}

// malformed replaces one id after the other by malformed ones.
func (s sweep) malformed(t *testing.T, good map[string]string, want string) {
	t.Helper()
	for _, p := range s.op.pathParams() {
		if !isID(p) {
			continue
		}
		for _, text := range malformedIDs(good[p.Name]) {
			bad := maps.Clone(good)
			bad[p.Name] = url.PathEscape(text)
			s.require404(t, p.Name+" "+text[:min(len(text), 40)], bad, want)
		}
	}
}

func (s sweep) malformedProbe() map[string]string {
	probe := fresh(s.op)
	for name := range probe {
		probe[name] = "!"
	}
	return probe
}

// malformedIDs are texts that match the pattern of no id.
func malformedIDs(good string) []string {
	return []string{
		"!", good + "!", strings.ToUpper(good) + "!", " " + good, good + " ", "é", "日本", "' or '1'='1", "*", "%", "null{}", strings.Repeat("a", 600), "..%2f..",
	}
}

func (s sweep) send(t *testing.T, named map[string]string) answer {
	t.Helper()
	return s.in.call(t, s.op.method, at(s.op, named), s.credential, s.op.example(t))
}

// require404 sends the ids, requires 404 and returns the body. The body must be want, unless
// want is empty.
func (s sweep) require404(t *testing.T, what string, named map[string]string, want string) string {
	t.Helper()
	a := s.send(t, named)
	require.Equal(t, http.StatusNotFound, a.status, "%s: %s", what, a.body)
	require.Equal(t, "not_found", a.code, what)
	if want != "" {
		require.Equal(t, want, a.body, "%s is answered in other words than an unknown id", what)
	}
	return a.body
}

// things makes everything in the tenant's project that a path can name.
func (ten *tenant) things(t *testing.T) map[string]string {
	t.Helper()
	admin, base := ten.admin(t), "/v1/projects/"+ten.projectID
	post := func(path, payload string, into any) {
		a := ten.in.call(t, http.MethodPost, base+path, admin, []byte(payload))
		require.Less(t, a.status, 300, a.body)
		require.NoError(t, json.Unmarshal([]byte(a.body), into))
	}
	var document struct{ DocumentID string }
	post("/documents/upload-url", `{"filename":"handbook.txt"}`, &document)
	var chat struct{ ConversationID string }
	post("/chat", `{"question":"How long is the warranty?"}`, &chat)
	var key struct{ Key struct{ KeyID string } }
	post("/keys", `{"label":"a"}`, &key)
	var test struct{ TestPrompt struct{ TestID string } }
	post("/test-prompts", `{"prompt":"How long is the warranty?"}`, &test)
	var run struct{ TestRun struct{ TestRunID string } }
	post("/test-runs", `{"prompts":[{"prompt":"How long is the warranty?"}]}`, &run)
	ten.exampleTest(t)
	things := map[string]string{
		"projectId": ten.projectID, "documentId": document.DocumentID, "conversationId": chat.ConversationID, "keyId": key.Key.KeyID,
		"testId": test.TestPrompt.TestID, "testRunId": run.TestRun.TestRunID, "assistantMessageId": ten.streamed(t),
	}
	for name, id := range things {
		require.NotEmpty(t, id, name)
	}
	return things
}

// streamed asks a question with a stream and returns the id of the answer.
func (ten *tenant) streamed(t *testing.T) string {
	t.Helper()
	visitor := credential{"X-Service-Share-Token": ten.shareToken(t)} // not a key: its time of last use would change later
	a := ten.in.call(t, http.MethodPost, "/v1/chat/stream", visitor, []byte(`{"question":"How long is the warranty?"}`))
	require.Equal(t, http.StatusOK, a.status, a.body)
	_, id, _ := strings.Cut(a.body, `"assistantMessageId":"`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// exampleTest makes the prompt test that the contract's example of a run names in its body.
func (ten *tenant) exampleTest(t *testing.T) {
	t.Helper()
	_, err := dbsqlc.New().TestPromptSave(store.AsCompany(t.Context(), ten.companyID), ten.in.store.Pool(), dbsqlc.TestPromptSaveParams{
		CompanyID: ten.companyID, ProjectID: ten.projectID, TestID: "tpr_01jd8xw2v3k4m5n6p7q8r9s0ta", Prompt: "How many days of leave do I have?",
		RequiredSources: []string{}, Now: clock.System().Now(),
	})
	require.NoError(t, err)
}

// state returns what members of the tenant see of the project.
func (ten *tenant) state(t *testing.T) []string {
	t.Helper()
	admin, base := ten.admin(t), "/v1/projects/"+ten.projectID
	var seen []string
	for _, path := range []string{base, base + "/documents", base + "/keys", base + "/conversations", base + "/test-prompts", "/v1/companies/me", "/v1/conversations"} {
		a := ten.in.call(t, http.MethodGet, path, admin, nil)
		require.Equal(t, http.StatusOK, a.status, a.body)
		seen = append(seen, a.body)
	}
	return seen
}

// TestForeignIDs_InQueries calls lists with filters that are ids of another company.
func TestForeignIDs_InQueries(t *testing.T) {
	t.Parallel()
	in := install(t)
	victim, caller := in.tenant(t, "growth"), in.tenant(t, "growth")
	theirs, mine := victim.things(t), caller.things(t)
	admin := caller.admin(t)
	for _, path := range []string{"/v1/conversations?projectId=", "/v1/keys?projectId="} {
		foreign := in.call(t, http.MethodGet, path+theirs["projectId"], admin, nil)
		unknown := in.call(t, http.MethodGet, path+ids.New(ids.Project), admin, nil)
		require.Equal(t, http.StatusOK, foreign.status, foreign.body)
		require.Equal(t, unknown.body, foreign.body)
		require.NotContains(t, foreign.body, theirs["conversationId"])
	}
	path := "/v1/conversations/" + mine["conversationId"] + "?projectId="
	foreign := in.call(t, http.MethodGet, path+theirs["projectId"], admin, nil)
	require.Equal(t, http.StatusNotFound, foreign.status, foreign.body)
	require.Equal(t, in.call(t, http.MethodGet, path+ids.New(ids.Project), admin, nil).body, foreign.body)
}
