package bench

import (
	"context"
	"fmt"
	"time"
)

// The figures of P12.
const (
	growthAll     = 1.5 // times, the whole from its first size to its last
	growthOne     = 5.  // times, one project
	growthFirst   = 10_000
	growthProject = 500
)

// growth is P12: what a search of one project costs while others come, and while the project itself grows.
func (b *bench) growth(ctx context.Context) (rows []Row, err error) {
	up, base, err := b.upstream(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = up.stop() }()
	h, err := b.open(ctx, "growth", "EMBEDDINGS=openai:"+base+"#"+stockModel)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.close(ctx, "growth") }()
	s, err := b.stocked(ctx, h, true)
	if err != nil {
		return nil, err
	}
	seed := uint64(0)
	text := func(int) string { seed++; return paragraph(seed) }
	same, err := s.project(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.add(ctx, s.begin(same), growthProject, text); err != nil {
		return nil, err
	}
	most := max(b.opts.Chunks, growthFirst)
	var of, in []float64
	sizes := []int{growthFirst, most}
	total := growthProject
	for _, size := range sizes {
		b.say("storing passages of other projects, up to %d", size)
		for ; total < size; total += growthProject {
			other, err := s.project(ctx)
			if err != nil {
				return nil, err
			}
			if err := s.add(ctx, s.begin(other), growthProject, text); err != nil {
				return nil, err
			}
		}
		p50, err := b.searched(ctx, s, h.searcher(same, "hybrid"))
		if err != nil {
			return nil, err
		}
		of = append(of, p50)
		rows = append(rows, figure("P12", fmt.Sprintf("hybrid p50, a project of %d chunks, %d in all", growthProject, total), "ms", p50))
	}
	one, err := s.project(ctx)
	if err != nil {
		return nil, err
	}
	grown := s.begin(one)
	for _, size := range []int{growthFirst, max(growthFirst, most/10), most} {
		b.say("storing passages of one project, up to %d", size)
		if err := s.add(ctx, grown, size-grown.chunks, text); err != nil {
			return nil, err
		}
		p50, err := b.searched(ctx, s, h.searcher(one, "hybrid"))
		if err != nil {
			return nil, err
		}
		in = append(in, p50)
		rows = append(rows, figure("P12", fmt.Sprintf("hybrid p50, one project of %d chunks", size), "ms", p50))
	}
	of0, in0 := of[len(of)-1]/of[0], in[len(in)-1]/in[0]
	return append(rows,
		figure("P12", fmt.Sprintf("%d to %d chunks in all, same project", sizes[0], most), "times", of0).atMost(growthAll),
		figure("P12", fmt.Sprintf("one project from %d to %d chunks", growthFirst, most), "times", in0).atMost(growthOne)), nil
}

// searched is the median time of a search, in milliseconds.
func (b *bench) searched(ctx context.Context, s *stock, find searcher) (float64, error) {
	if err := s.settle(ctx); err != nil {
		return 0, err
	}
	took, err := b.rounds(ctx, max(b.opts.Rounds/3, warmUp), []step{{"search", func(ctx context.Context, i int) (time.Duration, error) {
		_, mode, err := find.ids(ctx, question(i))
		if err == nil && mode != find.mode {
			err = fmt.Errorf("the search was answered in the mode %s", mode)
		}
		return 0, err
	}}})
	return quantile(took["search"], .5), err
}
