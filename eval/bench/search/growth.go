package search

import (
	"context"
	"errors"
	"fmt"
	"time"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/report"
)

// The targets of P12.
const (
	maxGrowthOfAll     = 1.5 // how many times as long a search may take when the installation has its last size
	maxGrowthOfProject = 5.  // the same when one project has its last size
)

const (
	growthFirst  = 10_000 // chunks
	smallProject = 500    // chunks
)

// Growth is P12: what a search in one project costs while other projects are added, and while the project itself grows.
func Growth(ctx context.Context, h *harness.Harness) (rows []report.Row, err error) {
	in, err := install(ctx, h, "growth")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.close(ctx)) }()
	last := max(h.Chunks, growthFirst)
	g := &growth{installation: in}
	ofAll, err := g.others(ctx, []int{growthFirst, last})
	if err != nil {
		return nil, err
	}
	ofProject, err := g.one(ctx, []int{growthFirst, max(growthFirst, last/10), last})
	if err != nil {
		return nil, err
	}
	return append(g.rows,
		report.Figure("P12", fmt.Sprintf("%d to %d chunks in all, same project", growthFirst, last), "times", ofAll).AtMost(maxGrowthOfAll),
		report.Figure("P12", fmt.Sprintf("one project from %d to %d chunks", growthFirst, last), "times", ofProject).AtMost(maxGrowthOfProject)), nil
}

type growth struct {
	*installation

	paragraphs uint64 // how many were made
	rows       []report.Row
}

func (g *growth) text(int) string {
	g.paragraphs++
	return harness.Paragraph(g.paragraphs)
}

// others measures a small project while projects of the same size are added until the installation has each of the sizes. It returns
// how many times as long a search takes at the last size as at the first.
func (g *growth) others(ctx context.Context, sizes []int) (float64, error) {
	same, err := g.small(ctx)
	if err != nil {
		return 0, err
	}
	var p50s []float64
	total := smallProject
	for _, size := range sizes {
		g.h.Progress("storing chunks of other projects, up to %d", size)
		for ; total < size; total += smallProject {
			if _, err := g.small(ctx); err != nil {
				return 0, err
			}
		}
		p50, err := g.searchTime(ctx, same)
		if err != nil {
			return 0, err
		}
		p50s = append(p50s, p50)
		g.rows = append(g.rows, report.Figure("P12", fmt.Sprintf("hybrid p50, a project of %d chunks, %d in all", smallProject, total), "ms", p50))
	}
	return p50s[len(p50s)-1] / p50s[0], nil
}

func (g *growth) small(ctx context.Context) (*collection, error) {
	c, err := g.loader.newCollection(ctx)
	if err != nil {
		return nil, err
	}
	return c, c.add(ctx, smallProject, g.text)
}

// one measures one project while it grows to each of the sizes. It returns the same as others.
func (g *growth) one(ctx context.Context, sizes []int) (float64, error) {
	c, err := g.loader.newCollection(ctx)
	if err != nil {
		return 0, err
	}
	var p50s []float64
	for _, size := range sizes {
		g.h.Progress("storing chunks of one project, up to %d", size)
		if err := c.add(ctx, size-c.chunks, g.text); err != nil {
			return 0, err
		}
		p50, err := g.searchTime(ctx, c)
		if err != nil {
			return 0, err
		}
		p50s = append(p50s, p50)
		g.rows = append(g.rows, report.Figure("P12", fmt.Sprintf("hybrid p50, one project of %d chunks", size), "ms", p50))
	}
	return p50s[len(p50s)-1] / p50s[0], nil
}

// searchTime returns the median time of a hybrid search in c, in milliseconds.
func (g *growth) searchTime(ctx context.Context, c *collection) (float64, error) {
	if err := g.loader.finish(ctx); err != nil {
		return 0, err
	}
	find := newSearcher(g.Server, c.project, "hybrid")
	took, err := g.h.InTurns(ctx, max(g.h.Rounds/3, harness.WarmUp), []harness.Step{{Name: "search", Do: func(ctx context.Context, i int) (time.Duration, error) {
		return 0, find.searchInMode(ctx, harness.Question(i))
	}}})
	return report.Quantile(took["search"], .5), err
}
