package quality

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"docqa/eval/dataset"
	"docqa/eval/score"
	"docqa/eval/textbook"
)

// collection is a set's documents in the service, with what judges the answers.
type collection struct {
	*project
	set     *dataset.Set
	sources map[string]*score.Source // texts of the documents, by name
	book    *textbook.Index
	report  *SetReport
}

// measure uploads the set's documents and asks the set's questions about them.
func (r *runner) measure(ctx context.Context, set *dataset.Set) (*collection, error) {
	owner, err := r.dev.Owner(ctx)
	if err != nil {
		return nil, err
	}
	c := &collection{set: set, report: &SetReport{Set: set.Name, Language: set.Language, Documents: len(set.Documents), Foreign: map[string][]Ask{}}}
	if c.project, err = r.newProject(ctx, owner, set.Name); err != nil {
		return nil, err
	}
	began := r.opts.Clock.Now()
	if err := r.ingest(ctx, owner, c.project, set); err != nil {
		return nil, err
	}
	c.report.IngestSeconds = r.opts.Clock.Now().Sub(began).Seconds()
	r.done("%s: %d documents in %.1f s", set.Name, len(set.Documents), c.report.IngestSeconds)
	c.sources = make(map[string]*score.Source, len(set.Documents))
	for i := range set.Documents {
		d := &set.Documents[i]
		if c.sources[d.Name], err = read(ctx, d); err != nil {
			return nil, err
		}
	}
	c.book = textbook.New(units(set, c.sources), set.Language)
	questions := dataset.Sample(set.Questions, r.opts.Limit)
	c.report.Questions = make([]Record, len(questions))
	if err := r.retrieval(ctx, c, questions); err != nil {
		return nil, err
	}
	return c, r.answers(ctx, c, questions)
}

// each calls do for 0 to n-1, some at once, and stops at the first error.
func (r *runner) each(ctx context.Context, what string, n int, do func(context.Context, int) error) error {
	began := r.opts.Clock.Now()
	var finished atomic.Int64
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.Parallel)
	for i := range n {
		group.Go(func() error {
			err := do(within, i)
			r.progress("%s %d of %d", what, finished.Add(1), n)
			return err
		})
	}
	err := group.Wait()
	r.done("%s %d in %.1f s", what, finished.Load(), r.opts.Clock.Now().Sub(began).Seconds())
	return err
}

// retrieval asks the service's search, with and without its reranking, and the textbook for the same questions.
func (r *runner) retrieval(ctx context.Context, c *collection, questions []dataset.Question) error {
	took := make([]float64, len(questions))
	err := r.each(ctx, c.set.Name+": searched", len(questions), func(ctx context.Context, i int) error {
		q, into := &questions[i], &c.report.Questions[i]
		into.ID, into.Answerable, into.Located = q.ID, q.Answerable, len(q.Gold) > 0
		textbook := c.book.Search(query(q), topK)
		into.Textbook, into.BestScore = score.Judge(q, c.set.PageSlack, topK, textbook), best(textbook)
		if !into.Located {
			return nil
		}
		began := r.opts.Clock.Now()
		found, mode, err := c.search(ctx, q, false)
		if err != nil {
			return err
		}
		took[i] = milliseconds(r.opts.Clock.Now().Sub(began))
		r.sawMode(mode)
		into.Plain, into.Coverage = score.Judge(q, c.set.PageSlack, topK, found), score.BestCoverage(q, found[:min(5, len(found))])
		if found, _, err = c.search(ctx, q, true); err != nil {
			return err
		}
		into.Reranked = score.Judge(q, c.set.PageSlack, topK, found)
		return nil
	})
	c.report.SearchMS = latency(slices.DeleteFunc(took, func(ms float64) bool { return ms == 0 }))
	return err
}

func best(found []score.Passage) float64 {
	if len(found) == 0 {
		return 0
	}
	return found[0].Score
}

// answers asks the chat every question and judges what it says.
func (r *runner) answers(ctx context.Context, c *collection, questions []dataset.Question) error {
	took := make([]float64, len(questions))
	err := r.each(ctx, c.set.Name+": asked", len(questions), func(ctx context.Context, i int) error {
		began := r.opts.Clock.Now()
		got, err := c.ask(ctx, &questions[i])
		if err != nil {
			return err
		}
		took[i] = milliseconds(r.opts.Clock.Now().Sub(began)) / float64(1+len(questions[i].History))
		c.report.Questions[i].Ask = judge(&questions[i], got, c.sources, c.files)
		return nil
	})
	c.report.ChatMS = latency(took)
	return err
}

// units are what the textbook ranks: the data's own paragraphs, or the pages.
func units(set *dataset.Set, sources map[string]*score.Source) []textbook.Unit {
	var list []textbook.Unit
	for _, p := range set.Passages {
		list = append(list, textbook.Unit{File: p.File, Text: p.Text})
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
			list = append(list, textbook.Unit{File: name, Page: number, Text: page})
		}
	}
	return list
}

func latency(took []float64) Latency {
	sorted := slices.Sorted(slices.Values(took))
	return Latency{P50: score.Quantile(sorted, .5), P95: score.Quantile(sorted, .95)}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
