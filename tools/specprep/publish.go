package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// limitHeaders are the headers of every answer of an operation with a rate limit.
func limitHeaders() [][2]string {
	return [][2]string{
		{"RateLimit-Limit", "RateLimitLimit"},
		{"RateLimit-Remaining", "RateLimitRemaining"},
		{"RateLimit-Reset", "RateLimitReset"},
		{"RateLimit-Policy", "RateLimitPolicy"},
	}
}

// publishAll writes the published form of every API and the Go file that embeds them.
func publishAll(docs map[string]*document, source, out string) error {
	unbuilt, err := readList(filepath.Join(source, "not_implemented.txt"))
	if err != nil {
		return err
	}
	for _, api := range apis() {
		doc := docs[api]
		if err := doc.forPartners(unbuilt); err != nil {
			return fmt.Errorf("%s: %w", api, err)
		}
		if err := writeYAML(filepath.Join(out, api+".yaml"), doc.root); err != nil {
			return err
		}
		if err := writeJSON(filepath.Join(out, api+".json"), doc.root); err != nil {
			return err
		}
	}
	for id, seen := range unbuilt {
		if !seen {
			return fmt.Errorf("not_implemented.txt names %s, which no document has", id)
		}
	}
	return writeEmbed(filepath.Join(out, "embed.go"))
}

// readList reads one name a line; # starts a comment. The value tells whether the name was met, false at first.
func readList(path string) (map[string]bool, error) {
	data, err := os.ReadFile(path) //nolint:gosec // the caller names the sources
	if err != nil {
		return nil, err
	}
	list := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		name, _, _ := strings.Cut(line, "#")
		if name = strings.TrimSpace(name); name != "" {
			list[name] = false
		}
	}
	return list, nil
}

// forPartners adds what every answer has, and removes what only the generator reads.
func (d *document) forPartners(unbuilt map[string]bool) error {
	var errs []error
	d.operations(func(op *yaml.Node) { errs = append(errs, d.completeOperation(op, unbuilt)) })
	responses := get(d.root, "components", "responses")
	for i := 0; i < len(children(responses)); i += 2 {
		errs = append(errs, d.addHeader(responses.Content[i+1], "X-Request-Id", "RequestId"))
	}
	walk(d.root, func(n *yaml.Node) {
		if n.Kind == yaml.MappingNode {
			drop(n, func(key string, _ *yaml.Node) bool { return strings.HasPrefix(key, "x-ogen-") || isFact(key) })
		}
	})
	return errors.Join(errs...)
}

func (d *document) completeOperation(op *yaml.Node, unbuilt map[string]bool) error {
	id := get(op, "operationId")
	if id == nil {
		return errors.New("an operation has no operationId")
	}
	responses := get(op, "responses")
	if get(responses, "default") != nil {
		return fmt.Errorf("%s: a default response documents every status", id.Value)
	}
	var errs []error
	if _, found := unbuilt[id.Value]; found {
		unbuilt[id.Value] = true
		errs = append(errs, d.useResponse("NotImplemented"))
		set(responses, "501", reference(localPrefix+"responses/NotImplemented"))
	}
	if get(responses, "500") != nil && get(responses, "503") == nil {
		errs = append(errs, d.useResponse("Unavailable"))
		set(responses, "503", reference(localPrefix+"responses/Unavailable"))
	}
	limited := get(responses, "429") != nil
	for i := 0; i < len(responses.Content); i += 2 {
		status, response := responses.Content[i].Value, responses.Content[i+1]
		if refOf(response) != "" {
			if !isError(status) {
				errs = append(errs, fmt.Errorf("%s: the %s response must stand inline", id.Value, status))
			}
			continue
		}
		errs = append(errs, d.addHeader(response, "X-Request-Id", "RequestId"))
		if limited && strings.HasPrefix(status, "2") {
			for _, h := range limitHeaders() {
				errs = append(errs, d.addHeader(response, h[0], h[1]))
			}
		}
	}
	return errors.Join(errs...)
}

// addHeader puts a shared header on a response, unless the response has one of that name.
func (d *document) addHeader(response *yaml.Node, name, component string) error {
	headers := ensure(response, "headers")
	if get(headers, name) != nil {
		return nil
	}
	set(headers, name, reference(localPrefix+"headers/"+component))
	return d.copyComponent("headers/" + component)
}
