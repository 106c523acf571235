package chat

import (
	"context"
	"sync/atomic"
	"time"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/limits"
)

// maxRunning limits the questions that one process answers at once.
const maxRunning = 2000

// enter counts the question as being answered in this process and, if stream is set, leases
// one of the project's streams in all processes. leave undoes both. Error: RateLimited if
// too many are being answered.
//
// Source: docs/decisions.md#running-chats.
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

// running counts the questions that this process is answering.
type running struct{ all atomic.Int64 }

func (r *running) enter() error {
	if r.all.Add(1) <= maxRunning {
		return nil
	}
	r.leave()
	e := apperr.New(apperr.KindRateLimited, apperr.CodeRateLimited, "too many questions are being answered at once")
	e.RetryAfter = time.Second
	return e
}

func (r *running) leave() { r.all.Add(-1) }
