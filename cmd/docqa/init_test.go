package main_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What the initialisation of all packages may cost. Every document is read by a process
// of its own, which pays it as well.
const (
	initBytes        = 5 << 20
	initAllocations  = 43_000
	initMilliseconds = 10.0
	initRuns         = 12
	maxInitRuns      = 100 // a busy machine takes more runs to show the shortest time of each package

	// yardstickMilliseconds is what yardstick says of the machine of the budget.
	yardstickMilliseconds = 1.0
)

// costs is what one package or all cost.
type costs struct {
	milliseconds       float64
	bytes, allocations int
}

// TestPackageInitialisation counts what the runtime reports. Bytes and allocations are
// the same in every run, so they are what the budget is about; the time, of which each
// package's shortest counts, only shows what neither does.
func TestPackageInitialisation(t *testing.T) { //nolint:paralleltest // it measures
	packages := map[string]costs{}
	budget := initMilliseconds * max(1, yardstick()/yardstickMilliseconds)
	var total costs
	for n := 0; n < initRuns || n < maxInitRuns && total.milliseconds > budget; n++ {
		traceInitialisation(t, packages)
		total = sum(packages)
	}
	require.Contains(t, packages, "docqa/gen/mainapi", "the runtime reports otherwise than this test reads")
	t.Logf("package initialisation: %d packages, %d bytes, %d allocations, %.2f ms of %.2f", len(packages), total.bytes, total.allocations, total.milliseconds, budget)
	require.LessOrEqual(t, total.bytes, initBytes, "bytes; find the package with GODEBUG=inittrace=1")
	require.LessOrEqual(t, total.allocations, initAllocations, "allocations; find the package with GODEBUG=inittrace=1")
	require.LessOrEqual(t, total.milliseconds, budget, "milliseconds; find the package with GODEBUG=inittrace=1")
}

func sum(packages map[string]costs) (total costs) {
	for _, c := range packages {
		total.milliseconds += c.milliseconds
		total.bytes += c.bytes
		total.allocations += c.allocations
	}
	return total
}

// traceInitialisation runs the program once and adds what its packages cost.
func traceInitialisation(t *testing.T, packages map[string]costs) {
	t.Helper()
	e := run(t, map[string]string{"GODEBUG": "inittrace=1"}, "version")
	require.Zero(t, e.code, e.errOut)
	for _, line := range e.lines() {
		// init PACKAGE @0.1 ms, 0.02 ms clock, 1024 bytes, 3 allocs
		var name string
		var at float64
		var c costs
		_, err := fmt.Sscanf(strings.ReplaceAll(line, ",", ""), "init %s @%f ms %f ms clock %d bytes %d allocs", &name, &at, &c.milliseconds, &c.bytes, &c.allocations)
		require.NoError(t, err, line)
		if before, ok := packages[name]; ok {
			c.milliseconds = min(c.milliseconds, before.milliseconds)
			c.bytes, c.allocations = max(c.bytes, before.bytes), max(c.allocations, before.allocations)
		}
		packages[name] = c
	}
}

// yardstick is how long this machine takes, at its best, for work of the kind that
// initialisation does: 10,000 entries into a map, in milliseconds.
func yardstick() float64 {
	best := time.Hour
	for range 200 {
		began := time.Now()
		entries := map[string]int{}
		for i := range 10_000 {
			entries[strconv.Itoa(i)] = i
		}
		best = min(best, time.Since(began))
	}
	return float64(best.Microseconds()) / 1000
}
