package mainapi_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/store"
	"docqa/internal/testkit/apitest"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// TestChat_roundTrips counts how often a question waits for the database.
func TestChat_roundTrips(t *testing.T) {
	t.Parallel()
	trips := &dbtest.Trips{}
	s, err := store.Open(t.Context(), dbtest.URL(t), store.Options{Tracer: trips})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	e := apitest.New(t, apitest.Options{Store: s})
	company := e.Company(t, "enterprise")
	project := company.Project(t)
	ten := factory.Tenant{CompanyID: company.ID, Project: project}
	factory.Document(t, s, ten, project.ProjectID, "warranty-terms.txt", "The warranty lasts 24 months from the date of purchase.")
	factory.Reindex(t, s, ten, project.ProjectID, factory.Epoch())
	key := company.Key(t, project.ProjectID, "integration", "live")
	ask := func(body object) (sessionID string, waited []string) {
		trips.Take()
		a := e.Do(t, apitest.Call{Method: http.MethodPost, Path: "/v1/chat", Key: key, Body: body}).Require(t, http.StatusOK)
		return a.Text(t, "sessionId"), trips.Take()
	}
	session, _ := ask(object{"question": "How long is the warranty?"}) // reads the key and the statistics
	e.Keys.Wait(t.Context())
	_, first := ask(object{"question": "How long is the warranty?"})
	require.Equal(t, []string{"RateLimitTake", "ExchangeOpen+ChunkSearch", "ExchangeStore"}, first)
	_, second := ask(object{"question": "And in months?", "sessionId": session})
	require.Equal(t, []string{"RateLimitTake", "ExchangeOpen", "ChunkSearch", "ExchangeStore"}, second)
}
