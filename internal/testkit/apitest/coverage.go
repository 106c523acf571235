package apitest

import (
	"flag"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

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
// not seen, but for those of any operation, which the tests of the edge bring about for all.
// It checks nothing where the command line chooses subtests: those see some of the statuses.
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

// choosesSubtests tells whether this is a run such as go test -run 'TestChat/401'.
func choosesSubtests() bool {
	for _, name := range []string{"test.run", "test.skip"} {
		if f := flag.Lookup(name); f != nil && strings.Contains(f.Value.String(), "/") {
			return true
		}
	}
	return false
}
