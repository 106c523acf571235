// Command learn fits what the service has learned, the order of passages and the choice
// and judgement of answers, to a folder of evaluation data, and says how good it is on data
// that it was not fitted to.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/alecthomas/kong"

	"docqa/eval/learn/lab"
	"docqa/eval/learn/ranking"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
)

type flags struct {
	Data     string   `required:"" type:"existingdir" help:"Folder of the evaluation data."`
	Sets     []string `help:"Sets to learn from, comma separated; default all that are reliable."`
	Cache    string   `default:".data/learn" help:"Folder for vectors and texts, which are slow to compute."`
	Model    string   `default:".data/models/all-MiniLM-L6-v2" help:"Folder of the embedding model; none: words alone."`
	Out      string   `default:"internal/engine" help:"Folder in which rank/models and answer/models are written."`
	Only     string   `default:"both" enum:"both,ranking,answers" help:"What to learn."`
	Validate bool     `default:"true" negatable:"" help:"Judge on other documents and on sets left out."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, os.Stderr)
	stop()
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "learn:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, progress io.Writer) (err error) {
	var f flags
	kong.Parse(&f, kong.Name("learn"), kong.Description("Fits the order of passages and the answers to evaluation data."))
	o := lab.Options{Data: f.Data, Cache: f.Cache, Progress: progress}
	if f.Model != "none" {
		if o.Embedder, err = embed.Open(ctx, models.Embedding{Kind: models.LocalEmbedding, Folder: f.Model}, embed.Options{}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, o.Embedder.Close()) }()
	}
	l, err := lab.Open(o)
	if err != nil {
		return err
	}
	if f.Only != "answers" {
		err = ranking.Run(ctx, ranking.Options{
			Lab: l, Sets: f.Sets, Out: filepath.Join(f.Out, "rank", "models"), Validate: f.Validate, Table: out, Progress: progress,
		})
	}
	if err == nil && f.Only != "ranking" {
		err = answers(ctx, l, f, out)
	}
	return err
}
