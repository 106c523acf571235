package chat

import (
	"sync"
	"time"

	"docqa/internal/apperr"
	"docqa/internal/limits"
)

// mostRunning bounds the questions that one process answers at once.
const mostRunning = 2000

// running counts what is being answered in this process. Safe for concurrent use.
//
// Source: gaps section 7 (streams at once per project; global cap on running chats).
type running struct {
	mu      sync.Mutex
	most    int
	all     int
	streams map[string]int // by project
}

func newRunning(most int) *running { return &running{most: most, streams: map[string]int{}} }

// enter takes a place, and a place for streams of the project where stream is set;
// leave gives both back. No place left is RateLimited.
func (r *running) enter(projectID, plan string, stream bool) (leave func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	full := r.all >= r.most || (stream && r.streams[projectID] >= limits.PlanOf(plan).ChatConcurrent)
	if full {
		e := apperr.New(apperr.RateLimited, "rate_limited", "too many questions are being answered at once")
		e.RetryAfter = time.Second
		return nil, e
	}
	r.all++
	if stream {
		r.streams[projectID]++
	}
	return func() { r.leave(projectID, stream) }, nil
}

func (r *running) leave(projectID string, stream bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all--
	if !stream {
		return
	}
	if r.streams[projectID]--; r.streams[projectID] == 0 {
		delete(r.streams, projectID)
	}
}
