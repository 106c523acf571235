package edge_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/dbtest"
)

// TestRequest_isBounded has a request wait for a row that another transaction holds for as
// long as the test runs.
func TestRequest_isBounded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ statement, request time.Duration }{
		"by its statement":    {statement: 100 * time.Millisecond},
		"by its own deadline": {request: 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := store.Open(t.Context(), dbtest.URL(t), store.Options{StatementTime: test.statement})
			require.NoError(t, err)
			t.Cleanup(s.Close)
			e := apitest.New(t, apitest.Options{Store: s, RequestTime: test.request})
			company := e.Company(t, "pro")
			project := company.Project(t)
			rename := apitest.Call{
				Method: http.MethodPatch, Path: projectPath(project.ProjectID), As: company.Owner, Body: map[string]any{"name": "Other"},
			}
			tx, err := s.Pool().Begin(company.Context(t))
			require.NoError(t, err)
			defer func() { _ = tx.Rollback(context.Background()) }()
			_, err = tx.Exec(t.Context(), "select from projects where project_id = $1 for update", project.ProjectID)
			require.NoError(t, err)
			a := e.Do(t, rename).RequireError(t, http.StatusServiceUnavailable, "unavailable")
			require.Equal(t, "1", a.Header.Get("Retry-After"))
			require.NoError(t, tx.Rollback(t.Context()))
			e.Do(t, rename).Require(t, http.StatusOK)
		})
	}
}
