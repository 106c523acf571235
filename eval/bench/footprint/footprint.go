// Package footprint measures P11: the memory of `docqa serve` after the main job, and how long it takes to start.
//
// Postgres runs already and is not measured. Its invariant: the memory is read before the server is started again.
package footprint

import (
	"context"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/report"
	"docqa/eval/instance"
)

// limits are the targets of P11 for one way to run the service.
type limits struct {
	how              string
	model            string // folder; empty = none
	residentMB, upMS float64
}

// Measure measures the service without an embedding model and, if one is installed, with it.
func Measure(ctx context.Context, h *harness.Harness) ([]report.Row, error) {
	rows, err := measure(ctx, h, limits{how: "without a model", residentMB: 80, upMS: 300})
	if err != nil {
		return rows, err
	}
	if h.Model == "" {
		return append(rows, report.Missing("P11", "memory and start with a model", "", "no model is installed")), nil
	}
	more, err := measure(ctx, h, limits{how: "with a model", model: harness.Absolute(h.Model), residentMB: 240, upMS: 600})
	return append(rows, more...), err
}

func measure(ctx context.Context, h *harness.Harness, l limits) ([]report.Row, error) {
	name := "size " + l.how
	s, err := h.Open(ctx, name, instance.Vectors(l.model)...)
	if err != nil {
		return nil, err
	}
	project, err := h.NewProject(ctx, s, "Size", "")
	if err != nil {
		return nil, err
	}
	ask := harness.Ask("chat", s.Chat(project.Key))
	for i := range harness.WarmUp {
		if _, err := ask.Do(ctx, i); err != nil {
			return nil, err
		}
	}
	resident, err := s.ResidentBytes()
	if err != nil {
		return nil, err
	}
	h.Progress("starting docqa serve %d times, %s", h.Starts, l.how)
	starts := make([]float64, h.Starts)
	for i := range starts {
		if err := s.Stop(); err != nil {
			return nil, err
		}
		if err := h.Serve(ctx, s); err != nil {
			return nil, err
		}
		starts[i] = report.Milliseconds(s.StartTime)
	}
	return []report.Row{
		report.Figure("P11", "memory of docqa serve after the main job, "+l.how, "MB", resident/1e6).AtMost(l.residentMB),
		report.Median("P11", "start to healthy, "+l.how, "ms", starts).AtMost(l.upMS),
	}, h.Close(ctx, name)
}
