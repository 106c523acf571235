package main

import (
	"encoding/json"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

const common = `
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key, x-ogen-custom-security: true}
  parameters:
    Key: {name: Idempotency-Key, in: header, schema: {type: string}}
  headers:
    RequestId: {schema: {type: string}}
    RateLimitLimit: {schema: {type: integer}}
    RateLimitRemaining: {schema: {type: integer}}
    RateLimitReset: {schema: {type: integer}}
    RateLimitPolicy: {schema: {type: string}}
  responses:
    NotFound: {description: Not found., content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
    TooManyRequests: {description: Slow down., content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
    Unavailable: {description: Away for now., content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
    InternalError: {description: Ours., content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
    NotImplemented: {description: Not built., content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
  schemas:
    Detail: {type: object, properties: {path: {type: string}}}
    Error: {type: object, properties: {error: {type: string}, details: {type: array, items: {$ref: "#/components/schemas/Detail"}}}}
    Unused: {type: string}
`

const api = `
openapi: 3.1.0
info: {title: T, version: "1"}
paths:
  /things/{id}:
    get: # a comment
      operationId: getThing
      x-ogen-operation-group: Things
      x-access: key
      x-rate: {class: key_other, by: key}
      security: [{key: []}]
      responses:
        "200": {description: It., content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}
        "403": {description: Own., content: {application/json: {schema: {type: object, properties: {mode: {type: string}}}}}}
        "404": {$ref: "./common.yaml#/components/responses/NotFound"}
        "429": {$ref: "./common.yaml#/components/responses/TooManyRequests"}
        "500": {$ref: "./common.yaml#/components/responses/InternalError"}
  /stream:
    post:
      operationId: stream
      x-ogen-operation-group: Things
      x-access: public
      x-rate: none
      x-idempotent: true
      x-slow: true
      parameters: [{$ref: "./common.yaml#/components/parameters/Key"}]
      security: []
      responses:
        "200":
          description: Frames.
          headers: {RateLimit-Limit: {schema: {type: integer}}, Cache-Control: {schema: {type: string}}}
          content: {application/json: {schema: {type: string}}, text/event-stream: {schema: {type: string}}}
        "404": {$ref: "./common.yaml#/components/responses/NotFound"}
components:
  securitySchemes:
    key: {$ref: "./common.yaml#/components/securitySchemes/key"}
  schemas:
    Thing:
      type: object
      properties:
        at: {type: string, example: 2026-01-31}
        mode: {type: string, enum: ["on", "off"]}
        data: {$ref: "#/components/schemas/Data"}
    Data: {x-ogen-any: true, description: Any., anyOf: [{type: string}, {type: object, additionalProperties: true}]}
`

// sources writes a contract of three equal APIs and returns its folder.
func sources(t *testing.T, document, unbuilt string) string {
	t.Helper()
	folder := t.TempDir()
	files := map[string]string{"common.yaml": common, "not_implemented.txt": unbuilt}
	for _, name := range apis() {
		files[name+".yaml"] = document
	}
	for name, content := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	return folder
}

func read(t *testing.T, path string) *yaml.Node {
	t.Helper()
	root, err := readYAML(path)
	require.NoError(t, err)
	return root
}

func keys(n *yaml.Node) []string {
	var out []string
	for i := 0; i < len(children(n)); i += 2 {
		out = append(out, n.Content[i].Value)
	}
	return out
}

func TestPublish(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	require.NoError(t, run([]string{"publish", sources(t, api, "# none built\nstream # later\n"), out}))

	data, err := os.ReadFile(filepath.Join(out, "main.yaml"))
	require.NoError(t, err)
	require.NotContains(t, string(data), "x-")
	require.NotContains(t, string(data), "common.yaml")
	require.NotContains(t, string(data), "Unused")
	require.NotContains(t, string(data), "a comment")

	root := read(t, filepath.Join(out, "main.yaml"))
	get200 := get(root, "paths", "/things/{id}", "get", "responses", "200")
	require.Equal(t, []string{"X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy"},
		keys(get(get200, "headers")))
	require.Equal(t, []string{"200", "403", "404", "429", "500", "503"}, keys(get(root, "paths", "/things/{id}", "get", "responses")))
	require.Equal(t, []string{"200", "404", "501"}, keys(get(root, "paths", "/stream", "post", "responses")))
	for _, name := range []string{"NotFound", "TooManyRequests", "NotImplemented"} {
		require.NotNil(t, get(root, "components", "responses", name, "headers", "X-Request-Id"), name)
	}
	require.NotNil(t, get(root, "components", "schemas", "Detail"))
	require.Equal(t, "X-Key", get(root, "components", "securitySchemes", "key", "name").Value)
}

func TestPublishWritesTheSameInYAMLAndJSON(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	require.NoError(t, run([]string{"publish", sources(t, api, ""), out}))

	var fromYAML, fromJSON any
	data, err := os.ReadFile(filepath.Join(out, "main.yaml"))
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(data, &fromYAML))
	require.Contains(t, string(data), `"2026-01-31"`)
	require.Contains(t, string(data), `"off"`)
	data, err = os.ReadFile(filepath.Join(out, "main.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &fromJSON))
	require.Equal(t, fromJSON, fromYAML)
}

func TestGenerator(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	require.NoError(t, run([]string{"generator", sources(t, api, ""), out}))

	root := read(t, filepath.Join(out, "main.yaml"))
	require.Equal(t, []string{"200", "403", "default"}, keys(get(root, "paths", "/things/{id}", "get", "responses")))
	require.Equal(t, "#/components/schemas/Error",
		refOf(get(root, "components", "responses", "Error", "content", "application/json", "schema")))
	require.Equal(t, []string{"description"}, keys(get(root, "components", "schemas", "Data")))

	stream := get(root, "paths", "/stream", "post")
	require.Nil(t, get(stream, "x-ogen-operation-group"))
	require.Equal(t, []string{"text/event-stream"}, keys(get(stream, "responses", "200", "content")))
	require.Equal(t, "true", get(stream, "responses", "200", "content", "text/event-stream", "x-ogen-raw-response").Value)
	require.Equal(t, []string{"Cache-Control"}, keys(get(stream, "responses", "200", "headers")))
}

// oneAPI writes a contract whose first document alone has operations.
func oneAPI(t *testing.T, document string) string {
	t.Helper()
	folder := sources(t, "openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\npaths: {}\ncomponents: {schemas: {}}\n", "")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.yaml"), []byte(document), 0o600))
	return folder
}

func TestOperations(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	require.NoError(t, run([]string{"operations", oneAPI(t, api), out}))
	data, err := os.ReadFile(filepath.Join(out, "operations.go"))
	require.NoError(t, err)
	require.Contains(t, string(data), `
	case "getThing":
		return Operation{ID: id, API: "main", Access: Key, Rate: limits.RateKeyOther, By: ByKey}, true
	case "stream":
		return Operation{ID: id, API: "main", Access: Public, Idempotent: true, Slow: true, Streams: true}, true
	}
`)
	require.Contains(t, string(data), "\t\t\"getThing\",\n\t\t\"stream\",\n")
	formatted, err := format.Source(data)
	require.NoError(t, err)
	require.Equal(t, string(formatted), string(data))
}

func TestOperations_refuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ old, replacement, want string }{
		"no access":              {"x-access: key", "deprecated: true", "getThing: x-access is missing"},
		"an unknown access":      {"x-access: key", "x-access: anyone", `getThing: x-access is "anyone": use one of browser, key, provider, public, user`},
		"no rate":                {"x-rate: none", "deprecated: true", "stream: x-rate is missing"},
		"an unknown rate":        {"class: key_other", "class: often", `getThing: x-rate has the class "often"`},
		"an unknown subject":     {"by: key}", "by: moon}", `getThing: x-rate counts by "moon"`},
		"a flag that is off":     {"x-slow: true", "x-slow: false", `stream: x-slow is "false"`},
		"a key without its fact": {"      x-idempotent: true\n", "", "stream: x-idempotent and the parameter Idempotency-Key must stand together"},
		"one id twice":           {"operationId: stream", "operationId: getThing", "getThing: two operations"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, api, tc.old)
			err := run([]string{"operations", oneAPI(t, strings.Replace(api, tc.old, tc.replacement, 1)), t.TempDir()})
			require.ErrorContains(t, err, tc.want)
		})
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	replaced := func(old, replacement string) string { return strings.Replace(api, old, replacement, 1) }
	cases := map[string]struct{ document, unbuilt, want string }{
		"default response":     {replaced(`"403":`, `default:`), "", "default response"},
		"unknown component":    {replaced("responses/NotFound", "responses/Gone"), "", "responses/Gone"},
		"unknown operation":    {api, "getNothing\n", "getNothing"},
		"shared success":       {replaced(`"429": {$ref`, `"204": {$ref`), "", "204"},
		"name in both files":   {replaced("    Thing:\n", "    Error: {type: string}\n    Thing:\n"), "", "schemas/Error"},
		"missing operation id": {replaced("operationId: getThing", "deprecated: true"), "", "operationId"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run([]string{"publish", sources(t, tc.document, tc.unbuilt), t.TempDir()})
			require.ErrorContains(t, err, tc.want)
		})
	}
}
