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
	Sets     []string // empty = every set that the folder holds
	Limit    int      // questions of each set, evenly spread; 0 = all
	Parallel int      // requests at once
	Model    string   // folder of the embedding model; empty = keywords alone
	Clock    clock.Clock
	Progress io.Writer // what is being done
	Rewrite  bool      // Progress is a terminal: one line is rewritten
	Log      io.Writer // the instance's output
}

type runner struct {
	opts Options
	dev  *instance.Instance
	all  []*dataset.Set // also those whose questions are only asked off topic
	mu   sync.Mutex
	mode string // of the searches
}

// Run starts an instance of its own, measures every set on it and stops it.
func Run(ctx context.Context, opts Options) (report *Report, err error) {
	r := &runner{opts: opts}
	began := opts.Clock.Now()
	sets, err := r.load()
	if err != nil {
		return nil, err
	}
	if r.dev, err = instance.Start(ctx, instance.Options{Binary: opts.Binary, Log: opts.Log, Env: instance.Vectors(opts.Model)}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.dev.Stop()) }()
	if err := r.dev.Founded(ctx); err != nil {
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
		measured = append(measured, c)
		report.Sets = append(report.Sets, c.report)
	}
	if err := r.foreign(ctx, measured); err != nil {
		return report, err
	}
	report.conclude()
	return report, nil
}

// load reads the sets to measure, and the questions of all others to ask off topic.
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
			return nil, fmt.Errorf("there is no set %s; there are: %s", name, strings.Join(names, ", "))
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

// sawMode notes in which mode a search was answered.
func (r *runner) sawMode(mode string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !strings.Contains(r.mode, mode) {
		r.mode = strings.TrimPrefix(r.mode+" and "+mode, " and ")
	}
}

// progress rewrites the line that says how far the run is, where that is a terminal.
func (r *runner) progress(format string, args ...any) {
	if r.opts.Rewrite {
		r.print("\r\x1b[K"+format, args...)
	}
}

// done says what is finished, in a line of its own where lines are not rewritten.
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
