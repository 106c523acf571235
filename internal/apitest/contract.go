package apitest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/gen/openapi"
)

// operation is one operation of the published contract.
type operation struct {
	id       string
	method   string
	segments []string
	statuses []int
}

var published = sync.OnceValues(readContract)

func readContract() ([]operation, error) {
	var list []operation
	for _, name := range []string{"main.json", "extract.json", "rag.json"} {
		data, err := openapi.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var doc struct {
			Paths map[string]map[string]json.RawMessage `json:"paths"`
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			return nil, err
		}
		for path, methods := range doc.Paths {
			for method, raw := range methods {
				if !slices.Contains([]string{"get", "post", "put", "patch", "delete"}, method) {
					continue
				}
				op, err := readOperation(path, method, raw)
				if err != nil {
					return nil, err
				}
				list = append(list, op)
			}
		}
	}
	return list, nil
}

func readOperation(path, method string, raw json.RawMessage) (operation, error) {
	var doc struct {
		OperationID string                     `json:"operationId"`
		Responses   map[string]json.RawMessage `json:"responses"`
	}
	op := operation{method: strings.ToUpper(method), segments: strings.Split(path, "/")}
	if err := json.Unmarshal(raw, &doc); err != nil {
		return op, err
	}
	op.id = doc.OperationID
	for status := range doc.Responses {
		code, err := strconv.Atoi(status)
		if err != nil {
			return op, err
		}
		op.statuses = append(op.statuses, code)
	}
	slices.Sort(op.statuses)
	return op, nil
}

// find returns the operation that serves a request; a static segment wins over a variable.
func find(t *testing.T, method, path string) (found operation, ok bool) {
	t.Helper()
	list, err := published()
	require.NoError(t, err)
	path, _, _ = strings.Cut(path, "?")
	most := -1
	for _, op := range list {
		if static, fits := op.fits(method, strings.Split(path, "/")); fits && static > most {
			found, ok, most = op, true, static
		}
	}
	return found, ok
}

func (o operation) fits(method string, segments []string) (static int, ok bool) {
	if o.method != method || len(o.segments) != len(segments) {
		return 0, false
	}
	for i, want := range o.segments {
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

// coverage notes which statuses of which operations a test has seen.
type coverage struct {
	mu   sync.Mutex
	seen map[string][]int
}

func (c *coverage) note(op string, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil {
		c.seen = map[string][]int{}
	}
	c.seen[op] = append(c.seen[op], status)
}

// Cover fails t at its end where a status that the contract lists for an operation was
// not seen, but for 429 and 500, which the tests of the edge bring about for all.
func (e *Env) Cover(t *testing.T, operationIDs ...string) {
	t.Helper()
	list, err := published()
	require.NoError(t, err)
	t.Cleanup(func() {
		e.covered.mu.Lock()
		defer e.covered.mu.Unlock()
		for _, id := range operationIDs {
			i := slices.IndexFunc(list, func(o operation) bool { return o.id == id })
			require.GreaterOrEqual(t, i, 0, "the contract has no operation %s", id)
			for _, status := range list[i].statuses {
				if status != 429 && status != 500 {
					require.Contains(t, e.covered.seen[id], status, "%s: no test brings about this status", id)
				}
			}
		}
	})
}
