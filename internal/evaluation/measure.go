package evaluation

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/score"
	"docqa/internal/evaluation/textbook"
)

// each calls do for 0 to n-1, some at once, and stops at the first error.
func (r *runner) each(ctx context.Context, what string, n int, do func(context.Context, int) error) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.Parallel)
	for i := range n {
		group.Go(func() error {
			if i%50 == 0 {
				r.progress("%s %d of %d", what, i, n)
			}
			return do(within, i)
		})
	}
	return group.Wait()
}

// sample takes at most limit questions, evenly spread; 0 = all.
func sample(questions []dataset.Question, limit int) []dataset.Question {
	if limit <= 0 || len(questions) <= limit {
		return questions
	}
	list := make([]dataset.Question, limit)
	for i := range list {
		list[i] = questions[i*len(questions)/limit]
	}
	return list
}

// retrieval asks the service's search and the textbook for the same questions.
func (r *runner) retrieval(ctx context.Context, p *project, set *dataset.Set, sources map[string]*score.Source, into *SetReport) error {
	questions := slices.DeleteFunc(slices.Clone(sample(set.Questions, r.opts.Limit)), func(q dataset.Question) bool { return len(q.Gold) == 0 })
	book := textbook.New(units(set, sources), set.Language)
	ours, theirs, took := make([]int, len(questions)), make([]int, len(questions)), make([]float64, len(questions))
	err := r.each(ctx, set.Name+": searched", len(questions), func(ctx context.Context, i int) error {
		q := &questions[i]
		began := r.opts.Clock.Now()
		found, err := p.search(ctx, q)
		if err != nil {
			return err
		}
		took[i] = milliseconds(r.opts.Clock.Now().Sub(began))
		ours[i] = score.Rank(q, set.PageSlack, found)
		theirs[i] = score.Rank(q, set.PageSlack, book.Search(query(q), topK))
		return nil
	})
	into.Search, into.Textbook = hits(ours), hits(theirs)
	into.SearchMS = latency(took)
	return err
}

// units are what the textbook ranks: the data's own paragraphs, or the pages.
func units(set *dataset.Set, sources map[string]*score.Source) []textbook.Unit {
	var list []textbook.Unit
	for _, p := range set.Passages {
		list = append(list, textbook.Windows(p.File, 0, p.Text)...)
	}
	if len(set.Passages) > 0 {
		return list
	}
	for i := range set.Documents {
		name := set.Documents[i].Name
		text := sources[name]
		for n, page := range text.Pages {
			page, _, _ = strings.Cut(page, score.ReadingSeparator)
			number := 0
			if text.Paged {
				number = n + 1
			}
			list = append(list, textbook.Windows(name, number, page)...)
		}
	}
	return list
}

// answers asks the chat every question and judges what it says.
func (r *runner) answers(ctx context.Context, p *project, set *dataset.Set, sources map[string]*score.Source, into *SetReport) error {
	questions := sample(set.Questions, r.opts.Limit)
	judged, took := make([]judgement, len(questions)), make([]float64, len(questions))
	err := r.each(ctx, set.Name+": asked", len(questions), func(ctx context.Context, i int) error {
		began := r.opts.Clock.Now()
		got, err := p.ask(ctx, &questions[i])
		if err != nil {
			return err
		}
		took[i] = milliseconds(r.opts.Clock.Now().Sub(began)) / float64(1+len(questions[i].History))
		judged[i] = judge(&questions[i], got, sources, p.files)
		return nil
	})
	if err != nil {
		return err
	}
	foreign := r.foreign(set.Name)
	strangers := make([]judgement, len(foreign))
	err = r.each(ctx, set.Name+": asked off topic", len(foreign), func(ctx context.Context, i int) error {
		got, err := p.ask(ctx, &foreign[i])
		if err == nil {
			strangers[i] = judge(&foreign[i], got, sources, p.files)
		}
		return err
	})
	into.ChatMS = latency(took)
	into.conclude(questions, judged, strangers)
	return err
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
