package quality

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"docqa/eval/dataset"
	"docqa/eval/instance"
	"docqa/internal/platform/clock"
)

// Options say what to measure.
type Options struct {
	Binary   string   // the docqa binary
	Data     string   // the folder of the evaluation data
	Sets     []string // empty = all sets of the folder
	Limit    int      // questions of each set, evenly spread; 0 = all
	Parallel int      // requests at once
	Model    string   // folder of the embedding model; empty = keyword search only
	Engine   string   // folder of the packages with the learned models
	Clock    clock.Clock
	Progress io.Writer // one line for each step of the run
	Rewrite  bool      // rewrite one line, which needs a terminal
	Log      io.Writer // the output of the instance
}

type runner struct {
	opts Options
	dev  *instance.Instance
	all  []*dataset.Set // with those whose questions are only asked off topic
	mu   sync.Mutex
	mode string // of the searches
}

// Run starts an instance, measures all sets on it and stops it. If it fails after the start, it returns the error with a partial report.
func Run(ctx context.Context, opts Options) (report *Report, err error) {
	r := &runner{opts: opts}
	began := opts.Clock.Now()
	sets, err := r.load()
	if err != nil {
		return nil, err
	}
	trained, err := readTraining(opts.Engine, opts.Model != "")
	if err != nil {
		return nil, err
	}
	if r.dev, err = instance.Start(ctx, instance.Options{Binary: opts.Binary, Log: opts.Log, Clock: opts.Clock, Env: instance.Vectors(opts.Model)}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.dev.Stop()) }()
	if err := r.dev.CreateCompany(ctx); err != nil {
		return nil, err
	}
	report = &Report{Limit: opts.Limit, Model: opts.Model}
	defer func() { report.Retrieval, report.Seconds = r.mode, opts.Clock.Now().Sub(began).Seconds() }()
	var measured []*collection
	for _, set := range sets {
		c, err := r.measure(ctx, set)
		if err != nil {
			return report, fmt.Errorf("%s: %w", set.Name, err)
		}
		c.report.Seen = trained.saw(set)
		measured = append(measured, c)
		report.Sets = append(report.Sets, c.report)
	}
	if err := r.offTopic(ctx, measured); err != nil {
		return report, err
	}
	report.addRows(trained.figures)
	return report, nil
}

// load reads all sets and returns those to measure.
func (r *runner) load() ([]*dataset.Set, error) {
	names, err := dataset.Names(r.opts.Data)
	if err != nil {
		return nil, err
	}
	wanted := r.opts.Sets
	if len(wanted) == 0 {
		wanted = names
	}
	for _, name := range wanted {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("there is no set %s; the sets are: %s", name, strings.Join(names, ", "))
		}
	}
	var sets []*dataset.Set
	for _, name := range names {
		loaded, err := dataset.Load(r.opts.Data, name)
		if err != nil {
			return nil, err
		}
		r.all = append(r.all, loaded...)
		if slices.Contains(wanted, name) {
			sets = append(sets, loaded...)
		}
	}
	return sets, nil
}

// noteMode stores the mode of a search for the report.
func (r *runner) noteMode(mode string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !strings.Contains(r.mode, mode) {
		r.mode = strings.TrimPrefix(r.mode+" and "+mode, " and ")
	}
}

// progress rewrites the line that says how far the run is. It writes nothing if lines cannot be rewritten.
func (r *runner) progress(format string, args ...any) {
	if r.opts.Rewrite {
		r.print("\r\x1b[K"+format, args...)
	}
}

// done writes a line about a finished step, or clears the line that progress rewrites.
func (r *runner) done(format string, args ...any) {
	if r.opts.Rewrite {
		r.print("\r\x1b[K")
		return
	}
	r.print(format+"\n", args...)
}

func (r *runner) print(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = fmt.Fprintf(r.opts.Progress, format, args...)
}
