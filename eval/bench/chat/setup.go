package chat

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"docqa/eval/bench/harness"
	"docqa/eval/instance"
	"docqa/eval/process"
)

// installation is a `docqa serve` that calls the made-up model.
type installation struct {
	*harness.Server

	h        *harness.Harness
	name     string
	folder   string // for files of this measurement
	modelURL string
	model    *process.Process
}

// install starts the model's server, and a `docqa serve` called name that knows it by two names: "fixed" always gives the same answer
// at once, "paced" says so many words slowly.
func install(ctx context.Context, h *harness.Harness, name string, words int) (*installation, error) {
	in := &installation{h: h, name: name}
	var err error
	if in.model, in.modelURL, err = h.StartModelServer(ctx); err != nil {
		return nil, err
	}
	if err := in.open(ctx, words); err != nil {
		return nil, errors.Join(err, in.close(ctx))
	}
	return in, nil
}

func (in *installation) open(ctx context.Context, words int) (err error) {
	if in.folder, err = os.MkdirTemp("", "docqa-bench-"); err != nil {
		return err
	}
	path := filepath.Join(in.folder, "models.yaml")
	text := fmt.Sprintf("models:\n  - {id: fixed, name: Fixed, provider: openai, model: fixed, base_url: %q}\n"+
		"  - {id: paced, name: Paced, provider: openai, model: paced-%d, base_url: %q, max_output_tokens: 4096}\n", in.modelURL, words, in.modelURL)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return err
	}
	in.Server, err = in.h.Open(ctx, in.name, append(instance.Vectors(""), "MODELS_FILE="+path)...)
	return err
}

func (in *installation) close(ctx context.Context) error {
	err := errors.Join(in.h.Close(ctx, in.name), in.model.Stop())
	if in.folder != "" {
		err = errors.Join(err, os.RemoveAll(in.folder))
	}
	return err
}

// direct calls the model's server without the service.
func (in *installation) direct() *harness.Caller {
	return harness.NewCaller(in.modelURL + "/chat/completions")
}

// prompt is what is sent to the model's server directly and to the gateways, some 1.9 kB.
func prompt(model string, stream bool) map[string]any {
	return map[string]any{"model": model, "stream": stream, "max_tokens": 64, "messages": []map[string]string{
		{"role": "system", "content": "Answer from the context."},
		{"role": "user", "content": passage() + "What is it?"},
	}}
}

func passage() string { return strings.Repeat("context words here ", 100) }
