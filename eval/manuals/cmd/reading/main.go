// Command reading prints how much of the visible text of HTML manuals is indexed: a row for each set, and one for each page below the
// share that is wanted.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/alecthomas/kong"

	"docqa/eval/command"
	"docqa/eval/manuals/reading"
)

type flags struct {
	Data   string  `arg:"" type:"existingdir" help:"Folder with <set>/docs, as fetch.sh writes it."`
	Wanted float64 `default:"0.96" help:"Share of the visible text that must be indexed of each page."`
}

func main() {
	var f flags
	kong.Parse(&f, kong.Name("reading"), kong.Description("Measures how much of the text of HTML manuals is indexed."))
	command.Main("reading", func(context.Context) error { return measure(f, os.Stdout) })
}

// measure prints the rows. It fails if a page is below the wanted share.
func measure(f flags, out io.Writer) error {
	pages, err := filepath.Glob(filepath.Join(f.Data, "*", "docs", "*.html"))
	if err != nil {
		return fmt.Errorf("list the pages: %w", err)
	}
	sets, below := map[string]*reading.Measure{}, 0
	var names []string
	for _, path := range pages {
		source, err := os.ReadFile(path) //nolint:gosec // the caller names the folder
		if err != nil {
			return fmt.Errorf("read a page: %w", err)
		}
		m, err := reading.Page(string(source))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		set := filepath.Base(filepath.Dir(filepath.Dir(path)))
		if sets[set] == nil {
			sets[set] = &reading.Measure{}
			names = append(names, set)
		}
		sets[set].Add(m)
		if m.Indexed() < f.Wanted {
			below++
			fmt.Fprintf(out, "below %.2f: %s/%s %.3f\n", f.Wanted, set, filepath.Base(path), m.Indexed())
		}
	}
	slices.Sort(names)
	for _, name := range names {
		m := sets[name]
		fmt.Fprintf(out, "%-10s words %6d, indexed %.3f, not of the article %d\n", name, m.Article, m.Indexed(), m.Foreign)
	}
	if below > 0 {
		return fmt.Errorf("%d pages are below %.2f", below, f.Wanted)
	}
	return nil
}
