package questions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals"
	"docqa/eval/manuals/questions"
)

func TestQuestionsAreComplete(t *testing.T) {
	t.Parallel()
	sets, err := questions.All()
	require.NoError(t, err)
	for set, list := range sets {
		ids := map[string]bool{}
		for _, q := range list {
			require.NotEmpty(t, q.Question, q.ID)
			require.NotEmpty(t, q.Filename, q.ID)
			require.False(t, ids[q.ID], "%s is there twice in %s", q.ID, set)
			ids[q.ID] = true
			require.Contains(t, manuals.Kinds(), q.Kind, q.ID)
			require.Equal(t, q.Kind != manuals.Near && q.Kind != manuals.Far, q.Answerable, q.ID)
			require.Equal(t, q.Kind == manuals.Near, len(q.Absent) > 0, q.ID)
			require.Equal(t, q.Kind == manuals.FollowUp, len(q.History) > 0, q.ID)
			require.Equal(t, q.Kind == manuals.Language, q.Language != "", q.ID)
			require.Equal(t, q.Answerable, len(q.Facts) > 0 && q.Quote != "", q.ID)
		}
	}
}

// TestQuotesAnswer gives each quote as the reply: it must be complete and must not say the value of another entry.
func TestQuotesAnswer(t *testing.T) {
	t.Parallel()
	sets, err := questions.All()
	require.NoError(t, err)
	for _, list := range sets {
		for _, q := range list {
			if q.Answerable {
				score := manuals.ScoreOf(&q, &manuals.Reply{Text: q.Quote, Answered: true})
				require.True(t, score.Contains, "%s: the quote does not hold the first fact", q.ID)
				require.True(t, score.Complete || q.Kind == manuals.YesNo, "%s: the quote does not hold all facts", q.ID)
				require.False(t, score.OtherEntry, "%s: the quote says the value of another entry", q.ID)
			}
		}
	}
}
