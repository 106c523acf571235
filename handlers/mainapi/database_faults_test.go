package mainapi_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/internal/platform/ids"
	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// faulty is an edge whose statements do not wait for locks, and somebody else on the
// same database who takes them.
type faulty struct {
	*bundle
	other *pgx.Conn
	key   string
}

func setupFaulty(t *testing.T) *faulty {
	t.Helper()
	url := dbtest.URL(t)
	s, err := store.Open(t.Context(), url+"&lock_timeout=100", store.Options{})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	e := apitest.New(t, apitest.Options{Store: s, Model: apitest.FailingWriter()})
	f := &faulty{bundle: &bundle{Env: e, company: e.Company(t, "enterprise")}}
	f.project = f.company.Project(t)
	ten := factory.Tenant{CompanyID: f.company.ID, Project: f.project}
	factory.Document(t, s, ten, f.project.ProjectID, "warranty-terms.txt", "The warranty lasts 24 months from the date of purchase.")
	factory.Reindex(t, s, ten, f.project.ProjectID, factory.Epoch())
	f.key = f.company.Key(t, f.project.ProjectID, "integration", "live")
	f.other, err = pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.other.Close(context.WithoutCancel(t.Context())) })
	return f
}

// lock takes a table until unlock.
func (f *faulty) lock(t *testing.T, statement string) {
	t.Helper()
	_, err := f.other.Exec(t.Context(), "begin")
	require.NoError(t, err)
	_, err = f.other.Exec(t.Context(), statement)
	require.NoError(t, err)
}

func (f *faulty) unlock(t *testing.T) {
	t.Helper()
	_, err := f.other.Exec(t.Context(), "rollback")
	require.NoError(t, err)
}

// TestDatabaseFault_inAnAnswer: what the database cannot do for now is a 503 with
// Retry-After as JSON, and the same code in the frame of a stream that has begun.
func TestDatabaseFault_inAnAnswer(t *testing.T) {
	t.Parallel()
	const question = "How long does the warranty last?"
	const unwritable, unreadable = "lock table messages in share mode", "lock table chunks in access exclusive mode"
	f := setupFaulty(t)
	plain, dashboard := object{"question": question}, "/v1/projects/"+f.project.ProjectID+"/chat"
	query := object{"projectId": f.project.ProjectID, "question": question}
	completion := object{"messages": []object{{"role": "user", "content": question}}}
	streamed := object{"messages": completion["messages"], "stream": true}
	for _, test := range []struct {
		lock   string
		call   apitest.Call
		stream bool
	}{
		{unwritable, apitest.Call{Path: "/v1/chat", Key: f.key, Body: plain}, false},
		{unreadable, apitest.Call{Path: "/v1/chat/stream", Key: f.key, Body: plain}, false},
		{unwritable, apitest.Call{Path: "/v1/chat/stream", Key: f.key, Body: plain}, true},
		{unwritable, apitest.Call{Path: dashboard, As: f.company.Owner, Body: plain}, false},
		{unwritable, apitest.Call{Path: dashboard + "/stream", As: f.company.Owner, Body: plain}, true},
		{unwritable, apitest.Call{Path: "/v1/openai/chat/completions", Key: f.key, Body: completion}, false},
		{unwritable, apitest.Call{Path: "/v1/openai/chat/completions", Key: f.key, Body: streamed}, true},
		{unreadable, apitest.Call{Path: "/v1/rag/chat", Token: apitest.RagKey, Body: query}, false},
		{unreadable, apitest.Call{Path: "/v1/rag/chat/stream", Token: apitest.RagKey, Body: query}, true},
	} {
		test.call.Method = http.MethodPost
		f.lock(t, test.lock)
		a := f.Do(t, test.call)
		f.unlock(t)
		if !test.stream {
			a.RequireError(t, http.StatusServiceUnavailable, "unavailable")
			require.Equal(t, "1", a.Header.Get("Retry-After"))
			continue
		}
		require.Equal(t, http.StatusOK, a.Status, "%s: %s", test.call.Path, a.Body)
		list := a.Events(t)
		require.Greater(t, len(list), 1, "%s: the answer had begun", test.call.Path)
		require.Equal(t, "unavailable", list[len(list)-1]["code"], test.call.Path)
	}
}

// TestDatabaseFault_isKept: a reader that resumes an answer that failed so hears the same.
func TestDatabaseFault_isKept(t *testing.T) {
	t.Parallel()
	f := setupFaulty(t)
	f.lock(t, "lock table messages in share mode")
	_, id, _ := f.streamed(t, apitest.Call{Key: f.key}, "How long does the warranty last?")
	f.unlock(t)
	list := f.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/chat/stream/" + id, Key: f.key}).Require(t, http.StatusOK).Events(t)
	require.Equal(t, []string{"start", "chunk", "error"}, list.Types())
	require.Equal(t, "unavailable", list[len(list)-1]["code"])
}

func TestDatabaseFault_inAResumedStream(t *testing.T) {
	t.Parallel()
	f := setupFaulty(t)
	id := ids.New(ids.Message)
	_, err := f.Store.Pool().Exec(f.company.Context(t), `insert into answer_streams
		(company_id, project_id, message_id, conversation_id, session_id, visitor_id, body, body_bytes, began_at)
		values ($1, $2, $3, 'cnv_x', 'ses_x', 'vis_x', 'The warr', 8, now())`, f.company.ID, f.project.ProjectID, id)
	require.NoError(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.URL+"/v1/chat/stream/"+id, http.NoBody)
	require.NoError(t, err)
	req.Header.Set("X-Service-Key", f.key)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	body := bufio.NewReader(resp.Body)
	_, err = body.ReadString('\n')
	require.NoError(t, err)
	f.lock(t, "lock table answer_streams")
	rest, err := io.ReadAll(body)
	f.unlock(t)
	require.NoError(t, err)
	list := (&apitest.Answer{Header: resp.Header, Body: rest}).Events(t)
	require.Equal(t, "unavailable", list[len(list)-1]["code"])
}
