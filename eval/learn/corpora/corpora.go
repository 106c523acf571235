package corpora

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"docqa/eval/dataset"
	"docqa/internal/provider/embed"
)

// Options say what the sets are indexed with.
type Options struct {
	Data     string         // the folder of the evaluation data
	Cache    string         // a folder for what is slow to compute
	Embedder embed.Embedder // nil = keyword search only
	Progress io.Writer      // one line for each step; nil = none
}

// Corpora indexes sets of evaluation data.
type Corpora struct {
	Options
	all []*dataset.Set // all sets of the data
}

// Open reads the questions and documents of all sets. Corpus then indexes one of them.
func Open(o Options) (*Corpora, error) {
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	if err := os.MkdirAll(o.Cache, 0o750); err != nil {
		return nil, fmt.Errorf("create the cache: %w", err)
	}
	names, err := dataset.Names(o.Data)
	if err != nil {
		return nil, err
	}
	l := &Corpora{Options: o}
	for _, name := range names {
		sets, err := dataset.Load(o.Data, name)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", name, err)
		}
		l.all = append(l.all, sets...)
	}
	return l, nil
}

// Names lists the sets. A set in several languages has a name for each of them.
func (l *Corpora) Names() []string {
	var names []string
	for _, s := range l.all {
		names = append(names, s.Name)
	}
	return names
}

// Sets returns the sets with these names.
func (l *Corpora) Sets(names []string) []*dataset.Set {
	return slices.DeleteFunc(slices.Clone(l.all), func(s *dataset.Set) bool { return !slices.Contains(names, s.Name) })
}

// Corpus indexes the set called name. It is slow if the cache does not hold its vectors.
func (l *Corpora) Corpus(ctx context.Context, name string) (*Corpus, error) {
	i := slices.IndexFunc(l.all, func(s *dataset.Set) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no set %s", name)
	}
	c, err := l.corpus(ctx, l.all[i])
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", name, err)
	}
	return c, nil
}

// Foreign returns n questions of other sets that the documents of set cannot answer.
func (l *Corpora) Foreign(set *dataset.Set, n int) []dataset.Question {
	return dataset.Foreign(l.all, set, n)
}

// vectors opens the stored vectors of a set. It returns nil without a model.
func (l *Corpora) vectors(set string) (*store, error) {
	if l.Embedder == nil {
		return nil, nil //nolint:nilnil // keyword search only
	}
	return openStore(filepath.Join(l.Cache, l.Embedder.Model(), set+".vectors"), l.Embedder, l.Progress)
}
