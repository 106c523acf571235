package main_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the initialisation of all packages may cost. Every document is read by a process
// of its own, which pays it as well.
const (
	initBytes        = 5 << 20
	initMilliseconds = 10.0
	initRuns         = 12
	mostInitRuns     = 100 // a busy machine takes more runs to show the shortest time of each
)

// TestPackageInitialisation counts what the runtime reports. The bytes are the same in
// every run; of the time each package's shortest counts, since a busy machine can only
// make it longer.
func TestPackageInitialisation(t *testing.T) { //nolint:paralleltest // it measures
	shortest, bytes := map[string]float64{}, map[string]int{}
	var milliseconds float64
	for n := 0; n < initRuns || n < mostInitRuns && milliseconds > initMilliseconds; n++ {
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
	t.Logf("package initialisation: %d packages, %d bytes, %.2f ms", len(bytes), total, milliseconds)
	require.LessOrEqual(t, total, initBytes, "bytes; find the package with GODEBUG=inittrace=1")
	require.LessOrEqual(t, milliseconds, initMilliseconds, "milliseconds; find the package with GODEBUG=inittrace=1")
}
