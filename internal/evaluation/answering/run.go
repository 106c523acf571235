package answering

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"docqa/internal/engine/forest"
	"docqa/internal/evaluation/lab"
)

// Run is for trying.
func Run(ctx context.Context, l *lab.Lab, names []string, words, leave bool, w io.Writer) error {
	s := &sheet{words: words}
	for _, name := range names {
		list, err := collect(ctx, l, name, words)
		if err != nil {
			return err
		}
		s.examples = append(s.examples, list...)
	}
	fmt.Fprintln(w, "examples", len(s.examples))
	s.read(func(*example) *forest.Model { return &forest.Model{} })
	s.label()
	var choices, judgements [folds]*forest.Model
	each(folds*64, func(i int) {
		if i%64 == 0 {
			k := i / 64
			choices[k] = s.choice(func(e *example) bool { return e.fold() != k })
		}
	})
	s.read(func(e *example) *forest.Model { return choices[e.fold()] })
	for k := range folds {
		judgements[k] = s.judgement(func(e *example) bool { return e.fold() != k })
	}
	s.debug = func(e *example) *forest.Model { return choices[e.fold()] }
	s.ceilings(w)
	report(w, "cross-validated over documents", s.outcomes(func(e *example) (*forest.Model, *forest.Model) { return choices[e.fold()], judgements[e.fold()] }))
	if !leave {
		return nil
	}
	var out []outcome
	all := s.examples
	for _, name := range names {
		j := s.judgement(func(e *example) bool { return e.set != name })
		c := s.choice(func(e *example) bool { return e.set != name })
		part := s.outcomes(func(e *example) (*forest.Model, *forest.Model) {
			if e.set != name {
				return nil, nil
			}
			return c, j
		})
		for _, o := range part {
			if o.set == name {
				out = append(out, o)
			}
		}
	}
	_ = all
	report(w, "left out", out)
	return nil
}

func (s *sheet) ceilings(w io.Writer) {
	type c struct{ n, hit, any, top1, top3 float64 }
	by := map[string]*c{}
	for i := range s.examples {
		e := &s.examples[i]
		if e.kind != own {
			continue
		}
		if by[e.set] == nil {
			by[e.set] = &c{}
		}
		b := by[e.set]
		b.n++
		for _, h := range e.hit {
			if h {
				b.hit++
				break
			}
		}
		order := make([]int, len(s.labels[i]))
		for k := range order {
			order[k] = k
		}
		m := s.debug(e)
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(m.Score(s.readings[i].Features[b]), m.Score(s.readings[i].Features[a]))
		})
		for r, k := range order {
			if s.labels[i][k] > 0 {
				if r > 0 && e.set == os.Getenv("SHOW") && i%7 == 0 {
					fmt.Fprintf(w, "Q %s %v\n  r%d p%d %s\n  got p%d %s\n", e.question.Text, e.question.Answers[:1], r, s.readings[i].Passages[k], s.readings[i].Texts[k], s.readings[i].Passages[order[0]], s.readings[i].Texts[order[0]])
				}
				b.any++
				if r == 0 {
					b.top1++
				}
				if r < 3 {
					b.top3++
				}
				break
			}
		}
	}
	for set, b := range by {
		fmt.Fprintf(w, "%-14s hit %.3f any %.3f top1 %.3f top3 %.3f\n", set, b.hit/b.n, b.any/b.n, b.top1/b.n, b.top3/b.n)
	}
}
