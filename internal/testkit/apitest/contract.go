package apitest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/openapi"
)

// Operation is one operation of the published contract.
type Operation struct {
	ID         string
	Method     string
	Path       string            // with its variables, e.g. /v1/projects/{projectId}
	Statuses   []int             // the statuses that the contract lists
	Any        []int             // those of Statuses that any operation may answer: 429, 500, and 503 while the database cannot be reached
	Schemes    []string          // the credentials that it accepts
	Public     bool              // accepts calls without a credential
	Body       json.RawMessage   // the contract's example; nil if there is no body
	PathValues map[string]string // the contract's examples
}

// Fill returns the path with values for its variables. Variables without a value get the
// contract's example.
func (o Operation) Fill(values map[string]string) string {
	path := o.Path
	for name, example := range o.PathValues {
		if v, ok := values[name]; ok {
			example = v
		}
		path = strings.ReplaceAll(path, "{"+name+"}", example)
	}
	return path
}

// Operations returns the operations of the three APIs.
func Operations(t *testing.T) []Operation {
	t.Helper()
	list, err := published()
	require.NoError(t, err)
	return list
}

var published = sync.OnceValues(readContract)

type document struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct{ Parameters map[string]parameter }
}

type parameter struct {
	Ref     string `json:"$ref"`
	Name    string
	In      string
	Example any
}

func readContract() (list []Operation, err error) {
	for _, name := range []string{"main.json", "extract.json", "rag.json"} {
		data, err := openapi.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var doc document
		if err := json.Unmarshal(data, &doc); err != nil {
			return nil, err
		}
		for path, item := range doc.Paths {
			for _, method := range []string{"get", "post", "put", "patch", "delete"} {
				if item[method] == nil {
					continue
				}
				op, err := doc.read(path, method, item)
				if err != nil {
					return nil, err
				}
				list = append(list, op)
			}
		}
	}
	slices.SortFunc(list, func(a, b Operation) int { return strings.Compare(a.Path+a.Method, b.Path+b.Method) })
	return list, nil
}

func (d *document) read(path, method string, item map[string]json.RawMessage) (Operation, error) {
	var doc struct {
		OperationID string
		Responses   map[string]json.RawMessage
		Security    []map[string]json.RawMessage
		Parameters  []parameter
		RequestBody struct {
			Content map[string]struct {
				Example  json.RawMessage
				Examples map[string]struct{ Value json.RawMessage }
			}
		}
	}
	op := Operation{Method: strings.ToUpper(method), Path: path, PathValues: map[string]string{}}
	if err := json.Unmarshal(item[method], &doc); err != nil {
		return op, err
	}
	op.ID = doc.OperationID
	for status, response := range doc.Responses {
		code, err := strconv.Atoi(status)
		if err != nil {
			return op, err
		}
		op.Statuses = append(op.Statuses, code)
		if code == http.StatusTooManyRequests || code == http.StatusInternalServerError || strings.Contains(string(response), `responses/Unavailable"`) {
			op.Any = append(op.Any, code)
		}
	}
	slices.Sort(op.Statuses)
	for _, requirement := range doc.Security {
		for scheme := range requirement {
			op.Schemes = append(op.Schemes, scheme)
		}
		if len(requirement) == 0 {
			op.Public = true
		}
	}
	op.Public = op.Public || len(doc.Security) == 0
	content := doc.RequestBody.Content["application/json"]
	op.Body = content.Example
	for _, example := range content.Examples {
		op.Body = example.Value
	}
	var shared []parameter
	if item["parameters"] != nil {
		if err := json.Unmarshal(item["parameters"], &shared); err != nil {
			return op, err
		}
	}
	for _, p := range append(shared, doc.Parameters...) {
		if p.Ref != "" {
			p = d.Components.Parameters[p.Ref[strings.LastIndexByte(p.Ref, '/')+1:]]
		}
		if text, ok := p.Example.(string); ok && p.In == "path" {
			op.PathValues[p.Name] = text
		}
	}
	return op, nil
}

// find returns the operation of a request. A path with a fixed segment is preferred to one
// with a variable.
func find(t *testing.T, method, path string) (found Operation, ok bool) {
	t.Helper()
	path, _, _ = strings.Cut(path, "?")
	literals := -1
	for _, op := range Operations(t) {
		if static, fits := op.fits(method, strings.Split(path, "/")); fits && static > literals {
			found, ok, literals = op, true, static
		}
	}
	return found, ok
}

func (o Operation) fits(method string, segments []string) (static int, ok bool) {
	own := strings.Split(o.Path, "/")
	if o.Method != method || len(own) != len(segments) {
		return 0, false
	}
	for i, want := range own {
		if strings.HasPrefix(want, "{") {
			continue
		}
		if want != segments[i] {
			return 0, false
		}
		static++
	}
	return static, true
}
