package search_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

const (
	warranty = "The warranty lasts 24 months from the date of purchase. It covers faults in material and workmanship."
	delivery = "Delivery takes three working days within the country. Delivery to Iceland takes five working days."
	returns  = "Goods may be returned within 30 days. The customer pays the postage of a return."
)

func corpus(t *testing.T, s *store.Store) factory.Tenant {
	t.Helper()
	ten := factory.NewTenant(t, s, factory.TenantOpts{})
	factory.Document(t, s, ten, ten.Project.ProjectID, "warranty-terms.txt", warranty, "The workshop is open on weekdays.")
	factory.Document(t, s, ten, ten.Project.ProjectID, "delivery.txt", delivery)
	factory.Document(t, s, ten, ten.Project.ProjectID, "returns.txt", returns)
	factory.Reindex(t, s, ten, ten.Project.ProjectID, factory.Epoch())
	return ten
}

func TestService_Search(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	svc := search.New(search.Deps{Store: s, Clock: clock.System()})
	find := func(t *testing.T, q search.Query) search.Result {
		t.Helper()
		res, err := svc.Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID, q)
		require.NoError(t, err)
		return res
	}
	t.Run("the passage asked for comes first, verbatim and with its place", func(t *testing.T) {
		t.Parallel()
		res := find(t, search.Query{Text: "How long is the warranty?", TopK: 10})
		p := res.Passages[0]
		require.Equal(t, warranty, p.Body)
		require.Equal(t, "warranty terms", p.Title)
		require.Equal(t, "warranty-terms.txt", p.Filename)
		require.Equal(t, int32(1), *p.Page)
		require.Equal(t, int32(0), p.Start)
		require.Equal(t, int32(len(warranty)), p.End)
		require.Greater(t, p.Score, 0.2)
		require.LessOrEqual(t, p.Score, 1.0)
	})
	t.Run("a file without pages has none", func(t *testing.T) {
		t.Parallel()
		require.Nil(t, find(t, search.Query{Text: "Iceland", TopK: 1}).Passages[0].Page)
	})
	t.Run("topK bounds the passages", func(t *testing.T) {
		t.Parallel()
		require.Len(t, find(t, search.Query{Text: "days delivery warranty goods", TopK: 2}).Passages, 2)
	})
	t.Run("the threshold leaves out what scores less", func(t *testing.T) {
		t.Parallel()
		all := find(t, search.Query{Text: "delivery to Iceland days", TopK: 10}).Passages
		require.Greater(t, len(all), 1)
		least := all[len(all)-1].Score
		few := find(t, search.Query{Text: "delivery to Iceland days", TopK: 10, Threshold: least + 1e-9}).Passages
		require.Less(t, len(few), len(all))
	})
	t.Run("earlier turns decide where the question alone does not", func(t *testing.T) {
		t.Parallel()
		res := find(t, search.Query{Text: "How many days?", History: []string{"I bought goods, can I return them?"}, TopK: 10})
		require.Equal(t, returns, res.Passages[0].Body)
		res = find(t, search.Query{Text: "How many days?", History: []string{"Do you offer delivery to Iceland?"}, TopK: 10})
		require.Equal(t, delivery, res.Passages[0].Body)
	})
	for _, text := range []string{"the of and", "?!", "zzyzx", ""} {
		t.Run(fmt.Sprintf("nothing is found for %q", text), func(t *testing.T) {
			t.Parallel()
			require.Empty(t, find(t, search.Query{Text: text, TopK: 10}).Passages)
		})
	}
	t.Run("a filter leaves nothing, since no document carries metadata", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, find(t, search.Query{Text: "warranty", TopK: 10, Filters: map[string]any{"lang": "en"}}).Passages)
	})
}

