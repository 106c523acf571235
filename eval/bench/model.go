package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"docqa/eval/instance"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/grounded"
	"docqa/internal/provider/llm/openai"
	"docqa/internal/provider/llm/resilient"
)

// The figures of P1.
const (
	addedMS                    = .15
	cpuMS                      = .3
	timesLiteLLM, timesPortkey = 25., 10.
)

// upstream starts a model's server in a process of its own and returns its base URL.
func (b *bench) upstream(ctx context.Context) (*process, string, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, "", err
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), b.opts.Self, "upstream", "--addr", address) //nolint:gosec // this program
	p, err := b.start(ctx, command, func(ctx context.Context) bool { return listens(ctx, address) })
	return p, "http://" + address + "/v1", err
}

// catalog writes the file of models that names the upstream's and returns the setting.
func catalog(folder, base string, paced int) (string, error) {
	path := filepath.Join(folder, "models.yaml")
	text := fmt.Sprintf("models:\n  - {id: fixed, name: Fixed, provider: openai, model: fixed, base_url: %q}\n"+
		"  - {id: paced, name: Paced, provider: openai, model: paced-%d, base_url: %q, max_output_tokens: 4096}\n", base, paced, base)
	return "MODELS_FILE=" + path, os.WriteFile(path, []byte(text), 0o600)
}

// prompt is what is asked of the gateways and of the model's server: some 1.9 kB.
func prompt(stream bool) map[string]any {
	return map[string]any{"model": "fixed", "stream": stream, "max_tokens": 64, "messages": []map[string]string{
		{"role": "system", "content": "Answer from the context."},
		{"role": "user", "content": passage() + "What is it?"},
	}}
}

func passage() string { return strings.Repeat("context words here ", 100) }

