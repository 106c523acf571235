package scenario_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/blobtest"
	"docqa/internal/testkit/factory"
)

// repeatable is an operation that accepts an Idempotency-Key.
type repeatable struct {
	call   apitest.Call
	other  object // another body
	status int
	effect string // query that counts what the operation makes
}

func repeatables(project string, owner *apitest.User) map[string]repeatable {
	post := func(path string, body object) apitest.Call {
		return apitest.Call{Method: http.MethodPost, Path: path, As: owner, Body: body}
	}
	rag := apitest.Call{Method: http.MethodPost, Path: "/v1/rag/ingest", Token: apitest.RagKey, Body: object{"projectId": project, "title": "t", "text": "x"}}
	batch := apitest.Call{Method: http.MethodPost, Path: "/v1/rag/ingest/batch", Token: apitest.RagKey, Body: object{
		"projectId": project, "documents": []object{{"title": "t", "text": "x"}},
	}}
	return map[string]repeatable{
		"projects":            {post("/v1/projects", object{"name": "Handbook"}), object{"name": "Other"}, 200, "select count(*) from projects where name in ('Handbook', 'Other')"},
		"keys":                {post(projectPath(project)+"/keys", object{"label": "a"}), object{"label": "b"}, 201, "select count(*) from api_keys where label in ('a', 'b')"},
		"upload reservations": {post(projectPath(project)+"/documents/upload-url", object{"filename": "a.txt"}), object{"filename": "b.txt"}, 200, "select count(*) from documents where upload_key is not null"},
		"ingest":              {rag, object{"projectId": project, "title": "t", "text": "y"}, 202, "select count(*) from rag_jobs where type = 'ingest'"},
		"batch": {
			batch,
			object{"projectId": project, "documents": []object{{"title": "t", "text": "y"}}},
			202,
			"select count(*) from rag_jobs where type = 'batch'",
		},
	}
}

// TestIdempotencyKey checks every operation that accepts the header: one effect, the same
// answer byte for byte, 409 for another body, separate keys for each project, and nothing in
// the database from which the key or the answer could be read.
func TestIdempotencyKey(t *testing.T) { //nolint:tparallel // its subtests share the clock
	t.Parallel()
	now := clock.Fixed(factory.Epoch())
	e := apitest.New(t, apitest.Options{Objects: blobtest.New(t), Clock: now})
	company := e.Company(t, "enterprise")
	project, second := company.Project(t), company.Project(t)
	_, err := e.Store.Pool().Exec(company.Context(t), "update projects set name = 'There'")
	require.NoError(t, err)
	elsewhere := repeatables(second.ProjectID, company.Owner)
	for name, op := range repeatables(project.ProjectID, company.Owner) { //nolint:paralleltest // they share the clock
		t.Run(name, func(t *testing.T) {
			count := func() int { return ask[int](t, e, op.effect) }
			op.call.Header = map[string]string{"Idempotency-Key": "the key of " + name}
			first := e.Do(t, op.call).Require(t, op.status)
			require.Empty(t, first.Header.Get("Idempotency-Replayed"))
			now.Advance(time.Minute)
			again := e.Do(t, op.call).Require(t, op.status)
			require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
			require.Equal(t, string(first.Body), string(again.Body))
			require.Equal(t, 1, count())
			mismatch := op.call
			mismatch.Body = op.other
			e.Do(t, mismatch).RequireError(t, http.StatusConflict, "idempotency_mismatch")

			kept := ask[string](t, e, "select string_agg(k::text || encode(body, 'escape'), ' ') from idempotency_keys k")
			for _, clear := range []string{"the key of", "X-Amz-Signature", "a.txt", "sk_live_", "Handbook", "job_", "doc_"} {
				require.NotContains(t, kept, clear)
			}
			if name != "projects" {
				other := elsewhere[name].call
				other.Header = op.call.Header
				a := e.Do(t, other).Require(t, op.status)
				require.Empty(t, a.Header.Get("Idempotency-Replayed"), "another project's")
			}
			without := op.call
			without.Header = maps.Clone(op.call.Header)
			without.Header["Idempotency-Key"] = strings.Repeat("k", 256)
			e.Do(t, without).Require(t, http.StatusBadRequest)
			before := count()
			now.Advance(24*time.Hour - time.Minute - time.Second)
			e.Renew(t, company.Owner)
			e.Do(t, op.call).Require(t, op.status)
			require.Equal(t, before, count(), "kept for 24 hours")
			now.Advance(2 * time.Second)
			e.Renew(t, company.Owner)
			a := e.Do(t, op.call).Require(t, op.status)
			require.Empty(t, a.Header.Get("Idempotency-Replayed"), "and no longer, whenever the sweep comes")
			require.Equal(t, before+1, count())
		})
	}
}

// ask reads one value from the database, over all companies.
func ask[T any](t *testing.T, e *apitest.Env, query string) (v T) {
	t.Helper()
	ctx := store.AsSystem(t.Context(), "a test looks at every company's rows")
	require.NoError(t, e.Store.Pool().QueryRow(ctx, query).Scan(&v))
	return v
}

// TestIdempotencyKey_atOnce: a thousand calls with one key at the same time have one effect
// and get the same answer.
func TestIdempotencyKey_atOnce(t *testing.T) {
	t.Parallel()
	e := apitest.New(t, apitest.Options{Objects: blobtest.New(t)})
	company := e.Company(t, "growth")
	project := company.Project(t)
	list := repeatables(project.ProjectID, company.Member(t, authn.RoleMember))
	for name, calls := range map[string]int{"projects": 1000, "upload reservations": 300} {
		op := list[name]
		op.call.Header = map[string]string{"Idempotency-Key": "once"}
		bodies := make([]string, calls)
		var all errgroup.Group
		all.SetLimit(100) // one machine has too few sockets for a thousand at once
		for i := range calls {
			all.Go(func() error {
				a := e.Do(t, op.call)
				if a.Status != op.status {
					return fmt.Errorf("%d %s", a.Status, a.Body)
				}
				bodies[i] = string(a.Body)
				return nil
			})
		}
		require.NoError(t, all.Wait(), name)
		for _, body := range bodies {
			require.Equal(t, bodies[0], body)
		}
		effect := strings.Replace(op.effect, "name in ('Handbook', 'Other')", "created_by <> '"+company.Owner.ID+"'", 1)
		require.Equal(t, 1, ask[int](t, e, effect), name)
	}
}
