package chat

import (
	"context"
	"sync/atomic"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
)

// mostRunning bounds the questions that one process answers at once.
const mostRunning = 2000

// enter takes a place among what is answered in this process and, where stream is set,
// one among the streams of the project in all processes; leave gives both back. No place
// left is RateLimited.
//
// Source: gaps section 7 (streams at once per project; global cap on running chats).
func (s *Service) enter(ctx context.Context, companyID, projectID, plan string, stream bool) (leave func(), err error) {
	if err := s.running.enter(); err != nil {
		return nil, err
	}
	if !stream {
		return s.running.leave, nil
	}
	closeStream, err := s.leases.Take(ctx, companyID, projectID, limits.PlanOf(plan).ChatConcurrent)
	if err != nil {
		s.running.leave()
		return nil, err
	}
	return func() { closeStream(); s.running.leave() }, nil
}

// running counts what is being answered in this process.
type running struct{ all atomic.Int64 }

func (r *running) enter() error {
	if r.all.Add(1) <= mostRunning {
		return nil
	}
	r.leave()
	e := apperr.New(apperr.KindRateLimited, apperr.CodeRateLimited, "too many questions are being answered at once")
	e.RetryAfter = time.Second
	return e
}

func (r *running) leave() { r.all.Add(-1) }
