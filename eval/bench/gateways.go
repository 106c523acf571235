package bench

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// gateway is another product in front of a model.
type gateway struct {
	name string
	why  string // it is not there
	*process
	caller *caller
}

// errNotInstalled says how a peer comes here.
var errNotInstalled = errors.New("not installed, see eval/peers")

// gateways starts those that are installed in front of the model's server at base.
func (b *bench) gateways(ctx context.Context, folder, base string) (list []gateway, stop func()) {
	for _, start := range []func(context.Context, string, string) (gateway, error){b.litellm, b.portkey} {
		g, err := start(ctx, folder, base)
		if err != nil {
			g.why = err.Error()
			b.say("%s: %v", g.name, err)
		}
		list = append(list, g)
	}
	return list, func() {
		for _, g := range list {
			if g.process != nil {
				_ = g.stop()
			}
		}
	}
}

func reason(gates []gateway, name string) string {
	for _, g := range gates {
		if g.name == name {
			return g.why
		}
	}
	return "it was not asked for"
}

// installed returns where a peer lies, or an error that says how to get it.
func (b *bench) installed(path ...string) (string, error) {
	full := absolute(filepath.Join(append([]string{b.opts.Peers}, path...)...))
	if _, err := os.Stat(full); err != nil {
		return "", errNotInstalled
	}
	return full, nil
}

func (b *bench) litellm(ctx context.Context, folder, base string) (gateway, error) {
	g := gateway{name: "LiteLLM"}
	program, err := b.installed("litellm", "bin", "litellm")
	if err != nil {
		return g, err
	}
	config := filepath.Join(folder, "litellm.yaml")
	text := "model_list:\n  - model_name: fixed\n    litellm_params: {model: openai/fixed, api_base: \"" + base + "\", api_key: none}\n" +
		"general_settings: {master_key: sk-bench}\nlitellm_settings: {telemetry: false, num_retries: 0}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		return g, err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return g, err
	}
	host, port, _ := strings.Cut(address, ":")
	command := exec.CommandContext(context.WithoutCancel(ctx), program, "--config", config, "--host", host, "--port", port, //nolint:gosec // of our own folder
		"--num_workers", "1", "--telemetry", "False")
	command.Env = append(os.Environ(), "LITELLM_LOCAL_MODEL_COST_MAP=True")
	g.process, err = b.start(ctx, command, func(ctx context.Context) bool { return listens(ctx, address) })
	g.caller = newCaller("http://"+address+"/v1/chat/completions", "Authorization", "Bearer sk-bench")
	return g, err
}

func (b *bench) portkey(ctx context.Context, _, base string) (gateway, error) {
	g := gateway{name: "Portkey"}
	program, err := b.installed("portkey", "node_modules", "@portkey-ai", "gateway", "build", "start-server.js")
	if err != nil {
		return g, err
	}
	local, err := b.installed("portkey", "loopback.cjs")
	if err != nil {
		return g, err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return g, err
	}
	_, port, _ := strings.Cut(address, ":")
	command := exec.CommandContext(context.WithoutCancel(ctx), "node", "--require", local, program, "--headless", "--port="+port) //nolint:gosec // of our own folder
	command.Env = append(os.Environ(), "NODE_ENV=production")
	g.process, err = b.start(ctx, command, func(ctx context.Context) bool { return listens(ctx, address) })
	g.caller = newCaller("http://"+address+"/v1/chat/completions", "x-portkey-provider", "openai", "x-portkey-custom-host", base,
		"Authorization", "Bearer none")
	return g, err
}
