package main_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The limits on the initialisation of all packages. It matters because every document is read
// in a process of its own.
const (
	initBytes        = 5 << 20
	initAllocations  = 43_000
	initMilliseconds = 10.0
	initRuns         = 12
	maxInitRuns      = 100 // a busy machine needs more runs to find the shortest time of each package

	// yardstickMilliseconds is the result of yardstick on the machine for which the limits
	// were set.
	yardstickMilliseconds = 1.0
)

// costs are the costs of one package or of all.
type costs struct {
	milliseconds       float64
	bytes, allocations int
}

// TestPackageInitialisation compares the initialisation that the runtime reports with the
// limits. Bytes and allocations are the same in every run and have tight limits. The time is
// the sum of each package's shortest time; it shows costs that are neither.
func TestPackageInitialisation(t *testing.T) { //nolint:paralleltest // it measures time
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

// traceInitialisation runs the program once and records the costs of its packages.
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

// yardstick measures the shortest time of this machine for work like that of initialisation:
// 10,000 entries into a map, in milliseconds.
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
