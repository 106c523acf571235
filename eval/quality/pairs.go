package quality

import (
	"context"

	"docqa/eval/dataset"
)

// offTopicQuestions is how many questions of each other set a collection is asked.
const offTopicQuestions = 100

// stranger is a question of another set.
type stranger struct {
	*dataset.Question
	from string
}

// foreign asks every collection the questions of every other set that is not about the same things.
func (r *runner) foreign(ctx context.Context, list []*collection) error {
	for _, c := range list {
		questions := r.strangers(c.set.Name)
		asks := make([]Ask, len(questions))
		err := r.each(ctx, c.set.Name+": asked off topic", len(questions), func(ctx context.Context, i int) error {
			q := questions[i].Question
			got, err := c.ask(ctx, q)
			if err != nil {
				return err
			}
			asks[i] = judge(q, got, c.sources, c.files)
			asks[i].bestScore = best(c.book.Search(query(q), 1))
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

// strangers are questions of the other sets for the set called name.
func (r *runner) strangers(name string) []stranger {
	most := offTopicQuestions
	if r.opts.Limit > 0 {
		most = min(most, r.opts.Limit)
	}
	var list []stranger
	for _, pool := range dataset.Pools(r.all, name) {
		questions := dataset.Sample(pool.Questions, most)
		for i := range questions {
			list = append(list, stranger{&questions[i], pool.Set})
		}
	}
	return list
}
