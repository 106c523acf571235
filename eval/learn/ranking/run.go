package ranking

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"docqa/eval/learn/lab"
	"docqa/internal/engine/forest"
)

// folds is into how many parts the documents are divided.
const folds = 5

// Options say what to learn from and where to put it.
type Options struct {
	Lab      *lab.Lab
	Sets     []string  // empty: all that Usable
	Out      string    // folder of the models, one file for words and one for vectors
	Validate bool      // judge on other documents and on sets left out, which takes ten times as long
	Table    io.Writer // the figures
	Progress io.Writer
}

// Usable are the sets that an order can be learned from: those that name the place of an
// answer with some reliability. policyqa marks arbitrary fragments, sec10q whole documents.
func Usable(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == "policyqa" || n == "sec10q" })
}

// Run learns the models and prints how good they are.
func Run(ctx context.Context, o Options) error {
	if len(o.Sets) == 0 {
		o.Sets = Usable(o.Lab.Names())
	}
	t := &table{sets: o.Sets}
	for _, words := range []bool{true, false} {
		if !words && o.Lab.Embedder == nil {
			continue
		}
		cases, err := Collect(ctx, o.Lab, o.Sets, words, o.Progress)
		if err != nil {
			return err
		}
		name := "vectors"
		if words {
			name = "words"
			t.add("textbook", cases, textbookRanks(cases))
		}
		t.add(name+", as found", cases, each(cases, func(c *Case) int { return c.Rank(nil) }))
		if o.Validate {
			t.add(name+", other documents", cases, Across(cases, folds, Fit))
			t.add(name+", set left out", cases, LeaveOut(cases, Fit))
		}
		m := Fit(cases)
		t.add(name+", as learned", cases, each(cases, func(c *Case) int { return c.Rank(m) }))
		if err := write(filepath.Join(o.Out, name+".json"), m); err != nil {
			return err
		}
	}
	return t.print(o.Table)
}

func each(cases []*Case, rank func(*Case) int) []int {
	ranks := make([]int, len(cases))
	for i, c := range cases {
		ranks[i] = rank(c)
	}
	return ranks
}

func write(path string, m *forest.Model) error {
	data, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return fmt.Errorf("make the folder of the models: %w", err)
	}
	return os.WriteFile(path, append(data, '\n'), 0o600)
}
