package search_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

func TestService_Search_misspelt(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	other := factory.NewTenant(t, s, factory.TenantOpts{})
	factory.Document(t, s, other, other.Project.ProjectID, "secret.txt", "The quetzalium valve opens at seventeen bar. The workshop stays.")
	factory.Reindex(t, s, other, other.Project.ProjectID, factory.Epoch())
	svc := search.New(search.Deps{Store: s, Clock: clock.System()})
	find := func(t *testing.T, ten factory.Tenant, text string) search.Result {
		t.Helper()
		res, err := svc.Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID, search.Query{Text: text, TopK: 5})
		require.NoError(t, err)
		return res
	}
	for typed, want := range map[string]string{
		"warrenty": "warranty", "How long is the waranty?": "How long is the warranty?", "Delivry to Icelnad": "Delivery to Iceland",
	} {
		res := find(t, ten, typed)
		require.Equal(t, want, res.Text)
		require.NotEmpty(t, res.Passages, typed)
		require.NotEmpty(t, res.Highlights(&res.Passages[0]), "the corrected words are marked")
	}
	for _, typed := range []string{"quetzalum", "How long is the warranty?", "workmenship or workmanship"} {
		res := find(t, ten, typed)
		require.Contains(t, []string{typed, "workmanship or workmanship"}, res.Text)
	}
	require.Empty(t, find(t, ten, "quetzalum").Passages, "the word is another company's")
	require.Equal(t, "quetzalium", find(t, other, "quetzalum").Text)

	began := time.Now()
	find(t, ten, strings.Repeat("waranty delivry 质保 гарантий ضمانن ", 110))
	require.Less(t, time.Since(began), 5*time.Second)
}
