package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"docqa/eval/instance"
	"docqa/internal/platform/clock"
)

// Options say what to measure.
type Options struct {
	Binary  string   // the docqa binary
	Self    string   // this program: it is started again as the model's server
	Only    []string // ids of the parts, such as P2; empty = all
	Rounds  int      // of what is repeated alone
	Starts  int      // of docqa serve
	Streams int      // at once
	Seconds int      // that the streams last
	Chunks  int      // the most that are stored
	Data    string   // folder of evaluation data, for what needs judged questions; may be empty
	Model   string   // folder of the embedding model; may be empty
	Peers   string   // folder into which eval/peers/peers.sh installs
	Clock   clock.Clock
	Log     io.Writer // the output of the processes
	Out     io.Writer // what is being done
}

type bench struct {
	opts   Options
	dev    *instance.Instance
	houses map[string]*house
}

// part is one of the measured works.
type part struct {
	id  string
	run func(*bench, context.Context) ([]Row, error)
}

func parts() []part {
	return []part{
		{"P11", (*bench).size},
		{"P2", (*bench).chat},
		{"P1", (*bench).modelCall},
		{"P3", (*bench).streams},
		{"P7", (*bench).queue},
		{"P4", (*bench).tenants},
		{"P6", (*bench).words},
		{"P12", (*bench).growth},
	}
}

// Names lists the ids of the parts; P5 is measured with P4.
func Names() []string {
	var names []string
	for _, p := range parts() {
		names = append(names, p.id)
	}
	return names
}

// Run starts what it needs, measures, and stops it. A part that fails becomes a row that says so.
func Run(ctx context.Context, opts Options) (report *Report, err error) {
	wanted := opts.Only
	for _, id := range wanted {
		if !slices.Contains(Names(), id) {
			return nil, fmt.Errorf("there is no part %s; there are %s", id, strings.Join(Names(), ", "))
		}
	}
	b := &bench{opts: opts, houses: map[string]*house{}}
	b.say("starting Postgres, the object storage and the sign-in")
	if b.dev, err = instance.Start(ctx, instance.Options{Binary: opts.Binary, Log: opts.Log}); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.closeHouses(ctx), b.dev.Stop()) }()
	report = &Report{}
	for _, p := range parts() {
		if len(wanted) > 0 && !slices.Contains(wanted, p.id) {
			continue
		}
		rows, err := p.run(b, ctx)
		report.Rows = append(report.Rows, rows...)
		if ctx.Err() != nil {
			return report, ctx.Err()
		}
		if err != nil {
			report.Rows = append(report.Rows, missing(p.id, "the whole of it", "", err.Error()))
			b.say("%s: %v", p.id, err)
		}
	}
	return report, nil
}

func (b *bench) say(format string, args ...any) { _, _ = fmt.Fprintf(b.opts.Out, format+"\n", args...) }
