package evaluation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"docqa/internal/clock"
	"docqa/internal/evaluation/dataset"
	"docqa/internal/evaluation/instance"
	"docqa/internal/evaluation/score"
)

// offTopicQuestions is how many foreign questions each set is asked.
const offTopicQuestions = 100

// Options say what to measure.
type Options struct {
	Binary   string   // the docqa binary
	Data     string   // the folder of the evaluation data
	Sets     []string // empty = every set that the folder holds
	Limit    int      // questions of each set, evenly spread; 0 = all
	Parallel int      // requests at once
	Clock    clock.Clock
	Progress io.Writer // one line, rewritten
	Log      io.Writer // the instance's output
}

type runner struct {
	opts  Options
	dev   *instance.Instance
	pools map[string][]dataset.Question // answerable questions by set, for other sets to refuse
	mu    sync.Mutex
}

// Run starts an instance of its own, measures every set on it and stops it.
func Run(ctx context.Context, opts Options) (report *Report, err error) {
	r := &runner{opts: opts}
	sets, err := r.load()
	if err != nil {
		return nil, err
	}
	if r.dev, err = instance.Start(ctx, instance.Options{Binary: opts.Binary, Log: opts.Log}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.dev.Stop()) }()
	if err := r.dev.Founded(ctx); err != nil {
		return nil, err
	}
	report = &Report{}
	for _, set := range sets {
		one, err := r.measure(ctx, set)
		if err != nil {
			return report, fmt.Errorf("%s: %w", set.Name, err)
		}
		report.Sets = append(report.Sets, one)
	}
	r.progress("")
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
	r.pools = map[string][]dataset.Question{}
	var sets []*dataset.Set
	for _, name := range names {
		loaded, err := dataset.Load(r.opts.Data, name)
		if err != nil {
			return nil, err
		}
		for _, set := range loaded {
			r.pools[set.Name] = strangers(set)
		}
		if slices.Contains(wanted, name) {
			sets = append(sets, loaded...)
		}
	}
	return sets, nil
}

// strangers are the questions of set that another set can be asked: plain, single, in English.
func strangers(set *dataset.Set) []dataset.Question {
	if set.Language != "en" {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(set.Questions), func(q dataset.Question) bool {
		return !q.Answerable || len(q.History) > 0
	})
}

// foreign are questions of other sets, the same number of each; sets about the same things do not count.
func (r *runner) foreign(name string) []dataset.Question {
	var others []string
	for other, pool := range r.pools {
		if kin(other) != kin(name) && len(pool) > 0 {
			others = append(others, other)
		}
	}
	slices.Sort(others)
	var list []dataset.Question
	for _, other := range others {
		list = append(list, sample(r.pools[other], offTopicQuestions/len(others))...)
	}
	return list
}

// kin names what a set is about, where several share it.
func kin(name string) string {
	switch base, _, _ := strings.Cut(name, "-"); base {
	case "squad2", "xquad":
		return "encyclopedia articles of one selection"
	case "clapnq", "mtrag":
		return "passages of one selection"
	case "tatqa", "financebench", "sec10q":
		return "financial reports"
	default:
		return name
	}
}

func (r *runner) measure(ctx context.Context, set *dataset.Set) (*SetReport, error) {
	owner, err := r.dev.Owner(ctx)
	if err != nil {
		return nil, err
	}
	p, err := r.newProject(ctx, owner, set.Name)
	if err != nil {
		return nil, err
	}
	began := r.opts.Clock.Now()
	if err := r.ingest(ctx, owner, p, set); err != nil {
		return nil, err
	}
	one := &SetReport{
		Set: set.Name, Language: set.Language, Documents: len(set.Documents), Questions: len(sample(set.Questions, r.opts.Limit)),
		IngestSeconds: r.opts.Clock.Now().Sub(began).Seconds(),
	}
	sources := make(map[string]*score.Source, len(set.Documents))
	for i := range set.Documents {
		d := &set.Documents[i]
		if sources[d.Name], err = read(ctx, d); err != nil {
			return nil, err
		}
	}
	if err := r.retrieval(ctx, p, set, sources, one); err != nil {
		return nil, err
	}
	return one, r.answers(ctx, p, set, sources, one)
}

// progress rewrites the line that says how far the run is.
func (r *runner) progress(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, _ = fmt.Fprintf(r.opts.Progress, "\r\x1b[K"+format, args...)
}
