package models

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"docqa/internal/platform/limits"
)

// Defaults for a model whose entry does not name its limits: small enough for every model in
// use.
const (
	defaultContext   = 8192
	defaultMaxOutput = 1024
	leastContext     = 1024
	leastOutput      = 64
)

// complete sets what the entry of a model leaves out.
func (m *Model) complete() {
	m.Name = cmp.Or(m.Name, m.ID)
	if m.Provider == Extractive {
		return
	}
	m.Context = cmp.Or(m.Context, defaultContext)
	m.MaxOutput = cmp.Or(m.MaxOutput, defaultMaxOutput)
	if parts := strings.Split(m.Target, ":"); m.Region == "" && len(parts) > 3 && parts[0] == "arn" {
		m.Region = parts[3]
	}
}

// name is how a problem names the model.
func (m *Model) name() string { return strconv.Quote(m.ID) }

// problems says what is wrong with a completed model, one line each.
func (m *Model) problems() []string {
	var out []string
	add := func(format string, args ...any) {
		out = append(out, fmt.Sprintf("model %s: ", m.name())+fmt.Sprintf(format, args...))
	}
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$`).MatchString(m.ID) {
		add("id: must be 1 to 100 of letters, digits and . _ : / -")
	}
	if m.ID == Extractive && m.Provider != Extractive {
		add("provider: the id stands for the built-in model")
	}
	if m.Plan != "" && !slices.Contains(limits.PlanNames(), m.Plan) {
		add("plan: must be one of %s", strings.Join(limits.PlanNames(), ", "))
	}
	switch m.Provider {
	case Extractive:
		return out
	case Bedrock:
		if m.Region == "" {
			add("region: is required where the model is no ARN")
		}
	case OpenAI, Anthropic:
	default:
		add("provider: must be extractive, bedrock, openai or anthropic")
		return out
	}
	if m.Target == "" {
		add("model: is required")
	}
	if m.Provider == Anthropic && m.KeyEnv == "" {
		add("key_env: is required")
	}
	if u, err := url.Parse(m.BaseURL); m.BaseURL != "" &&
		(err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil) {
		add("base_url: must be an http or https URL without credentials")
	}
	if m.MaxOutput < leastOutput {
		add("max_output_tokens: must be at least %d", leastOutput)
	}
	if m.Context < leastContext || m.Context < 2*m.MaxOutput {
		add("context_tokens: must be at least %d and twice max_output_tokens", leastContext)
	}
	return out
}
