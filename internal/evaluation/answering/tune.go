package answering

import (
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"slices"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
	"docqa/internal/evaluation/fit"
	"docqa/internal/evaluation/lab"
)

// Tune is for trying.
func Tune(ctx context.Context, l *lab.Lab, names []string, words bool, w io.Writer) error {
	s := &sheet{words: words}
	if s.load(fmt.Sprint("/tmp/answers-", words, names)) {
		fmt.Fprintln(w, "loaded")
	} else {
		for _, name := range names {
			list, err := collect(ctx, l, name, words)
			if err != nil {
				return err
			}
			for _, e := range list {
				s.examples = append(s.examples, e)
			}
		}
		s.read(func(*example) *forest.Model { return &forest.Model{} })
		s.label()
		var choices [folds]*forest.Model
		for k := range folds {
			choices[k] = s.choice(func(e *example) bool { return e.fold() != k })
		}
		s.read(func(e *example) *forest.Model { return choices[e.fold()] })
		for i := range s.readings {
			s.readings[i].Features, s.readings[i].Texts = nil, nil
		}
		s.save(fmt.Sprint("/tmp/answers-", words, names))
	}
	for title, learn := range map[string]func(rows [][]float64, loss fit.Loss) *forest.Model{
		"linear 3": func(rows [][]float64, loss fit.Loss) *forest.Model {
			return fit.Weights(answer.Signs(), rows, loss, 3, 600)
		},
		"linear 30": func(rows [][]float64, loss fit.Loss) *forest.Model {
			return fit.Weights(answer.Signs(), rows, loss, 30, 600)
		},
		"both 150": func(rows [][]float64, loss fit.Loss) *forest.Model {
			return fit.Both(answer.Signs(), rows, loss, 30, 600, fit.Options{Trees: 150, Depth: 3, Rate: 0.05, Ridge: 10})
		},
		"trees 150": func(rows [][]float64, loss fit.Loss) *forest.Model {
			return fit.Trees(answer.Signs(), rows, loss, Judging)
		},
		"trees 300": func(rows [][]float64, loss fit.Loss) *forest.Model {
			return fit.Trees(answer.Signs(), rows, loss, fit.Options{Trees: 300, Depth: 4, Rate: 0.04, Ridge: 20, Columns: .4})
		},
	} {
		var m [folds]*forest.Model
		for k := range folds {
			m[k] = s.judge(func(e *example) bool { return e.fold() != k }, learn)
		}
		out := make([]outcome, len(s.examples))
		for i := range out {
			out[i].example = &s.examples[i]
			out[i].confidence = m[s.examples[i].fold()].Chance(s.readings[i].Signs)
		}
		report(w, title, out)
		if title == "linear 30" || title == "both 150" || title == "trees 150" {
			for _, name := range names {
				m := s.judge(func(e *example) bool { return e.set != name }, learn)
				for i := range out {
					if out[i].set == name {
						out[i].confidence = m.Chance(s.readings[i].Signs)
					}
				}
			}
			report(w, title+" left out", out)
		}
	}
	return nil
}

func (s *sheet) rows(learn func(e *example) bool) (rows [][]float64, labels []float64, groups []int) {
	for i := range s.examples {
		e := &s.examples[i]
		if e.kind != own || !learn(e) || slices.Max(append(s.labels[i], 0)) == 0 || slices.Min(append(s.labels[i], 1)) == 1 {
			continue
		}
		for n := range s.labels[i] {
			rows, labels, groups = append(rows, s.readings[i].Features[n]), append(labels, s.labels[i][n]), append(groups, i)
		}
	}
	return rows, labels, groups
}

type kept struct {
	Set, Group []string
	Kind       []kind
	Readings   []answer.Reading
	Labels     [][]float64
}

func (s *sheet) save(path string) {
	var k kept
	for _, e := range s.examples {
		k.Set, k.Group, k.Kind = append(k.Set, e.set), append(k.Group, e.group), append(k.Kind, e.kind)
	}
	k.Readings, k.Labels = s.readings, s.labels
	f, _ := os.Create(path)
	defer f.Close()
	if err := gob.NewEncoder(f).Encode(k); err != nil {
		panic(err)
	}
}

func (s *sheet) load(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var k kept
	if err := gob.NewDecoder(f).Decode(&k); err != nil {
		panic(err)
	}
	for i := range k.Set {
		s.examples = append(s.examples, example{set: k.Set[i], group: k.Group[i], kind: k.Kind[i]})
	}
	s.readings, s.labels = k.Readings, k.Labels
	return true
}
