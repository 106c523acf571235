package answering

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
	"docqa/internal/evaluation/lab"
)

// Options say what to learn from.
type Options struct {
	Name    string // of the models: one of answer.Kinds
	Sets    []string
	LeaveTo bool   // judge each set by models that saw nothing of it, too
	Folder  string // where the models are written; empty: nowhere
	Out     io.Writer
}

// Learn learns the models of answers, prints what they are worth on documents that they
// did not see, and writes them.
func Learn(ctx context.Context, l *lab.Lab, o Options) error {
	s := &sheet{words: o.Name != answer.Vectors}
	for _, name := range o.Sets {
		list, err := collect(ctx, l, name, s.words)
		if err != nil {
			return err
		}
		s.examples = append(s.examples, list...)
	}
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
	_, _ = fmt.Fprintln(o.Out, len(s.examples))
	report(o.Out, "across documents", o.Sets, across, threshold)
	if err := s.write(o, threshold); err != nil {
		return err
	}
	if o.LeaveTo {
		s.leave(o, threshold)
	}
	return nil
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

// answered is the least share of a set's own questions, on the average of the sets, that
// is to be answered.
const answered = .95

// threshold is the confidence, in hundredths, that parts a set's own questions from
// foreign ones best, on the average of the sets.
func threshold(names []string, list []outcome) float64 {
	best, most := .01, 0.0
	for percent := 1; percent <= 50; percent++ {
		t := float64(percent) / 100
		mine, strange := passed(names, list, own, t), passed(names, list, foreign, t)
		if mine >= answered && mine-strange > most {
			best, most = t, mine-strange
		}
	}
	return best
}

// passed is the share of one kind that a threshold lets pass, on the average of the sets.
func passed(names []string, list []outcome, k kind, t float64) float64 {
	sum, sets := 0.0, 0.0
	for _, name := range names {
		n, over := 0.0, 0.0
		for i := range list {
			if o := &list[i]; o.set == name && o.kind == k {
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
