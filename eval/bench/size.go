package bench

import (
	"context"

	"docqa/eval/instance"
)

// The figures of P11.
const (
	residentMB, residentModelMB = 80., 240.
	startMS, startModelMS       = 300., 600.
)

// size is P11: the memory of `docqa serve` after the main job, and its start beside a running Postgres.
func (b *bench) size(ctx context.Context) ([]Row, error) {
	rows, err := b.sizeOf(ctx, "without a model", "", residentMB, startMS)
	if err != nil {
		return rows, err
	}
	if b.opts.Model == "" {
		return append(rows, missing("P11", "memory and start with a model", "", "no model is installed")), nil
	}
	more, err := b.sizeOf(ctx, "with a model", absolute(b.opts.Model), residentModelMB, startModelMS)
	return append(rows, more...), err
}

func (b *bench) sizeOf(ctx context.Context, how, model string, mostMB, mostMS float64) ([]Row, error) {
	name := "size " + how
	h, err := b.open(ctx, name, instance.Vectors(model)...)
	if err != nil {
		return nil, err
	}
	key, _, err := b.project(ctx, h, "Size", "")
	if err != nil {
		return nil, err
	}
	chat := newCaller(h.url+"/v1/chat", "X-Service-Key", key)
	for i := range warmUp {
		if err := chat.wants(ctx, ask{Question: question(i)}, `"answer"`); err != nil {
			return nil, err
		}
	}
	resident, err := h.resident()
	if err != nil {
		return nil, err
	}
	b.say("starting docqa serve %d times, %s", b.opts.Starts, how)
	starts := make([]float64, b.opts.Starts)
	for i := range starts {
		if err := h.stop(); err != nil {
			return nil, err
		}
		if err := b.serve(ctx, h); err != nil {
			return nil, err
		}
		starts[i] = milliseconds(h.took)
	}
	return []Row{
		figure("P11", "memory of docqa serve after the main job, "+how, "MB", resident/1e6).atMost(mostMB),
		median("P11", "start to healthy, "+how, "ms", starts).atMost(mostMS),
	}, b.close(ctx, name)
}
