package ranking

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
	"docqa/internal/engine/forest"
)

// folds is the number of parts into which the documents are divided.
const folds = 5

// Options say what to train on and where to write the models.
type Options struct {
	Corpora  *corpora.Corpora
	Sets     []string  // empty = all that Usable returns
	Out      string    // folder of the models; each has a file
	Commit   string    // of the program, for the provenance of the models
	Validate bool      // also test on other documents and on sets left out, which takes ten times as long
	Table    io.Writer // the figures
}

// Usable returns the sets whose labels are precise enough to train a ranking. The labels of policyqa are arbitrary fragments, those of
// sec10q whole documents.
func Usable(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "policyqa" || n == "sec10q" })
}

// Run trains the models, prints how good they are and writes them.
func Run(ctx context.Context, o Options) error {
	if len(o.Sets) == 0 {
		o.Sets = Usable(o.Corpora.Names())
	}
	t := &table{sets: o.Sets}
	sets := o.Corpora.Sets(o.Sets)
	for _, keywords := range []bool{true, false} {
		if !keywords && o.Corpora.Embedder == nil {
			continue
		}
		cases, err := Collect(ctx, o.Corpora, o.Sets, keywords)
		if err != nil {
			return err
		}
		name := "vectors"
		if keywords {
			name = "words"
			t.add("textbook", cases, textbookRanks(cases))
		}
		t.add(name+", as found", cases, ranksBy(cases, func(c *Case) int { return c.Rank(nil) }))
		learned := provenance.New(o.Commit, fit.Seed, sets)
		across := Across(cases, folds, Fit)
		addFigures(learned, cases, across)
		t.add(name+", other documents", cases, across)
		if o.Validate {
			t.add(name+", set left out", cases, LeaveOut(cases, Fit))
		}
		m := Fit(cases)
		t.add(name+", as learned", cases, ranksBy(cases, func(c *Case) int { return c.Rank(m) }))
		if err := write(filepath.Join(o.Out, name+".json"), m, learned); err != nil {
			return err
		}
	}
	return t.print(o.Table)
}

// ranksBy calls rank for each case.
func ranksBy(cases []*Case, rank func(*Case) int) []int {
	ranks := make([]int, len(cases))
	for i, c := range cases {
		ranks[i] = rank(c)
	}
	return ranks
}

// addFigures notes how often one of the first five passages is a hit.
func addFigures(p *provenance.Provenance, cases []*Case, ranks []int) {
	hits, all := map[string]float64{}, map[string]float64{}
	for i, c := range cases {
		name := c.Corpus.Set.Name
		all[name]++
		if ranks[i] >= 1 && ranks[i] <= 5 {
			hits[name]++
		}
	}
	for name, n := range all {
		p.Add(name, "hit@5", hits[name]/n)
	}
}

func write(path string, m *forest.Model, learned *provenance.Provenance) error {
	data, err := json.Marshal(struct {
		Learned *provenance.Provenance `json:"learned"`
		*forest.Model
	}{learned, m})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("create the folder of the models: %w", err)
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}
