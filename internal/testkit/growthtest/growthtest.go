package growthtest

import (
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	small = 50_000
	times = 4

	// maxFactor is how much more an input of four times the size may cost: linear work costs
	// four times as much, quadratic work sixteen times.
	maxFactor = 9
	slack     = 20 * time.Millisecond // for work that is too short to measure

	attempts = 4 // the best one counts: garbage collection and cold caches only add time
)

// Linear fails t if the work on 200 kB costs much more than four times as much as that on 50
// kB. input makes an input of about n bytes.
func Linear(t *testing.T, input func(n int) string, work func(input string)) {
	t.Helper()
	few, many := input(small), input(small*times)
	var one, more time.Duration
	for i := range attempts {
		a, b := spent(func() { work(few) }), spent(func() { work(many) })
		if i == 0 || a < one {
			one = a
		}
		if i == 0 || b < more {
			more = b
		}
		if more <= maxFactor*one+slack {
			return
		}
	}
	t.Errorf("%d bytes cost %v, %d bytes %v", small, one, small*times, more)
}

// spent measures the processor time of f.
func spent(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadTime()
	f()
	return threadTime() - before
}

func threadTime() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err)
	}
	return time.Duration(now.Nano())
}

// Repeat returns a function that makes inputs by repeating a text.
func Repeat(text string) func(n int) string {
	return func(n int) string {
		out := make([]byte, 0, n)
		for len(out) < n {
			out = append(out, text...)
		}
		return string(out)
	}
}
