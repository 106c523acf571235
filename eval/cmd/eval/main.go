// Command eval measures search, answers, refusals and citations over a folder of evaluation data, on an instance that it starts and
// stops itself.
package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"docqa/eval/command"
	"docqa/eval/quality"
	"docqa/internal/platform/clock"
)

type flags struct {
	Data     string   `required:"" type:"existingdir" help:"Folder of the evaluation data."`
	Sets     []string `help:"Sets to measure, comma separated; default all that the folder holds."`
	Limit    int      `help:"Questions of each set, evenly spread; 0 = all."`
	Parallel int      `default:"4" help:"Requests at the same time."`
	Binary   string   `default:"bin/docqa" type:"existingfile" help:"The docqa binary."`
	Model    string   `type:"existingdir" help:"Folder of the embedding model; default: keyword search only."`
	Engine   string   `default:"internal/engine" type:"existingdir" help:"Folder of the packages with the learned models, which say what they were trained on."`
	Out      string   `help:"File for the report as JSON, with every question."`
	Log      string   `default:"/dev/null" help:"File for the output of the instance."`
}

func main() {
	var f flags
	kong.Parse(&f, kong.Name("eval"), kong.Description("Measures the quality of search and answers over evaluation data."))
	command.Main("eval", func(ctx context.Context) error {
		return command.WithLog(f.Log, func(log io.Writer) error { return measure(ctx, f, log) })
	})
}

func measure(ctx context.Context, f flags, log io.Writer) error {
	report, err := quality.Run(ctx, quality.Options{
		Binary: f.Binary, Data: f.Data, Sets: f.Sets, Limit: f.Limit, Parallel: f.Parallel, Model: f.Model, Engine: f.Engine,
		Clock: clock.System(), Progress: os.Stderr, Rewrite: term.IsTerminal(int(os.Stderr.Fd())), Log: log,
	})
	if report == nil {
		return err
	}
	if len(report.Rows) > 0 {
		err = errors.Join(err, report.Print(os.Stdout))
	}
	return errors.Join(err, command.WriteJSON(f.Out, report))
}
