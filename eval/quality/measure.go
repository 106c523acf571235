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

// collection is a set whose documents are in the service, with what its answers are compared with.
type collection struct {
	*project
	set     *dataset.Set
	sources map[string]*score.Source // texts of the documents, by name
	ranking *textbook.Index          // the textbook's
	report  *SetReport
}

// measure uploads the documents of the set, searches for its questions and asks them.
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
	c.ranking = textbook.OfSet(set, func(name string) []textbook.Unit { return pages(name, c.sources[name]) })
	questions := dataset.Sample(set.Questions, r.opts.Limit)
	c.report.Questions = make([]Record, len(questions))
	if err := r.searches(ctx, c, questions); err != nil {
		return nil, err
	}
	return c, r.answers(ctx, c, questions)
}

// each calls do for 0 to n-1, some at the same time, and stops at the first error.
func (r *runner) each(ctx context.Context, what string, n int, do func(context.Context, int) error) error {
	began := r.opts.Clock.Now()
	var finished atomic.Int64
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(r.opts.Parallel)
	for i := range n {
		group.Go(func() error {
			err := do(groupCtx, i)
			r.progress("%s %d of %d", what, finished.Add(1), n)
			return err
		})
	}
	err := group.Wait()
	r.done("%s %d in %.1f s", what, finished.Load(), r.opts.Clock.Now().Sub(began).Seconds())
	return err
}

// searches sends each question to the service's search, with and without reranking, and to the textbook's ranking.
func (r *runner) searches(ctx context.Context, c *collection, questions []dataset.Question) error {
	took := make([]float64, len(questions))
	err := r.each(ctx, c.set.Name+": searched", len(questions), func(ctx context.Context, i int) error {
		q, into := &questions[i], &c.report.Questions[i]
		into.ID, into.Answerable, into.Located = q.ID, q.Answerable, len(q.Gold) > 0
		textbook := c.ranking.Search(query(q), topK)
		into.Textbook, into.BestScore = score.Evaluate(q, c.set.PageSlack, topK, textbook), best(textbook)
		if !into.Located {
			return nil
		}
		began := r.opts.Clock.Now()
		found, mode, err := c.search(ctx, q, false)
		if err != nil {
			return err
		}
		took[i] = milliseconds(r.opts.Clock.Now().Sub(began))
		r.noteMode(mode)
		into.Plain, into.Coverage = score.Evaluate(q, c.set.PageSlack, topK, found), score.BestCoverage(q, found[:min(5, len(found))])
		if found, _, err = c.search(ctx, q, true); err != nil {
			return err
		}
		into.Reranked = score.Evaluate(q, c.set.PageSlack, topK, found)
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

// answers asks the chat each question and scores the reply.
func (r *runner) answers(ctx context.Context, c *collection, questions []dataset.Question) error {
	took := make([]float64, len(questions))
	err := r.each(ctx, c.set.Name+": asked", len(questions), func(ctx context.Context, i int) error {
		began := r.opts.Clock.Now()
		got, err := c.ask(ctx, &questions[i])
		if err != nil {
			return err
		}
		took[i] = milliseconds(r.opts.Clock.Now().Sub(began)) / float64(1+len(questions[i].History))
		c.report.Questions[i].Ask = scoreReply(&questions[i], got, c.sources, c.files)
		return nil
	})
	c.report.ChatMS = latency(took)
	return err
}

// pages are the pages of a document as units of the textbook's ranking.
func pages(name string, text *score.Source) []textbook.Unit {
	list := make([]textbook.Unit, len(text.Pages))
	for n, page := range text.Pages {
		page, _, _ = strings.Cut(page, score.ReadingSeparator)
		list[n] = textbook.Unit{File: name, Text: page}
		if text.Paged {
			list[n].Page = n + 1
		}
	}
	return list
}

func latency(took []float64) Latency {
	sorted := slices.Sorted(slices.Values(took))
	return Latency{P50: score.Quantile(sorted, .5), P95: score.Quantile(sorted, .95)}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
