package chat

import (
	"cmp"
	"slices"

	"docqa/internal/engine/answer"
	"docqa/internal/platform/panics"
	"docqa/internal/provider/llm"
)

// maxFollowUps is how many questions are suggested.
const maxFollowUps = 3

// suggest looks for questions that the passages of a task answer too, while the answer is being
// written, so that nobody waits for them. The function that it returns gives those that are
// answered by something else than what the answer cites.
func suggest(t *Task) func(cited []llm.Citation) []string {
	question, words, passages, options := cmp.Or(t.Asked, t.Question), t.Words, evidence(t), answer.Options{Threshold: t.Threshold}
	found := make(chan []answer.Suggestion, 1)
	go func() {
		var list []answer.Suggestion
		_ = panics.Catch(func() error { // without suggestions the answer is still good
			c, err := composer()
			if err == nil {
				list = c.Suggest(question, words, passages, options)
			}
			return err
		})
		found <- list
	}()
	return func(cited []llm.Citation) []string {
		var out []string
		for _, s := range <-found {
			used := slices.ContainsFunc(cited, func(c llm.Citation) bool {
				return c.Passage == s.Passage+1 && (c.QuoteBegin < 0 || c.QuoteBegin < s.End && s.Begin < c.QuoteEnd)
			})
			if !used && len(out) < maxFollowUps {
				out = append(out, s.Question)
			}
		}
		return out
	}
}
