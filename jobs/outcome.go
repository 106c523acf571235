package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/platform/apperr"
)

// rateLimitPause is how long a job waits where the error does not say it.
const rateLimitPause = time.Minute

// interrupted tells whether the attempt was ended by our own stop. Its error says nothing
// then: a child that was killed says so in other words.
func interrupted(ctx context.Context) bool {
	return errors.Is(ctx.Err(), context.Canceled) && !errors.Is(context.Cause(ctx), river.ErrJobCancelledRemotely)
}

// outcome turns a service's error into what River does next. What can never succeed is
// cancelled. What is limited, yielded to another company, or was interrupted because this
// process stops is put off, and does not count as an attempt. The rest is tried again.
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
