// Package clock gives the time. Everything that needs it takes a Clock, so that
// tests set the time instead of waiting for it.
package clock

import (
	"sync"
	"time"
)

// Clock tells the time.
type Clock interface {
	// Now returns the current time in UTC.
	Now() time.Time
}

type system struct{}

func (system) Now() time.Time { return time.Now().UTC() }

// System returns the machine's clock.
func System() Clock { return system{} }

// Pinned returns the time of c if c is a Manual clock, and nil if c runs. Statements that
// count against limits use the database's clock, because the clocks of the processes may
// differ; a test gives them the pinned time instead.
func Pinned(c Clock) *time.Time {
	if m, ok := c.(*Manual); ok {
		now := m.Now()
		return &now
	}
	return nil
}

// Manual is a clock that stands still until it is advanced. Safe for concurrent use.
type Manual struct {
	mu  sync.Mutex
	now time.Time
}

// Fixed returns a clock that stands at t.
func Fixed(t time.Time) *Manual { return &Manual{now: t.UTC()} }

// Now returns the time the clock stands at.
func (m *Manual) Now() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

// Advance moves the clock by d.
func (m *Manual) Advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
}
