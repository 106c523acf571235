package main

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

const (
	eventStream = "text/event-stream"
	errorName   = "Error"
	rawFlag     = "x-ogen-raw-response"
	groupFlag   = "x-ogen-operation-group"
	anyFlag     = "x-ogen-any"
)

// forGenerator folds the shared errors of every operation into one default response, turns event streams into
// raw responses, and opens the schemas that Go holds as raw JSON.
func (d *document) forGenerator() error {
	if err := d.addErrorResponse(); err != nil {
		return err
	}
	d.operations(func(op *yaml.Node) {
		responses := get(op, "responses")
		drop(responses, func(status string, r *yaml.Node) bool {
			return isError(status) && strings.HasPrefix(refOf(r), localPrefix+"responses/")
		})
		set(responses, "default", reference(localPrefix+"responses/"+errorName))
		if streams(responses) {
			// The generator makes no stub for a raw operation inside a group.
			drop(op, func(key string, _ *yaml.Node) bool { return key == groupFlag })
		}
	})
	walk(d.root, func(n *yaml.Node) {
		if get(n, anyFlag) != nil {
			drop(n, func(key string, _ *yaml.Node) bool { return key != "description" })
		}
		if headers := get(n, "headers"); headers != nil && get(n, "description") != nil {
			drop(headers, func(name string, _ *yaml.Node) bool { return setByMiddleware(name) })
			drop(n, func(key string, v *yaml.Node) bool { return key == "headers" && len(v.Content) == 0 })
		}
	})
	return nil
}

// addErrorResponse adds the response that every operation gets as its default.
func (d *document) addErrorResponse() error {
	responses := ensure(get(d.root, "components"), "responses")
	if get(responses, errorName) != nil {
		return errors.New("the name Error is kept for the default response")
	}
	schema, err := d.errorSchema()
	if err != nil {
		return err
	}
	if schema == "" {
		return fmt.Errorf("no operation has a shared error to take the schema of %s from", errorName)
	}
	media := mapping()
	set(media, "schema", reference(schema))
	content := mapping()
	set(content, "application/json", media)
	response := mapping()
	set(response, "description", text("An error of any status."))
	set(response, "content", content)
	set(responses, errorName, response)
	return nil
}

// streams marks the event streams of an operation as raw and tells whether there was one. A JSON answer beside the
// stream goes: the handler of a raw operation writes either itself.
func streams(responses *yaml.Node) bool {
	found := false
	for i := 0; i < len(responses.Content); i += 2 {
		content := get(responses.Content[i+1], "content")
		stream := get(content, eventStream)
		if stream == nil {
			continue
		}
		found = true
		drop(content, func(key string, _ *yaml.Node) bool { return key != eventStream })
		set(stream, rawFlag, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	}
	return found
}

// setByMiddleware tells whether a response header is written in front of the handlers.
func setByMiddleware(name string) bool {
	return name == "X-Request-Id" || name == "Idempotency-Replayed" || strings.HasPrefix(name, "RateLimit-")
}