func TestService_Search_standsVerbatim(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := factory.NewTenant(t, s, factory.TenantOpts{})
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "Die Prüfung Nummer %d dauert länger als geplant und kostet %d Euro. ", i, 7*i)
		if i%7 == 6 {
			text.WriteString("\n\n")
		}
	}
	factory.Document(t, s, ten, ten.Project.ProjectID, "prüfungen.txt", text.String())
	factory.Reindex(t, s, ten, ten.Project.ProjectID, factory.Epoch())
	res, err := search.New(search.Deps{Store: s, Clock: clock.System()}).Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID,
		search.Query{Text: "Wie lange dauert die Prüfung Nummer 20?", TopK: 10})
	require.NoError(t, err)
	runes, longest := []rune(text.String()), 0
	for _, p := range res.Passages {
		require.Equal(t, strings.Fields(string(runes[p.Start:p.End])), strings.Fields(p.Body))
		longest = max(longest, len(strings.Fields(p.Body)))
	}
	require.Greater(t, longest, 200, "neighbours are joined")
	require.NotEmpty(t, res.Highlights(&res.Passages[0]))
	for _, h := range res.Highlights(&res.Passages[0]) {
		require.Contains(t, []string{"dauert", "länger", "Prüfung", "Nummer", "20"}, string([]rune(res.Passages[0].Body)[h.Start:h.End]))
	}
}

func TestService_Search_seesNewDocuments(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := factory.NewTenant(t, s, factory.TenantOpts{})
	svc := search.New(search.Deps{Store: s, Clock: clock.System()})
	find := func() []search.Passage {
		res, err := svc.Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID, search.Query{Text: "Iceland oder Garantie", TopK: 10})
		require.NoError(t, err)
		return res.Passages
	}
	require.Empty(t, find(), "nothing was ingested yet")
	factory.Document(t, s, ten, ten.Project.ProjectID, "delivery.txt", delivery)
	factory.Reindex(t, s, ten, ten.Project.ProjectID, factory.Epoch())
	before := find()
	require.Len(t, before, 1)
	for range 4 {
		factory.Document(t, s, ten, ten.Project.ProjectID, "garantie.txt", "Die Garantie gilt für zwei Jahre ab dem Kauf der Ware und nicht für den Verschleiß.")
	}
	factory.Reindex(t, s, ten, ten.Project.ProjectID, factory.Epoch().Add(time.Second))
	after := find()
	require.Len(t, after, 5)
	require.Equal(t, delivery, after[0].Body, "the rarer word decides once the new statistics are in force")
	require.NotEqual(t, before[0].Lexical, after[0].Lexical)
}

func TestService_Search_ofAnotherCompany(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	other := factory.NewTenant(t, s, factory.TenantOpts{})
	svc := search.New(search.Deps{Store: s, Clock: clock.System()})
	res, err := svc.Search(other.Context(t.Context()), other.CompanyID, ten.Project.ProjectID, search.Query{Text: "warranty", TopK: 10})
	require.NoError(t, err)
	require.Empty(t, res.Passages)
}

func TestService_Health(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	svc := search.New(search.Deps{Store: s, Clock: clock.System()})
	want := search.Health{Database: "ok", VectorIndex: "ok", Embeddings: "disabled", Queue: "ok"}
	require.Equal(t, want, svc.Health(t.Context()))
	require.True(t, want.OK())
	s.Close()
	down := svc.Health(t.Context())
	require.Equal(t, "failed", down.Database)
	require.False(t, down.OK())
}

func TestService_Search_roundTrips(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	svc := search.New(search.Deps{Store: s, Clock: clock.System()})
	for _, tt := range []struct {
		name, text string
		want       int64
	}{
		{"the first search reads the statistics", "What is the warranty?", 2},
		{"the first unknown word reads the words of the project", "How long is the warranty?", 2},
		{"the next one has them", "How long is the warranty?", 1},
		{"no hit asks whether they are in force", "Which planets have rings?", 2},
	} {
		before := s.Pool().Stat().AcquireCount()
		_, err := svc.Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID, search.Query{Text: tt.text, TopK: 8})
		require.NoError(t, err)
		require.Equal(t, tt.want, s.Pool().Stat().AcquireCount()-before, tt.name)
	}
}
