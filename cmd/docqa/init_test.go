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
	initMilliseconds = 10.0 // on a machine whose yardstick is that below
	initRuns         = 12   // at least, and until the budget is met, at most
	initRunsAtMost   = 100

	yardstickMilliseconds = 1.0
)

// TestPackageInitialisation counts what the runtime reports. The bytes are the same in
// every run; of the time each package's shortest counts, since a busy machine can only
// make it longer, and a slow machine has a larger budget.
func TestPackageInitialisation(t *testing.T) { //nolint:paralleltest // it measures
	budget := initMilliseconds * max(1, yardstick()/yardstickMilliseconds)
	shortest, bytes := map[string]float64{}, map[string]int{}
	var milliseconds float64
	for n := 0; n < initRuns || milliseconds > budget && n < initRunsAtMost; n++ {
		traceInitialisation(t, shortest, bytes)
		milliseconds = 0
		for _, clock := range shortest {
			milliseconds += clock
		}
	}
	require.Contains(t, shortest, "docqa/gen/mainapi", "the runtime reports otherwise than this test reads")
	var total int
	for _, size := range bytes {
		total += size
	}
	t.Logf("package initialisation: %d packages, %d bytes, %.2f of %.2f ms", len(bytes), total, milliseconds, budget)
	require.LessOrEqual(t, total, initBytes, "bytes; find the package with GODEBUG=inittrace=1")
	require.LessOrEqual(t, milliseconds, budget, "milliseconds; find the package with GODEBUG=inittrace=1")
}

// traceInitialisation runs the program once and keeps each package's shortest time.
func traceInitialisation(t *testing.T, shortest map[string]float64, bytes map[string]int) {
	t.Helper()
	e := run(t, map[string]string{"GODEBUG": "inittrace=1"}, "version")
	require.Zero(t, e.code, e.errOut)
	for _, line := range e.lines() {
		// init PACKAGE @0.1 ms, 0.02 ms clock, 1024 bytes, 3 allocs
		var name string
		var at, clock float64
		var size int
		_, err := fmt.Sscanf(strings.ReplaceAll(line, ",", ""), "init %s @%f ms %f ms clock %d bytes", &name, &at, &clock, &size)
		require.NoError(t, err, line)
		if before, ok := shortest[name]; !ok || clock < before {
			shortest[name] = clock
		}
		bytes[name] = max(bytes[name], size)
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
