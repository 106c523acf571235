package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"docqa/eval/learn/answering"
	"docqa/eval/learn/corpora"
	"docqa/internal/engine/answer"
)

// learnAnswers trains the models of answers: on the sets in English with and without vectors, and on the sets in other languages.
func learnAnswers(ctx context.Context, l *corpora.Corpora, f flags, out io.Writer) error {
	var english, others []string
	names := f.Sets
	if len(names) == 0 {
		names = l.Names()
	}
	for _, name := range names {
		c, err := l.Corpus(ctx, name)
		if err != nil {
			return err
		}
		if c.Set.Language == "en" {
			english = append(english, name)
		} else {
			others = append(others, name)
		}
	}
	for _, one := range []answering.Options{{Name: answer.Vectors, Sets: english}, {Name: answer.Words, Sets: english}, {Name: answer.Others, Sets: others}} {
		if len(one.Sets) == 0 || one.Name == answer.Vectors && f.Model == "none" {
			continue
		}
		one.Commit, one.Folder, one.Leave, one.Out = f.Commit, filepath.Join(f.Out, "answer", "models"), f.Validate, out
		_, _ = fmt.Fprintf(out, "\nAnswers, %s\n", one.Name)
		if err := answering.Learn(ctx, l, one); err != nil {
			return fmt.Errorf("train the models of answers, %s: %w", one.Name, err)
		}
	}
	return nil
}
