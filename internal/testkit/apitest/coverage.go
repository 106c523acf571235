package apitest

import (
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// coverage records which statuses a test has received from which operations.
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

// Cover fails t at its end if the test did not receive a status that the contract lists for
// one of the operations. It does not ask for statuses that any operation may answer: the tests
// of the edge cover those. It checks nothing if the command line selects subtests, because
// those receive only some of the statuses.
func (e *Env) Cover(t *testing.T, operationIDs ...string) {
	t.Helper()
	if choosesSubtests() {
		return
	}
	list := Operations(t)
	t.Cleanup(func() {
		e.covered.mu.Lock()
		defer e.covered.mu.Unlock()
		for _, id := range operationIDs {
			i := slices.IndexFunc(list, func(o Operation) bool { return o.ID == id })
			require.GreaterOrEqual(t, i, 0, "the contract has no operation %s", id)
			for _, status := range list[i].Statuses {
				if !slices.Contains(list[i].Any, status) {
					require.Contains(t, e.covered.seen[id], status, "%s: no test brings about this status", id)
				}
			}
		}
	})
}

// choosesSubtests tells whether the command line selects subtests, such as go test -run
// 'TestChat/401'.
func choosesSubtests() bool {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && strings.Contains(f.Value.String(), "/") {
			return true
		}
	}
	return false
}
