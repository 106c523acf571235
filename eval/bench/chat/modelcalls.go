package chat

import (
	"context"
	"errors"
	"syscall"
	"time"

	"docqa/eval/bench/harness"
	"docqa/eval/bench/report"
	"docqa/internal/provider/llm"
	"docqa/internal/provider/llm/grounded"
	"docqa/internal/provider/llm/openai"
	"docqa/internal/provider/llm/resilient"
)

// The targets of P1.
const (
	maxAddedMS                 = .15
	maxCPUMS                   = .3
	timesLiteLLM, timesPortkey = 25., 10.
)

// ModelCalls is P1: what the service adds to the call of a model, compared with two gateways in front of the same model.
func ModelCalls(ctx context.Context, h *harness.Harness) (rows []report.Row, err error) {
	in, err := install(ctx, h, "models", 1)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.close(ctx)) }()
	with, err := h.NewProject(ctx, in.Server, "With the model", "fixed")
	if err != nil {
		return nil, err
	}
	without, err := h.NewProject(ctx, in.Server, "Without", "")
	if err != nil {
		return nil, err
	}
	gateways, stop := startGateways(ctx, in)
	defer stop()
	steps, err := in.callSteps()
	if err != nil {
		return nil, err
	}
	steps = append(steps,
		harness.Ask("chat with", in.Chat(with.Key)), harness.Ask("chat without", in.Chat(without.Key)),
		in.firstChunk("stream with", with.Key), in.firstChunk("stream without", without.Key))
	for _, g := range gateways {
		if g.process != nil {
			steps = append(steps, in.completion(g.name, g.caller), in.firstWord(g.name+" stream", g.caller))
		}
	}
	h.Progress("calling the model %d times in turns, beside %d gateways", h.Rounds, len(gateways))
	took, err := h.InTurns(ctx, h.Rounds, steps)
	if err != nil {
		return nil, err
	}
	cpu, err := in.cpuRows(ctx, steps, gateways)
	return append(callRows(took, gateways), cpu...), err
}

// callSteps call the model: directly, and through the service's own client without HTTP in front of it.
func (in *installation) callSteps() ([]harness.Step, error) {
	client := resilient.New(openai.New(openai.Options{BaseURL: in.modelURL, Model: "fixed"}), resilient.Options{Clock: in.h.Clock})
	model, err := grounded.New(client, grounded.Options{Context: 8192, MaxOutput: 1024})
	if err != nil {
		return nil, err
	}
	request := llm.Request{
		Question: "What is it?", Strict: true, Language: "auto", MaxTokens: 64, Passages: []llm.Passage{{Title: "Context", Text: passage()}},
	}
	direct := in.direct()
	return []harness.Step{
		in.completion("direct", direct), in.firstWord("direct stream", direct),
		{Name: "call", Do: func(ctx context.Context, _ int) (time.Duration, error) {
			_, err := model.Complete(ctx, request)
			return 0, err
		}},
		{Name: "call stream", Do: func(ctx context.Context, _ int) (time.Duration, error) {
			began := in.h.Clock.Now()
			var first time.Duration
			_, err := model.Stream(ctx, request, func(string) error {
				if first == 0 {
					first = in.h.Clock.Now().Sub(began)
				}
				return nil
			})
			return first, err
		}},
	}, nil
}

// completion is a step that asks c for a whole completion.
func (in *installation) completion(name string, c *harness.Caller) harness.Step {
	return harness.Step{Name: name, Do: func(ctx context.Context, _ int) (time.Duration, error) {
		return 0, c.Expect(ctx, prompt("fixed", false), "brown fox")
	}}
}

// firstWord is a step that asks c for a streamed completion and measures its second word.
func (in *installation) firstWord(name string, c *harness.Caller) harness.Step {
	return harness.Step{Name: name, Do: func(ctx context.Context, _ int) (time.Duration, error) {
		return in.h.FirstLine(ctx, c, prompt("fixed", true), harness.Marks{First: "quick", Last: "[DONE]"})
	}}
}

