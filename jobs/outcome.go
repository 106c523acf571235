package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/platform/apperr"
)

// rateLimitPause is how long a job waits if the error does not say how long.
const rateLimitPause = time.Minute

// interrupted tells whether our own stop ended the attempt. The error then says nothing about
// the job: it may, for example, report that a child process was killed.
func interrupted(ctx context.Context) bool {
	return errors.Is(ctx.Err(), context.Canceled) && !errors.Is(context.Cause(ctx), river.ErrJobCancelledRemotely)
}

// outcome turns a service's error into what River does next. It cancels a job that can never
// succeed. It postpones a job that was rate limited, yielded to another company or was
// interrupted because this process stops; that does not count as an attempt. Any other error
// is retried.
func outcome(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if _, canceled := errors.AsType[*river.JobCancelError](err); canceled {
		return err
	}
	if interrupted(ctx) || errors.Is(err, errYielded) {
		return river.JobSnooze(0)
	}
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return err
	}
	switch {
	case e.Kind == apperr.KindInvalidInput, e.Kind == apperr.KindNotFound, e.Kind == apperr.KindConflict:
		return river.JobCancel(err)
	case e.Kind == apperr.KindRateLimited && e.RetryAfter > 0:
		return river.JobSnooze(e.RetryAfter)
	case e.Kind == apperr.KindRateLimited:
		return river.JobSnooze(rateLimitPause)
	}
	return err
}
