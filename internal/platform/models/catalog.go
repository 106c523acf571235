package models

import (
	"slices"

	"docqa/internal/platform/limits"
)

// Extractive is the id of the built-in model: it composes answers from sentences of
// the documents and needs nothing outside the service. Its provider has the same name.
const Extractive = "extractive"

// The other providers.
const (
	Bedrock   = "bedrock"
	OpenAI    = "openai" // and every server that speaks its protocol
	Anthropic = "anthropic"
)

// Model is one entry of the catalog.
type Model struct {
	ID        string `yaml:"id"` // public
	Name      string `yaml:"name"`
	Provider  string `yaml:"provider"`
	Target    string `yaml:"model"`             // the provider's own id: a name, or an ARN
	BaseURL   string `yaml:"base_url"`          // empty: the provider's public address
	Region    string `yaml:"region"`            // Bedrock; empty: the ARN's
	KeyEnv    string `yaml:"key_env"`           // the variable that holds the key; empty: no key, or AWS' own ways
	Plan      string `yaml:"plan"`              // the smallest plan that may use it; empty: growth
	Context   int    `yaml:"context_tokens"`    // limit on the question, the passages and the answer together
	MaxOutput int    `yaml:"max_output_tokens"` // of one answer

	// FixedTemperature is for models that refuse a temperature in the request.
	FixedTemperature bool `yaml:"fixed_temperature"`
}

// Catalog is the list of curated models; the first one is the platform's default.
// It does not change once it is made.
type Catalog struct {
	list []Model
	keys map[string]string // by the name of the variable
}

// New returns a catalog whose default is first.
func New(first Model, others ...Model) *Catalog {
	return &Catalog{list: append([]Model{first}, others...), keys: map[string]string{}}
}

// Default returns the id of the platform's default model.
func (c *Catalog) Default() string { return c.list[0].ID }

// Has tells whether id names a curated model.
func (c *Catalog) Has(id string) bool { return c.index(id) >= 0 }

// List returns the models, the default first.
func (c *Catalog) List() []Model { return slices.Clone(c.list) }

// Key returns the secret that m is called with; empty where it needs none.
func (c *Catalog) Key(m Model) string { return c.keys[m.KeyEnv] }

// PlanFor returns the smallest plan that may use the model id: any plan for the default model;
// for the others what the catalog says, or Growth.
//
// Source: main API section 2 (chatModelArn).
func (c *Catalog) PlanFor(id string) string {
	i := c.index(id)
	if i == 0 {
		return limits.PlanFree
	}
	if i < 0 || !limits.PlanIncludes(c.list[i].Plan, limits.PlanGrowth) {
		return limits.PlanGrowth
	}
	return c.list[i].Plan
}

func (c *Catalog) index(id string) int {
	return slices.IndexFunc(c.list, func(m Model) bool { return m.ID == id })
}