// firstChunk is a step that streams a chat and measures the first piece of its answer.
func (in *installation) firstChunk(name, key string) harness.Step {
	c := in.ChatStream(key)
	return harness.Step{Name: name, Do: func(ctx context.Context, i int) (time.Duration, error) {
		return in.h.FirstLine(ctx, c, harness.ChatQuestion{Question: harness.Question(i)}, harness.Marks{First: `"chunk"`, Last: `"done"`})
	}}
}

func callRows(took map[string][]float64, gateways []gateway) []report.Row {
	call := report.Median("P1", "model call by the service's client, added p50", "ms", subtract(took["call"], took["direct"])).AtMost(maxAddedMS)
	first := report.Median("P1", "the same, stream, added first byte", "ms", subtract(took["call stream"], took["direct stream"])).AtMost(maxAddedMS)
	rows := []report.Row{
		report.Median("P1", "the model's server directly, JSON", "ms", took["direct"]),
		report.Median("P1", "directly, stream, first word", "ms", took["direct stream"]),
		call, first,
		report.Median("P1", "POST /v1/chat with the model, above one without and the direct call", "ms",
			subtract(took["chat with"], took["chat without"], took["direct"])).AtMost(maxAddedMS),
		report.Median("P1", "POST /v1/chat/stream likewise, first chunk", "ms",
			subtract(took["stream with"], took["stream without"], took["direct stream"])).AtMost(maxAddedMS),
		report.Median("P1", "POST /v1/chat with the model, whole, with search and commit", "ms", took["chat with"]),
	}
	call.All, first.All = nil, nil
	for _, g := range gateways {
		if len(took[g.name]) == 0 {
			rows = append(rows, report.Missing("P1", "model call", g.name, g.problem))
			continue
		}
		rows = append(rows,
			call.ComparedWith(g.name, report.Quantile(subtract(took[g.name], took["direct"]), .5)).TimesLess(g.times),
			first.ComparedWith(g.name, report.Quantile(subtract(took[g.name+" stream"], took["direct stream"]), .5)).TimesLess(g.times))
	}
	return rows
}

// subtract returns a minus others, round by round.
func subtract(a []float64, others ...[]float64) []float64 {
	out := make([]float64, len(a))
	for i := range a {
		out[i] = a[i]
		for _, b := range others {
			out[i] -= b[i]
		}
	}
	return out
}

// cpuRows measure the processor time of a request: by the service's client, of a whole chat, and by the gateways.
func (in *installation) cpuRows(ctx context.Context, steps []harness.Step, gateways []gateway) ([]report.Row, error) {
	var errs []error
	perRequest := func(name string, used func() (float64, error)) float64 {
		v, err := in.cpuPerRequest(ctx, steps, name, used)
		errs = append(errs, err)
		return v
	}
	call := report.Figure("P1", "processor time of a model call, above that of a direct one", "ms",
		perRequest("call", ownCPU)-perRequest("direct", ownCPU)).AtMost(maxCPUMS)
	rows := []report.Row{call, report.Figure("P1", "processor time of a whole chat with the model, above one without", "ms",
		perRequest("chat with", in.CPUMilliseconds)-perRequest("chat without", in.CPUMilliseconds)).AtMost(maxCPUMS)}
	for _, g := range gateways {
		if g.process != nil {
			rows = append(rows, call.WithoutTarget().ComparedWith(g.name, perRequest(g.name, g.process.CPUMilliseconds)))
		}
	}
	return rows, errors.Join(errs...)
}

// cpuPerRequest repeats the step called name and returns the processor time of one repetition, in milliseconds.
func (in *installation) cpuPerRequest(ctx context.Context, steps []harness.Step, name string, used func() (float64, error)) (float64, error) {
	before, err := used()
	if err != nil {
		return 0, err
	}
	for _, s := range steps {
		for i := 0; s.Name == name && i < in.h.Rounds; i++ {
			if _, err := s.Do(ctx, 1000+i); err != nil {
				return 0, err
			}
		}
	}
	after, err := used()
	return (after - before) / float64(in.h.Rounds), err
}

// ownCPU returns the processor time of this process, in milliseconds.
func ownCPU() (float64, error) {
	var used syscall.Rusage
	err := syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return report.Milliseconds(time.Duration(used.Utime.Nano() + used.Stime.Nano())), err
}
