package search_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/clock"
	"docqa/internal/search"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/testkit/factory"
)

// wordCounter is a reranking model that scores a text by how often it holds a word.
type wordCounter struct {
	word  string
	fails error
	seen  *[]string
}

func (wordCounter) Model() string { return "counter@1" }

func (j wordCounter) Score(_ context.Context, question string, texts []string) ([]float64, error) {
	*j.seen = append(*j.seen, question)
	scores := make([]float64, len(texts))
	for i, text := range texts {
		scores[i] = 1 - 1/float64(1+strings.Count(strings.ToLower(text), j.word))
	}
	return scores, j.fails
}

func TestService_Search_reranked(t *testing.T) {
	t.Parallel()
	s := dbtest.New(t)
	ten := corpus(t, s)
	factory.Document(t, s, ten, ten.Project.ProjectID, "postage.txt", "Postage of goods: postage within the country, postage abroad.")
	factory.Reindex(t, s, ten, ten.Project.ProjectID, factory.Epoch())
	const text = "How many days may goods be returned?"
	find := func(t *testing.T, r search.Reranker, q search.Query) (search.Result, *search.Service) {
		t.Helper()
		svc := search.New(search.Deps{Store: s, Clock: clock.System(), Reranker: r})
		q.TopK, q.Rerank = 10, true
		res, err := svc.Search(ten.Context(t.Context()), ten.CompanyID, ten.Project.ProjectID, q)
		require.NoError(t, err)
		require.Greater(t, len(res.Passages), 1)
		return res, svc
	}
	t.Run("the model's scores are the order", func(t *testing.T) {
		t.Parallel()
		var seen []string
		res, svc := find(t, wordCounter{word: "postage", seen: &seen}, search.Query{Text: text, History: []string{"I ask about a bicycle."}})
		require.Equal(t, "counter@1", svc.RerankModel())
		require.True(t, res.Reranked)
		require.Equal(t, "postage", res.Passages[0].Title)
		require.InDelta(t, 0.8, *res.Passages[0].RerankScore, 1e-9, "title and body")
		require.True(t, slices.IsSortedFunc(res.Passages, func(a, b search.Passage) int { return cmpScores(b, a) }))
		require.Equal(t, []string{text + "\nI ask about a bicycle."}, seen)
	})
	t.Run("if the model fails, the features order, and the result says so", func(t *testing.T) {
		t.Parallel()
		var seen []string
		res, _ := find(t, wordCounter{word: "postage", seen: &seen, fails: errors.New("out of memory")}, search.Query{Text: text})
		require.False(t, res.Reranked)
		require.Equal(t, returns, res.Passages[0].Body)
		require.Nil(t, res.Passages[0].RerankScore)
	})
	t.Run("without a model the features order", func(t *testing.T) {
		t.Parallel()
		res, svc := find(t, nil, search.Query{Text: text})
		require.Empty(t, svc.RerankModel())
		require.True(t, res.Reranked)
		require.Equal(t, returns, res.Passages[0].Body)
	})
	t.Run("Reranking is called before reranking begins", func(t *testing.T) {
		t.Parallel()
		calls := 0
		find(t, nil, search.Query{Text: text, Reranking: func() { calls++ }})
		require.Equal(t, 1, calls)
	})
}