// modelCall is P1: what the service adds to a call of a model, beside two gateways in front of the same one.
func (b *bench) modelCall(ctx context.Context) (rows []Row, err error) {
	up, base, err := b.upstream(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = up.stop() }()
	folder, err := os.MkdirTemp("", "docqa-bench-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	setting, err := catalog(folder, base, 1)
	if err != nil {
		return nil, err
	}
	h, err := b.open(ctx, "models", append(instance.Vectors(""), setting)...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = b.close(ctx, "models") }()
	with, _, err := b.project(ctx, h, "With the model", "fixed")
	if err != nil {
		return nil, err
	}
	without, _, err := b.project(ctx, h, "Without", "")
	if err != nil {
		return nil, err
	}
	gates, stop := b.gateways(ctx, folder, base)
	defer stop()
	steps, err := b.modelSteps(h, base, with, without, gates)
	if err != nil {
		return nil, err
	}
	b.say("calling the model %d times in turns, beside %d gateways", b.opts.Rounds, len(gates))
	took, err := b.rounds(ctx, b.opts.Rounds, steps)
	if err != nil {
		return nil, err
	}
	rows = modelRows(took, gates)
	cpu, err := b.modelCPU(ctx, h, steps, gates)
	return append(rows, cpu...), err
}

// inProcess is the service's own way to a model, without HTTP in front of it.
func (b *bench) inProcess(base string) (llm.Model, error) {
	client := resilient.New(openai.New(openai.Options{BaseURL: base, Model: "fixed"}), resilient.Options{Clock: b.opts.Clock})
	return grounded.New(client, grounded.Options{Context: 8192, MaxOutput: 1024})
}

func (b *bench) modelSteps(h *house, base, with, without string, gates []gateway) ([]step, error) {
	model, err := b.inProcess(base)
	if err != nil {
		return nil, err
	}
	request := llm.Request{
		Question: "What is it?", Strict: true, Language: "auto", MaxTokens: 64, Passages: []llm.Passage{{Title: "Context", Text: passage()}},
	}
	direct := newCaller(base + "/chat/completions")
	json := func(name string, c *caller, body any, sign string) step {
		return step{name, func(ctx context.Context, _ int) (time.Duration, error) { return 0, c.wants(ctx, body, sign) }}
	}
	steps := []step{
		json("direct", direct, prompt(false), "brown fox"),
		{"direct stream", func(ctx context.Context, _ int) (time.Duration, error) {
			return b.first(ctx, direct, prompt(true), "quick", "[DONE]")
		}},
		{"call", func(ctx context.Context, _ int) (time.Duration, error) {
			_, err := model.Complete(ctx, request)
			return 0, err
		}},
		{"call stream", func(ctx context.Context, _ int) (time.Duration, error) {
			began := b.opts.Clock.Now()
			var first time.Duration
			_, err := model.Stream(ctx, request, func(string) error {
				if first == 0 {
					first = b.opts.Clock.Now().Sub(began)
				}
				return nil
			})
			return first, err
		}},
		b.chatStep("chat with", h.url, with), b.chatStep("chat without", h.url, without),
		b.firstChunk("stream with", h.url, with), b.firstChunk("stream without", h.url, without),
	}
	for _, g := range gates {
		if g.process == nil {
			continue
		}
		steps = append(steps, json(g.name, g.caller, prompt(false), "brown fox"),
			step{g.name + " stream", func(ctx context.Context, _ int) (time.Duration, error) {
				return b.first(ctx, g.caller, prompt(true), "quick", "[DONE]")
			}})
	}
	return steps, nil
}

func (b *bench) chatStep(name, url, key string) step {
	c := newCaller(url+"/v1/chat", "X-Service-Key", key)
	return step{name, func(ctx context.Context, i int) (time.Duration, error) {
		return 0, c.wants(ctx, ask{Question: question(i)}, `"answer"`)
	}}
}

func (b *bench) firstChunk(name, url, key string) step {
	c := newCaller(url+"/v1/chat/stream", "X-Service-Key", key)
	return step{name, func(ctx context.Context, i int) (time.Duration, error) {
		return b.first(ctx, c, ask{Question: question(i)}, `"chunk"`, `"done"`)
	}}
}

func modelRows(took map[string][]float64, gates []gateway) []Row {
	call := median("P1", "model call through the service's way to it, added p50", "ms", less(took["call"], took["direct"])).atMost(addedMS)
	first := median("P1", "the same, stream, added first byte", "ms", less(took["call stream"], took["direct stream"])).atMost(addedMS)
	rows := []Row{
		median("P1", "the model's server directly, JSON", "ms", took["direct"]), median("P1", "directly, stream, first word", "ms", took["direct stream"]),
		call, first,
		median("P1", "POST /v1/chat with the model, above one without and the direct call", "ms",
			less(took["chat with"], took["chat without"], took["direct"])).atMost(addedMS),
		median("P1", "POST /v1/chat/stream likewise, first chunk", "ms",
			less(took["stream with"], took["stream without"], took["direct stream"])).atMost(addedMS),
		median("P1", "POST /v1/chat with the model, whole, with search and commit", "ms", took["chat with"]),
	}
	for _, name := range []string{"LiteLLM", "Portkey"} {
		times := timesLiteLLM
		if name == "Portkey" {
			times = timesPortkey
		}
		if len(took[name]) == 0 {
			rows = append(rows, missing("P1", "model call", name, reason(gates, name)))
			continue
		}
		call.All, first.All = nil, nil
		rows = append(rows,
			call.beside(name, quantile(less(took[name], took["direct"]), .5)).less(times),
			first.beside(name, quantile(less(took[name+" stream"], took["direct stream"]), .5)).less(times))
	}
	return rows
}

// modelCPU is the processor time of a request: of the service's way, of a whole chat, and of the gateways.
func (b *bench) modelCPU(ctx context.Context, h *house, steps []step, gates []gateway) ([]Row, error) {
	repeat := func(name string, spent func() (float64, error)) (float64, error) {
		before, err := spent()
		if err != nil {
			return 0, err
		}
		for _, s := range steps {
			for i := 0; s.name == name && i < b.opts.Rounds; i++ {
				if _, err := s.do(ctx, 1000+i); err != nil {
					return 0, err
				}
			}
		}
		after, err := spent()
		return (after - before) / float64(b.opts.Rounds), err
	}
	var problem error
	spent := func(name string, by func() (float64, error)) float64 {
		v, err := repeat(name, by)
		if err != nil {
			problem = err
		}
		return v
	}
	call := figure("P1", "processor time of a model call, above that of a direct one", "ms", spent("call", own)-spent("direct", own)).atMost(cpuMS)
	rows := []Row{call, figure("P1", "processor time of a whole chat with the model, above one without", "ms",
		spent("chat with", h.worked)-spent("chat without", h.worked)).atMost(cpuMS)}
	for _, g := range gates {
		if g.process != nil {
			call.Target, call.Met = "", nil
			rows = append(rows, call.beside(g.name, spent(g.name, g.worked)))
		}
	}
	return rows, problem
}

// own is the processor time of this process, in milliseconds.
func own() (float64, error) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return milliseconds(time.Duration(used.Utime.Nano() + used.Stime.Nano())), err
}
