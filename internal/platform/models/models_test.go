package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/limits"
	"docqa/internal/platform/models"
)

func environment(name string) (string, bool) {
	v, ok := map[string]string{"HOSTED_KEY": "secret"}[name]
	return v, ok
}

const catalog = `
default: extractive
models:
  - id: small
    name: Small
    provider: openai
    model: small-1
    base_url: http://localhost:11434/v1
  - id: large
    provider: anthropic
    model: large-1
    key_env: HOSTED_KEY
    plan: pro
    context_tokens: 200000
    max_output_tokens: 4096
  - id: regional
    provider: bedrock
    model: arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.some.model-v1:0
`

func TestRead(t *testing.T) {
	t.Parallel()
	c, problems := models.Read([]byte(catalog), environment)
	require.Empty(t, problems)
	list := c.List()
	require.Len(t, list, 4)
	require.Equal(t, models.Extractive, c.Default())
	require.Equal(t, "Small", list[1].Name)
	require.Positive(t, list[1].Context)
	require.Positive(t, list[1].MaxOutput)
	require.Empty(t, c.Key(list[1]))
	require.Equal(t, "large", list[2].Name, "the id where there is no name")
	require.Equal(t, "secret", c.Key(list[2]))
	require.Equal(t, "eu-central-1", list[3].Region)
	for id, plan := range map[string]string{
		models.Extractive: limits.PlanFree, "small": limits.PlanGrowth, "large": limits.PlanPro, "unknown": limits.PlanGrowth,
	} {
		require.Equal(t, plan, c.PlanFor(id), id)
	}
}

func TestRead_otherDefault(t *testing.T) {
	t.Parallel()
	c, problems := models.Read([]byte("default: small\nmodels: [{id: small, provider: openai, model: small-1}]"), environment)
	require.Empty(t, problems)
	require.Equal(t, "small", c.Default())
	require.True(t, c.Has(models.Extractive))
	require.Equal(t, limits.PlanFree, c.PlanFor("small"))
	require.Equal(t, limits.PlanGrowth, c.PlanFor(models.Extractive))
}

func TestRead_empty(t *testing.T) {
	t.Parallel()
	c, problems := models.Read(nil, environment)
	require.Empty(t, problems)
	require.Len(t, c.List(), 1)
	require.Equal(t, models.Extractive, c.Default())
}

func TestRead_problems(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		data string
		want []string
	}{
		"no YAML":            {"models: [", nil},
		"an unknown member":  {"models: [{id: a, provider: openai, model: b, api_key: secret}]", nil},
		"an unknown default": {"default: nothing", []string{`default: there is no model "nothing"`}},
		"a default for some": {
			"default: a\nmodels: [{id: a, provider: openai, model: b, plan: pro}]",
			[]string{"default: every plan has it, so its model must not name one"},
		},
		"twice": {"models: [{id: a, provider: openai, model: b}, {id: a, provider: openai, model: c}]", []string{`model "a": is there twice`}},
		"an unknown provider": {
			"models: [{id: a, provider: b}]",
			[]string{`model "a": provider: must be extractive, bedrock, openai or anthropic`},
		},
		"nothing but a provider": {"models: [{provider: anthropic}]", []string{
			`model "": id: must be 1 to 100 of letters, digits and . _ : / -`, `model "": model: is required`, `model "": key_env: is required`,
		}},
		"another built-in model": {
			"models: [{id: extractive, provider: openai, model: a}]",
			[]string{`model "extractive": provider: the id stands for the built-in model`},
		},
		"no region": {
			"models: [{id: a, provider: bedrock, model: b}]",
			[]string{`model "a": region: is required where the model is no ARN`},
		},
		"a URL with a password": {
			"models: [{id: a, provider: openai, model: b, base_url: 'http://u:p@h/v1'}]",
			[]string{`model "a": base_url: must be an http or https URL without credentials`},
		},
		"an unknown plan": {
			"models: [{id: a, provider: openai, model: b, plan: gold}]",
			[]string{`model "a": plan: must be one of free, growth, pro, enterprise`},
		},
		"sizes": {
			"models: [{id: a, provider: openai, model: b, context_tokens: 1, max_output_tokens: 1}]",
			[]string{
				`model "a": max_output_tokens: must be at least 64`,
				`model "a": context_tokens: must be at least 1024 and twice max_output_tokens`,
			},
		},
		"a key that is missing": {
			"models: [{id: a, provider: openai, model: b, key_env: NO_KEY}]",
			[]string{`model "a": NO_KEY is not set`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := models.Read([]byte(tt.data), environment)
			if tt.want == nil {
				require.Len(t, problems, 1)
				require.Contains(t, problems[0], "no catalog: ")
				require.NotContains(t, problems[0], "secret")
				return
			}
			require.Equal(t, tt.want, problems)
		})
	}
}
