package models

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:embed models.yaml
var builtIn []byte

// file is the written form of a catalog.
type file struct {
	Default string  `yaml:"default"`
	Models  []Model `yaml:"models"`
}

// Read reads a catalog and adds its models to the built-in one; a model whose id is known
// replaces the built-in one. lookup finds the keys under the names that the models give. Each
// returned problem is one line; with a problem the catalog must not be used.
func Read(data []byte, lookup func(string) (string, bool)) (*Catalog, []string) {
	base, problems := parse(builtIn)
	own, wrong := parse(data)
	if problems = append(problems, wrong...); len(problems) > 0 {
		return nil, problems
	}
	problems = own.duplicates()
	merged := base.with(own)
	c := &Catalog{keys: map[string]string{}}
	for i := range merged.Models {
		m := &merged.Models[i]
		m.complete()
		problems = append(problems, m.problems()...)
		if m.KeyEnv == "" {
			continue
		}
		key, ok := lookup(m.KeyEnv)
		if !ok || key == "" {
			problems = append(problems, fmt.Sprintf("model %s: %s is not set", m.name(), m.KeyEnv))
		}
		c.keys[m.KeyEnv] = key
	}
	first := slices.IndexFunc(merged.Models, func(m Model) bool { return m.ID == merged.Default })
	if first < 0 {
		return nil, append(problems, fmt.Sprintf("default: there is no model %q", merged.Default))
	}
	c.list = append(c.list, merged.Models[first])
	c.list = append(c.list, slices.Delete(slices.Clone(merged.Models), first, first+1)...)
	if plan := c.list[0].Plan; plan != "" && plan != "free" {
		problems = append(problems, "default: every plan has it, so its model must not name one")
	}
	return c, problems
}

// parse reads YAML and refuses unknown members.
func parse(data []byte) (f file, problems []string) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	err := dec.Decode(&f)
	if err == nil || errors.Is(err, io.EOF) {
		return f, nil
	}
	lines := []string{err.Error()}
	if all, ok := errors.AsType[*yaml.TypeError](err); ok {
		lines = all.Errors
	}
	for _, line := range lines {
		problems = append(problems, "no catalog: "+strings.Join(strings.Fields(line), " "))
	}
	return f, problems
}

func (f file) duplicates() []string {
	var problems []string
	for i, m := range f.Models {
		if slices.ContainsFunc(f.Models[:i], func(o Model) bool { return o.ID == m.ID }) {
			problems = append(problems, fmt.Sprintf("model %s: is there twice", m.name()))
		}
	}
	return problems
}

// with returns f with the models of own added or replaced.
func (f file) with(own file) file {
	if own.Default != "" {
		f.Default = own.Default
	}
	for _, m := range own.Models {
		if i := slices.IndexFunc(f.Models, func(o Model) bool { return o.ID == m.ID }); i >= 0 {
			f.Models[i] = m
			continue
		}
		f.Models = append(f.Models, m)
	}
	return f
}
