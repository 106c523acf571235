package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"docqa/eval/bench/chat"
	"docqa/eval/bench/footprint"
	"docqa/eval/bench/harness"
	"docqa/eval/bench/queue"
	"docqa/eval/bench/report"
	"docqa/eval/bench/search"
)

// part is one benchmark.
type part struct {
	id      string
	measure func(context.Context, *harness.Harness) ([]report.Row, error)
}

func parts() []part {
	return []part{
		{"P11", footprint.Measure},
		{"P2", chat.Answers},
		{"P1", chat.ModelCalls},
		{"P3", chat.Streams},
		{"P7", queue.Measure},
		{"P4", search.Tenants},
		{"P6", search.Keywords},
		{"P12", search.Growth},
	}
}

// IDs lists the ids of the parts. P5 is measured together with P4.
func IDs() []string {
	var ids []string
	for _, p := range parts() {
		ids = append(ids, p.id)
	}
	return ids
}

// Run measures the parts whose ids are in only, or all parts if only is empty. A part that fails becomes a row with its error.
func Run(ctx context.Context, only []string, opts harness.Options) (r *report.Report, err error) {
	for _, id := range only {
		if !slices.Contains(IDs(), id) {
			return nil, fmt.Errorf("unknown part %s; the parts are %s", id, strings.Join(IDs(), ", "))
		}
	}
	h, err := harness.Start(ctx, opts)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.Stop(ctx)) }()
	r = &report.Report{}
	for _, p := range parts() {
		if len(only) > 0 && !slices.Contains(only, p.id) {
			continue
		}
		rows, err := p.measure(ctx, h)
		r.Rows = append(r.Rows, rows...)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			r.Rows = append(r.Rows, report.Missing(p.id, "the whole part", "", err.Error()))
			h.Progress("%s: %v", p.id, err)
		}
	}
	return r, nil
}
