package search

import (
	"context"
	"errors"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/modelserver"
	"docqa/eval/process"
)

// installation is a `docqa serve` that takes its vectors from the made-up model, with a loader for its database.
type installation struct {
	*harness.Server

	h      *harness.Harness
	name   string
	model  *process.Process
	loader *loader
}

// install starts the model's server and a `docqa serve` called name.
func install(ctx context.Context, h *harness.Harness, name string) (*installation, error) {
	model, baseURL, err := h.StartModelServer(ctx)
	if err != nil {
		return nil, err
	}
	in := &installation{h: h, name: name, model: model}
	if in.Server, err = h.Open(ctx, name, modelserver.Setting(baseURL)); err == nil {
		in.loader, err = newLoader(ctx, in.Server, true)
	}
	if err != nil {
		return nil, errors.Join(err, in.close(ctx))
	}
	return in, nil
}

func (in *installation) close(ctx context.Context) error {
	return errors.Join(in.h.Close(ctx, in.name), in.model.Stop())
}
