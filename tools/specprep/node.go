package main

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// get returns the value of a key of a mapping, nil where there is none.
func get(n *yaml.Node, path ...string) *yaml.Node {
	for _, key := range path {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		i := index(n, key)
		if i < 0 {
			return nil
		}
		n = n.Content[i+1]
	}
	return n
}

// index returns where a key of a mapping stands in Content, -1 where it does not.
func index(n *yaml.Node, key string) int {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// set puts a value under a key, at the end where the key is new.
func set(n *yaml.Node, key string, value *yaml.Node) {
	if i := index(n, key); i >= 0 {
		n.Content[i+1] = value
		return
	}
	n.Content = append(n.Content, text(key), value)
}

// ensure returns the mapping under a key, and makes it where there is none.
func ensure(n *yaml.Node, key string) *yaml.Node {
	if v := get(n, key); v != nil {
		return v
	}
	v := mapping()
	set(n, key, v)
	return v
}

// drop removes the keys of a mapping for which cond holds.
func drop(n *yaml.Node, cond func(key string, value *yaml.Node) bool) {
	kept := make([]*yaml.Node, 0, len(n.Content))
	for i := 0; i < len(n.Content); i += 2 {
		if !cond(n.Content[i].Value, n.Content[i+1]) {
			kept = append(kept, n.Content[i], n.Content[i+1])
		}
	}
	n.Content = kept
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"} }

func text(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: s} }

func reference(ref string) *yaml.Node {
	n := mapping()
	set(n, "$ref", text(ref))
	return n
}

// refOf returns the target of a reference object, empty for any other node.
func refOf(n *yaml.Node) string {
	if r := get(n, "$ref"); r != nil && r.Kind == yaml.ScalarNode {
		return r.Value
	}
	return ""
}

// walk calls visit for a node and everything below it, parents first.
func walk(n *yaml.Node, visit func(*yaml.Node)) {
	visit(n)
	for _, c := range n.Content {
		walk(c, visit)
	}
}

// plain returns a copy without comments, anchors, aliases and styles, so that
// the way a source is laid out does not show in the output.
func plain(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return plain(n.Alias)
	}
	out := &yaml.Node{Kind: n.Kind, Tag: n.Tag, Value: n.Value}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == "!!timestamp" {
		out.Tag = "!!str"
	}
	if out.Tag == "!!str" && oldBool(out.Value) {
		out.Style = yaml.DoubleQuotedStyle
	}
	for _, c := range n.Content {
		out.Content = append(out.Content, plain(c))
	}
	return out
}

// oldBool tells whether a reader of YAML 1.1 takes the plain word for a boolean.
func oldBool(word string) bool {
	return slices.Contains([]string{"y", "n", "yes", "no", "on", "off"}, strings.ToLower(word))
}

func isMethod(key string) bool {
	return slices.Contains([]string{"get", "put", "post", "delete", "patch", "head", "options", "trace"}, key)
}

func isError(status string) bool {
	return strings.HasPrefix(status, "4") || strings.HasPrefix(status, "5")
}
