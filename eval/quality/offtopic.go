package quality

import (
	"context"

	"docqa/eval/dataset"
)

// maxOffTopic is how many questions of each other set a collection is asked at most.
const maxOffTopic = 100

// offTopicQuestion is a question of another set.
type offTopicQuestion struct {
	*dataset.Question
	from string
}

// offTopic asks each collection the questions of all other sets that are about something else.
func (r *runner) offTopic(ctx context.Context, list []*collection) error {
	for _, c := range list {
		questions := r.offTopicQuestions(c.set.Name)
		asks := make([]Ask, len(questions))
		err := r.each(ctx, c.set.Name+": asked off topic", len(questions), func(ctx context.Context, i int) error {
			q := questions[i].Question
			got, err := c.ask(ctx, q)
			if err != nil {
				return err
			}
			asks[i] = scoreReply(q, got, c.sources, c.files)
			asks[i].bestScore = best(c.ranking.Search(query(q), 1))
			return nil
		})
		if err != nil {
			return err
		}
		for i, q := range questions {
			c.report.Foreign[q.from] = append(c.report.Foreign[q.from], asks[i])
		}
	}
	return nil
}

// offTopicQuestions are questions of the other sets for the set called name.
func (r *runner) offTopicQuestions(name string) []offTopicQuestion {
	limit := maxOffTopic
	if r.opts.Limit > 0 {
		limit = min(limit, r.opts.Limit)
	}
	var list []offTopicQuestion
	for _, pool := range dataset.Pools(r.all, name) {
		questions := dataset.Sample(pool.Questions, limit)
		for i := range questions {
			list = append(list, offTopicQuestion{&questions[i], pool.Set})
		}
	}
	return list
}
