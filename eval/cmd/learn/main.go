// Command learn trains the models of the service, the ranking of passages and the choice and confidence of answers, on a folder of
// evaluation data, and prints how good they are on data that they were not trained on.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/alecthomas/kong"

	"docqa/eval/command"
	"docqa/eval/learn/corpora"
	"docqa/eval/learn/ranking"
	"docqa/internal/platform/models"
	"docqa/internal/provider/embed"
)

type flags struct {
	Data     string   `required:"" type:"existingdir" help:"Folder of the evaluation data."`
	Sets     []string `help:"Sets to train on, comma separated; default all whose labels are reliable."`
	Cache    string   `default:".data/learn" help:"Folder for vectors and texts, which are slow to compute."`
	Model    string   `default:".data/models/all-MiniLM-L6-v2" help:"Folder of the embedding model; none: keyword search only."`
	Out      string   `default:"internal/engine" help:"Folder in which rank/models and answer/models are written."`
	Only     string   `default:"both" enum:"both,ranking,answers" help:"What to train."`
	Commit   string   `default:"unknown" help:"Commit of the program, for the provenance of the models."`
	Validate bool     `default:"true" negatable:"" help:"Test on other documents and on sets that were left out."`
}

func main() {
	var f flags
	kong.Parse(&f, kong.Name("learn"), kong.Description("Trains the ranking of passages and the models of answers on evaluation data."))
	command.Main("learn", func(ctx context.Context) error { return learn(ctx, f, os.Stdout, os.Stderr) })
}

func learn(ctx context.Context, f flags, out, progress io.Writer) (err error) {
	o := corpora.Options{Data: f.Data, Cache: f.Cache, Progress: progress}
	if f.Model != "none" {
		if o.Embedder, err = embed.Open(ctx, models.Embedding{Kind: models.LocalEmbedding, Folder: f.Model}, embed.Options{}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, o.Embedder.Close()) }()
	}
	sets, err := corpora.Open(o)
	if err != nil {
		return err
	}
	if f.Only != "answers" {
		err = ranking.Run(ctx, ranking.Options{
			Corpora: sets, Sets: f.Sets, Out: filepath.Join(f.Out, "rank", "models"), Commit: f.Commit, Validate: f.Validate, Table: out,
		})
	}
	if err == nil && f.Only != "ranking" {
		err = learnAnswers(ctx, sets, f, out)
	}
	return err
}
