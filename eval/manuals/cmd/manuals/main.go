// Command manuals writes the questions of sets whose documents fetch.sh has got: those written by hand whose quote is in the documents,
// and those made from the documents. It prints what it leaves out and how many questions there are.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"docqa/eval/command"
	"docqa/eval/manuals"
	"docqa/eval/manuals/generate"
	"docqa/eval/manuals/questions"
	"docqa/eval/manuals/source"
)

type flags struct {
	Out string `arg:"" type:"existingdir" help:"Folder with <set>/docs, into which the questions are written."`
}

func main() {
	var f flags
	kong.Parse(&f, kong.Name("manuals"), kong.Description("Writes the questions on the manuals of a folder."))
	command.Main("manuals", func(ctx context.Context) error { return write(ctx, f.Out, os.Stdout) })
}

// line is a question as "make eval" and "make learn" read it: they know answers and filenames.
type line struct {
	manuals.Question

	Answers    []string `json:"answers,omitempty"`
	AllAnswers bool     `json:"allAnswersRequired,omitempty"`
	Filenames  []string `json:"filenames,omitempty"`
}

func write(ctx context.Context, folder string, out io.Writer) error {
	byHand, err := questions.All()
	if err != nil {
		return err
	}
	all := map[string][]manuals.Question{}
	for _, set := range slices.Sorted(maps.Keys(byHand)) {
		documents, err := load(ctx, folder, set)
		if err != nil {
			return err
		}
		list := check(out, set, byHand[set], documents)
		for _, q := range generate.Questions(documents) {
			if !slices.ContainsFunc(list, func(h manuals.Question) bool { return strings.EqualFold(h.Question, q.Question) }) {
				list = append(list, q)
			}
		}
		for i := range list {
			list[i].Part = manuals.Part(set, list[i].Filename)
		}
		if err := save(filepath.Join(folder, set, "questions.jsonl"), list); err != nil {
			return err
		}
		all[set] = list
	}
	return printCounts(out, all)
}

func load(ctx context.Context, folder, set string) ([]*generate.Document, error) {
	paths, err := filepath.Glob(filepath.Join(folder, set, "docs", "*"))
	if err != nil {
		return nil, err
	}
	var list []*generate.Document
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			return nil, err
		}
		name := filepath.Base(path)
		plain, err := os.ReadFile(filepath.Clean(filepath.Join(folder, ".plain", set, name+".txt")))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		d, err := generate.New(ctx, set, name, data, string(plain))
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// check returns the questions that hold for these documents. The documents of another release may say something else.
func check(out io.Writer, set string, list []manuals.Question, documents []*generate.Document) []manuals.Question {
	texts := map[string]string{}
	for _, d := range documents {
		texts[d.Name] = strings.ToLower(source.Normal(d.Text))
	}
	return slices.DeleteFunc(slices.Clone(list), func(q manuals.Question) bool {
		reason := fault(&q, texts)
		if reason != "" {
			fmt.Fprintf(out, "left out: %s %s: %s\n", set, q.ID, reason)
		}
		return reason != ""
	})
}

func fault(q *manuals.Question, texts map[string]string) string {
	text, there := texts[q.Filename]
	if !there {
		return q.Filename + " is not there"
	}
	if q.Answerable && !strings.Contains(text, strings.ToLower(source.Normal(q.Quote))) {
		return "the quote is not in " + q.Filename
	}
	for _, a := range q.Absent {
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if strings.Contains(texts[name], strings.ToLower(source.Normal(a))) {
				return fmt.Sprintf("%s holds %q", name, a)
			}
		}
	}
	return ""
}

func save(path string, list []manuals.Question) error {
	file, err := os.Create(filepath.Clean(path))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for i := range list {
		l := line{Question: list[i]}
		if l.Answerable {
			l.Filenames = []string{l.Filename}
			l.AllAnswers = len(l.Facts) > 1
			for _, f := range l.Facts {
				if l.AllAnswers {
					l.Answers = append(l.Answers, f[0])
				} else {
					l.Answers = append(l.Answers, f...)
				}
			}
		}
		err = errors.Join(err, encoder.Encode(&l))
	}
	return errors.Join(err, w.Flush(), file.Close())
}

// printCounts prints a table of the questions by kind and part, and one by set.
func printCounts(out io.Writer, sets map[string][]manuals.Question) error {
	kinds, bySet := map[string]*counts{}, map[string]*counts{}
	for set, list := range sets {
		for i := range list {
			for _, c := range []*counts{at(kinds, string(list[i].Kind)), at(kinds, "all"), at(bySet, set)} {
				c.add(&list[i])
			}
		}
	}
	var order []string
	for _, k := range manuals.Kinds() {
		order = append(order, string(k))
	}
	err := printTable(out, "kind", append(order, "all"), kinds)
	return cmp.Or(err, printTable(out, "set", slices.Sorted(maps.Keys(bySet)), bySet))
}

type counts struct{ handLearn, handUnseen, madeLearn, madeUnseen int }

func at(m map[string]*counts, key string) *counts {
	if m[key] == nil {
		m[key] = &counts{}
	}
	return m[key]
}

func (c *counts) add(q *manuals.Question) {
	switch {
	case q.Generated && q.Part == manuals.Learn:
		c.madeLearn++
	case q.Generated:
		c.madeUnseen++
	case q.Part == manuals.Learn:
		c.handLearn++
	default:
		c.handUnseen++
	}
}

func printTable(out io.Writer, title string, order []string, m map[string]*counts) error {
	_, err := fmt.Fprintf(out, "\n| %s | by hand, learn | by hand, unseen | generated, learn | generated, unseen |\n|---|---|---|---|---|\n", title)
	for _, key := range order {
		c := at(m, key)
		_, e := fmt.Fprintf(out, "| %s | %d | %d | %d | %d |\n", key, c.handLearn, c.handUnseen, c.madeLearn, c.madeUnseen)
		err = cmp.Or(err, e)
	}
	return err
}
