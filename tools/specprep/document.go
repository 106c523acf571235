package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	commonPrefix = "./common.yaml#/components/"
	localPrefix  = "#/components/"
)

// document is one API, with every part of common.yaml it uses copied in.
type document struct {
	root   *yaml.Node
	common *yaml.Node
	copied map[string]bool // "section/name" of the parts that came from common.yaml
}

// load reads one API and makes it self-contained.
func load(folder, api string) (*document, error) {
	root, err := readYAML(filepath.Join(folder, api+".yaml"))
	if err != nil {
		return nil, err
	}
	common, err := readYAML(filepath.Join(folder, "common.yaml"))
	if err != nil {
		return nil, err
	}
	d := &document{root: root, common: common, copied: map[string]bool{}}
	return d, d.copyCommon()
}

func readYAML(path string) (*yaml.Node, error) {
	data, err := os.ReadFile(path) //nolint:gosec // the caller names the sources
	if err != nil {
		return nil, err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return plain(doc.Content[0]), nil
}

// copyCommon copies in the shared components that the document points at, directly or through others.
func (d *document) copyCommon() error {
	components := ensure(d.root, "components")
	var errs []error
	for s := 0; s < len(components.Content); s += 2 {
		section, members := components.Content[s].Value, components.Content[s+1]
		var namesakes []string
		drop(members, func(name string, value *yaml.Node) bool {
			same := refOf(value) == commonPrefix+section+"/"+name
			if same {
				namesakes = append(namesakes, section+"/"+name)
			}
			return same
		})
		for _, target := range namesakes {
			errs = append(errs, d.copyComponent(target))
		}
	}
	return errors.Join(append(errs, d.copyTargets(d.root, commonPrefix))...)
}

// copyTargets copies every component that a reference below n with the given prefix points at.
func (d *document) copyTargets(n *yaml.Node, prefix string) error {
	var errs []error
	walk(n, func(n *yaml.Node) {
		target, ok := strings.CutPrefix(refOf(n), prefix)
		if !ok {
			return
		}
		get(n, "$ref").Value = localPrefix + target
		errs = append(errs, d.copyComponent(target))
	})
	return errors.Join(errs...)
}

// copyComponent copies one component of common.yaml, "section/name", and what it points at.
func (d *document) copyComponent(target string) error {
	if d.copied[target] {
		return nil
	}
	section, name, _ := strings.Cut(target, "/")
	source := get(d.common, "components", section, name)
	if source == nil {
		return fmt.Errorf("common.yaml has no component %s", target)
	}
	members := ensure(get(d.root, "components"), section)
	if get(members, name) != nil {
		return fmt.Errorf("component %s stands in the document and in common.yaml", target)
	}
	d.copied[target] = true
	component := plain(source)
	set(members, name, component)
	return d.copyTargets(component, localPrefix)
}

// operations calls visit for every operation, in the order of the document.
func (d *document) operations(visit func(op *yaml.Node)) {
	paths := get(d.root, "paths")
	for i := 0; i < len(children(paths)); i += 2 {
		item := paths.Content[i+1]
		for j := 0; j < len(item.Content); j += 2 {
			if isMethod(item.Content[j].Value) {
				visit(item.Content[j+1])
			}
		}
	}
}

// errorSchema returns the reference of the one schema that all shared errors of the document have.
func (d *document) errorSchema() (string, error) {
	found := ""
	var err error
	d.operations(func(op *yaml.Node) {
		responses := get(op, "responses")
		for i := 0; i < len(children(responses)); i += 2 {
			name, ok := strings.CutPrefix(refOf(responses.Content[i+1]), localPrefix+"responses/")
			if !ok || !isError(responses.Content[i].Value) {
				continue
			}
			schema := refOf(get(d.root, "components", "responses", name, "content", "application/json", "schema"))
			if schema == "" || (found != "" && schema != found) {
				err = fmt.Errorf("response %s has schema %q, others have %q", name, schema, found)
			}
			found = schema
		}
	})
	return found, err
}

// useResponse makes a response of common.yaml available under its name, with the document's own error schema.
func (d *document) useResponse(name string) error {
	responses := ensure(get(d.root, "components"), "responses")
	if get(responses, name) != nil {
		return nil
	}
	schema, err := d.errorSchema()
	if err != nil {
		return err
	}
	response := plain(get(d.common, "components", "responses", name))
	set(get(response, "content", "application/json"), "schema", reference(schema))
	set(responses, name, response)
	return nil
}

// children returns the content of a node, none where there is no node.
func children(n *yaml.Node) []*yaml.Node {
	if n == nil {
		return nil
	}
	return n.Content
}
