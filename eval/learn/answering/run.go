package answering

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"docqa/eval/learn/lab"
	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
)

// Options say what to learn from.
type Options struct {
	Name   string // of the models: answer.Vectors, Words or Others
	Sets   []string
	Leave  bool   // judge each set by models that saw nothing of it, too
	Folder string // where the models are written; empty: nowhere
	Out    io.Writer
}

// Learn learns the models of answers, prints what they are worth on documents that they
// did not see, and writes them.
func Learn(ctx context.Context, l *lab.Lab, o Options) error {
	s := &sheet{words: o.Name != answer.Vectors}
	for _, name := range o.Sets {
		list, err := collect(ctx, l, name, o.Name == answer.Words)
		if err != nil {
			return err
		}
		s.examples = append(s.examples, list...)
	}
	arrange(s.examples)
	o.Sets = slices.DeleteFunc(slices.Clone(o.Sets), func(name string) bool {
		mine := func(e example) bool { return e.set == name }
		if telling(slices.DeleteFunc(slices.Clone(s.examples), func(e example) bool { return !mine(e) })) {
			return false
		}
		_, _ = fmt.Fprintf(o.Out, "%s is left out: most of its questions find nothing\n", name)
		s.examples = slices.DeleteFunc(s.examples, mine)
		return true
	})
	blank := models{choose: &forest.Model{}}
	s.read(func(*example) models { return blank })
	s.label()
	var by [folds]models
	for k := range by {
		by[k].choose = s.choice(func(e *example) bool { return e.fold() != k })
	}
	s.read(func(e *example) models { return by[e.fold()] })
	for k := range by {
		by[k].judge = s.judgement(func(e *example) bool { return e.fold() != k })
	}
	across := s.outcomes(func(e *example) models { return by[e.fold()] })
	threshold := threshold(o.Sets, across)
	report(o.Out, "across documents", o.Sets, across, threshold)
	if err := s.write(o, threshold); err != nil {
		return err
	}
	if o.Leave {
		s.leave(o, threshold)
	}
	return nil
}

// telling tells whether the search finds what a set's own questions ask for, mostly:
// what it does not find says nothing about answers.
func telling(list []example) bool {
	n, found := 0, 0
	for i := range list {
		if list[i].kind == own {
			n++
			if slices.Contains(list[i].hit, true) {
				found++
			}
		}
	}
	return 2*found > n
}

// leave judges each set by models that saw nothing of it.
func (s *sheet) leave(o Options, threshold float64) {
	by := map[string]models{}
	for _, name := range o.Sets {
		other := func(e *example) bool { return e.set != name }
		by[name] = models{choose: s.choice(other), judge: s.judgement(other)}
	}
	report(o.Out, "sets left out", o.Sets, s.outcomes(func(e *example) models { return by[e.set] }), threshold)
}

// write writes the models of all examples.
func (s *sheet) write(o Options, threshold float64) error {
	if o.Folder == "" {
		return nil
	}
	all := func(*example) bool { return true }
	data, err := json.MarshalIndent(map[string]any{"choose": s.choice(all), "judge": s.judgement(all), "threshold": threshold}, "", " ")
	if err != nil {
		return fmt.Errorf("encode the models of answers: %w", err)
	}
	if err := os.WriteFile(filepath.Join(o.Folder, o.Name+".json"), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the models of answers: %w", err)
	}
	return nil
}

// answered is the share of a set's own questions, on the average of the sets, that is to
// be answered.
const answered = .97

// threshold is the greatest confidence, in hundredths, that lets that share pass.
func threshold(names []string, list []outcome) float64 {
	for percent := 50; percent > 1; percent-- {
		if t := float64(percent) / 100; passed(names, list, t) >= answered {
			return t
		}
	}
	return .01
}

// passed is the share of own questions that a threshold lets pass, on the average of the
// sets.
func passed(names []string, list []outcome, t float64) float64 {
	sum, sets := 0.0, 0.0
	for _, name := range names {
		n, over := 0.0, 0.0
		for i := range list {
			if o := &list[i]; o.set == name && o.kind == own {
				n++
				if o.confidence >= t {
					over++
				}
			}
		}
		if n > 0 {
			sum, sets = sum+over/n, sets+1
		}
	}
	return sum / max(sets, 1)
}
