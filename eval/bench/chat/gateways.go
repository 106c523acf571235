package chat

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"docqa/eval/bench/harness"
	"docqa/eval/process"
)

// gateway is another product in front of the model.
type gateway struct {
	name    string
	times   float64          // how many times less the service has to add
	problem string           // why it does not run; empty if it runs
	process *process.Process // nil if it does not run
	caller  *harness.Caller
}

// startGateways starts the gateways that are installed, in front of the model's server.
func startGateways(ctx context.Context, in *installation) (list []gateway, stop func()) {
	for _, start := range []func(context.Context, *installation) (gateway, error){startLiteLLM, startPortkey} {
		g, err := start(ctx, in)
		if err != nil {
			g.problem = err.Error()
			in.h.Progress("%s: %v", g.name, err)
		}
		list = append(list, g)
	}
	return list, func() {
		for _, g := range list {
			if g.process != nil {
				_ = g.process.Stop()
			}
		}
	}
}

func startLiteLLM(ctx context.Context, in *installation) (gateway, error) {
	g := gateway{name: "LiteLLM", times: timesLiteLLM}
	program, err := in.h.Installed("litellm", "bin", "litellm")
	if err != nil {
		return g, err
	}
	config := filepath.Join(in.folder, "litellm.yaml")
	text := "model_list:\n  - model_name: fixed\n    litellm_params: {model: openai/fixed, api_base: \"" + in.modelURL + "\", api_key: none}\n" +
		"general_settings: {master_key: sk-bench}\nlitellm_settings: {telemetry: false, num_retries: 0}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return g, err
	}
	address, err := process.FreeAddress(ctx)
	if err != nil {
		return g, err
	}
	host, port, _ := strings.Cut(address, ":")
	command := exec.CommandContext(context.WithoutCancel(ctx), program, "--config", config, "--host", host, "--port", port, //nolint:gosec // from the folder of the peers
		"--num_workers", "1", "--telemetry", "False")
	command.Env = append(os.Environ(), "LITELLM_LOCAL_MODEL_COST_MAP=True")
	g.caller = harness.NewCaller("http://"+address+"/v1/chat/completions", "Authorization", "Bearer sk-bench")
	return g, g.start(ctx, in, command, address)
}

func startPortkey(ctx context.Context, in *installation) (gateway, error) {
	g := gateway{name: "Portkey", times: timesPortkey}
	program, err := in.h.Installed("portkey", "node_modules", "@portkey-ai", "gateway", "build", "start-server.js")
	if err != nil {
		return g, err
	}
	loopback, err := in.h.Installed("portkey", "loopback.cjs")
	if err != nil {
		return g, err
	}
	address, err := process.FreeAddress(ctx)
	if err != nil {
		return g, err
	}
	_, port, _ := strings.Cut(address, ":")
	command := exec.CommandContext(context.WithoutCancel(ctx), "node", "--require", loopback, program, "--headless", "--port="+port) //nolint:gosec // from the folder of the peers
	command.Env = append(os.Environ(), "NODE_ENV=production")
	g.caller = harness.NewCaller("http://"+address+"/v1/chat/completions", "x-portkey-provider", "openai", "x-portkey-custom-host", in.modelURL,
		"Authorization", "Bearer none")
	return g, g.start(ctx, in, command, address)
}

// start runs the gateway and waits until it listens at address.
func (g *gateway) start(ctx context.Context, in *installation, command *exec.Cmd, address string) (err error) {
	g.process, err = in.h.Run(ctx, command, func(ctx context.Context) bool { return process.Listens(ctx, address) })
	return err
}
