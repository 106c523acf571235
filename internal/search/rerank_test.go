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

// judge finds that passages answer the better the more often they hold a word.
type judge struct {
	word  string
	fails error
	heard *[]string
}

func (judge) Model() string { return "judge@1" }

func (j judge) Score(_ context.Context, question string, texts []string) ([]float64, error) {
	*j.heard = append(*j.heard, question)
	scores := make([]float64, len(texts))
	for i, text := range texts {
		scores[i] = 1 - 1/float64(1+strings.Count(strings.ToLower(text), j.word))
	}
	return scores, j.fails
}

func TestService_Search_judged(t *testing.T) {
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
	t.Run("the model's judgement is the order", func(t *testing.T) {
		t.Parallel()
		var heard []string
		res, svc := find(t, judge{word: "postage", heard: &heard}, search.Query{Text: text, History: []string{"I ask about a bicycle."}})
		require.Equal(t, "judge@1", svc.RerankModel())
		require.True(t, res.Reranked)
		require.Equal(t, "postage", res.Passages[0].Title)
		require.InDelta(t, 0.8, *res.Passages[0].RerankScore, 1e-9, "title and body")
		require.True(t, slices.IsSortedFunc(res.Passages, func(a, b search.Passage) int { return cmpScores(b, a) }))
		require.Equal(t, []string{text + "\nI ask about a bicycle."}, heard)
	})
	t.Run("where it fails, the features are, and the answer says so", func(t *testing.T) {
		t.Parallel()
		var heard []string
		res, _ := find(t, judge{word: "postage", heard: &heard, fails: errors.New("out of memory")}, search.Query{Text: text})
		require.False(t, res.Reranked)
		require.Equal(t, returns, res.Passages[0].Body)
		require.Nil(t, res.Passages[0].RerankScore)
	})
	t.Run("without a model the features are", func(t *testing.T) {
		t.Parallel()
		res, svc := find(t, nil, search.Query{Text: text})
		require.Empty(t, svc.RerankModel())
		require.True(t, res.Reranked)
		require.Equal(t, returns, res.Passages[0].Body)
	})
	t.Run("it is told before it begins", func(t *testing.T) {
		t.Parallel()
		told := 0
		find(t, nil, search.Query{Text: text, Reranking: func() { told++ }})
		require.Equal(t, 1, told)
	})
}
