//go:build kill

package jobs_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/testkit/factory"
)

// memory reads a value of the process's status in /proc, in bytes.
func memory(tb testing.TB, pid int, member string) int64 {
	tb.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	require.NoError(tb, err)
	found := regexp.MustCompile(member + `:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(tb, found)
	kb, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(tb, err)
	return kb << 10
}

// TestMemory_ofLargeTexts ingests two texts of 13.5 MB at once. The worker process may hold only
// a slice of each. It once held every sentence, which was a gigabyte in all.
func TestMemory_ofLargeTexts(t *testing.T) {
	t.Parallel()
	const size, perFile = 13_500_000, 64 << 20
	p := setup(t, factory.Reader{})
	worker := startWorkerWith(t, workerOptions{Database: p.url, Storage: p.storage, Children: true})
	t.Cleanup(func() {
		require.NoError(t, worker.Process.Kill())
		_ = worker.Wait()
	})
	p.uploaded(t, "small.txt", "The grinder has a warranty of two years.")
	p.sync(t)
	until(t, p, 1, countIndexed)
	rest := memory(t, worker.Process.Pid, "VmRSS")
	require.NoError(t, os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", worker.Process.Pid), []byte("5"), 0)) // the peak begins anew

	for i := range 2 {
		sentence := fmt.Sprintf("A short sentence of text %d. And b. ", i)
		p.uploaded(t, fmt.Sprintf("large-%d.txt", i), strings.Repeat(sentence, size/len(sentence)))
	}
	p.sync(t)
	require.Eventually(t, func() bool {
		require.Empty(t, ask[string](t, p, "select coalesce(max(error_code || ': ' || error_message), '') from documents"))
		return ask[int](t, p, countIndexed) == 3
	}, 3*time.Minute, 50*time.Millisecond)
	peak := memory(t, worker.Process.Pid, "VmHWM")
	t.Logf("at rest %d MB, at most %d MB more", rest>>20, (peak-rest)>>20)
	require.Less(t, peak-rest, int64(2*perFile))
	require.Greater(t, ask[int](t, p, "select min(chunk_count) from documents where filename like 'large%'"), 10_000)
	require.Zero(t, ask[int](t, p, "select count(*) from chunk_stage"))
}
