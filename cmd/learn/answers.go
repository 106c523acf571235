package main

import (
	"context"
	"fmt"
	"io"

	"docqa/internal/engine/answer"
	"docqa/internal/evaluation/answering"
	"docqa/internal/evaluation/lab"
)

// answers learns the models of answers from the sets that l holds, those in English with
// and without vectors, and writes them to folder; leave judges each set by models that
// saw nothing of it, too.
func answers(ctx context.Context, l *lab.Lab, folder string, leave bool, out io.Writer) error {
	var english, others []string
	for _, name := range l.Names() {
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
		one.Folder, one.Leave, one.Out = folder, leave, out
		_, _ = fmt.Fprintf(out, "\nAnswers, %s\n", one.Name)
		if err := answering.Learn(ctx, l, one); err != nil {
			return fmt.Errorf("learn the models of answers, %s: %w", one.Name, err)
		}
	}
	return nil
}
