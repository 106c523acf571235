package answering

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"docqa/eval/learn/corpora"
	"docqa/eval/learn/fit"
	"docqa/eval/provenance"
	"docqa/internal/engine/answer"
	"docqa/internal/engine/forest"
)

// Options say what to train on.
type Options struct {
	Name   string // of the models: answer.Vectors, answer.Words or answer.Others
	Sets   []string
	Leave  bool   // also test each set by models that were not trained on it
	Commit string // of the program, for the provenance of the models
	Folder string // where the models are written; empty = nowhere
	Out    io.Writer
}

// Learn trains the models of answers, prints how good they are on documents that they were not trained on, and writes them.
func Learn(ctx context.Context, l *corpora.Corpora, o Options) error {
	s := &training{keywords: o.Name != answer.Vectors}
	for _, name := range o.Sets {
		list, err := collect(ctx, l, name, o.Name == answer.Words)
		if err != nil {
			return err
		}
		s.examples = append(s.examples, slices.DeleteFunc(list, func(e example) bool { return provenance.Unseen(*e.question) })...)
	}
	setPassages(s.examples)
	s.dropUseless(&o)
	blank := models{choose: &forest.Model{}}
	s.computeFeatures(func(*example) models { return blank })
	s.label()
	var by [folds]models
	for k := range by {
		by[k].choose = s.trainChoice(func(e *example) bool { return e.fold() != k })
	}
	s.scale = s.temper(by[:])
	_, _ = fmt.Fprintf(o.Out, "scores are multiplied by %.2f\n", s.scale)
	s.computeFeatures(func(e *example) models { return by[e.fold()] })
	s.answerAll(func(e *example) models { return by[e.fold()] })
	for k := range by {
		by[k].confidence = s.trainConfidence(func(e *example) bool { return e.fold() != k })
	}
	s.slope, s.shift = s.calibrate(by[:])
	for k := range by {
		apply(by[k].confidence, s.slope, s.shift)
	}
	_, _ = fmt.Fprintf(o.Out, "confidences are multiplied by %.2f and moved by %.2f\n", s.slope, s.shift)
	across := s.outcomes(func(e *example) models { return by[e.fold()] })
	r := &results{sets: o.Sets, threshold: threshold(o.Sets, across)}
	r.print(o.Out, "across documents", across)
	learned := provenance.New(o.Commit, fit.Seed, l.Sets(o.Sets))
	r.addFigures(learned, across)
	if err := s.write(o, r.threshold, learned); err != nil {
		return err
	}
	if o.Leave {
		r.print(o.Out, "sets left out", s.leaveOut(o.Sets))
	}
	return nil
}

// dropUseless removes the sets in which the search finds too little, and their examples.
func (s *training) dropUseless(o *Options) {
	o.Sets = slices.DeleteFunc(slices.Clone(o.Sets), func(name string) bool {
		others := func(e example) bool { return e.set != name }
		if searchable(slices.DeleteFunc(slices.Clone(s.examples), others)) {
			return false
		}
		_, _ = fmt.Fprintf(o.Out, "%s is left out: the search finds no answer to most of its questions\n", name)
		s.examples = slices.DeleteFunc(s.examples, func(e example) bool { return e.set == name })
		return true
	})
}

// searchable reports whether the search finds most of what the answerable questions ask for. Where it does not, the examples say nothing
// about answers.
func searchable(list []example) bool {
	n, found := 0, 0
	for i := range list {
		if list[i].kind == answerable {
			n++
			if slices.Contains(list[i].hit, true) {
				found++
			}
		}
	}
	return 2*found > n
}

// leaveOut answers the questions of each set by models that were trained on the other sets.
func (s *training) leaveOut(sets []string) []outcome {
	by := map[string]models{}
	for _, name := range sets {
		other := func(e *example) bool { return e.set != name }
		by[name] = models{choose: s.trainChoice(other), confidence: s.trainConfidence(other)}
	}
	return s.outcomes(func(e *example) models { return by[e.set] })
}

// write trains the models on all examples and writes them.
func (s *training) write(o Options, threshold float64, learned *provenance.Provenance) error {
	if o.Folder == "" {
		return nil
	}
	all := func(*example) bool { return true }
	choose := s.trainChoice(all)
	fit.Scale(choose, s.scale)
	confidence := s.trainConfidence(all)
	apply(confidence, s.slope, s.shift)
	data, err := json.Marshal(map[string]any{"learned": learned, "choose": choose, "judge": confidence, "threshold": threshold})
	if err != nil {
		return fmt.Errorf("encode the models of answers: %w", err)
	}
	if err := os.WriteFile(filepath.Join(o.Folder, o.Name+".json"), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the models of answers: %w", err)
	}
	return nil
}

// minAnswered is the share of the answerable questions that must be answered, as a mean over the sets. It is chosen for trust: of the
// questions whose subject is in the documents but not the answer, one in five may be answered.
const minAnswered = .87

// threshold returns the highest confidence, in hundredths, at which minAnswered of the answerable questions are still answered.
func threshold(names []string, list []outcome) float64 {
	for percent := 50; percent > 1; percent-- {
		if t := float64(percent) / 100; passed(names, list, t) >= minAnswered {
			return t
		}
	}
	return .01
}

// passed returns the share of the answerable questions that are answered at a threshold, as a mean over the sets.
func passed(names []string, list []outcome, t float64) float64 {
	sum, sets := 0.0, 0.0
	for _, name := range names {
		n, over := 0.0, 0.0
		for i := range list {
			if o := &list[i]; o.set == name && o.kind == answerable {
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
