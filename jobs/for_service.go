package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/platform/apperr"
	"docqa/internal/ragservice"
)

// serviceJob is what a service of the operator follows.
type serviceJob struct{ companyID, projectID, jobID string }

// failServiceTimeout lets the service's job fail visibly also when the attempt's own time is up.
const failServiceTimeout = 15 * time.Second

// forService runs work, which ends the service's job with success. Where nobody will try
// again, the service's job fails: none is left open for ever.
func forService[T river.JobArgs](ctx context.Context, s *ragservice.Service, job *river.Job[T], of serviceJob, work func() error) error {
	var err error
	if job.Attempt <= job.MaxAttempts { // more: the process died each time
		err = work()
		final := apperr.KindOf(err) == apperr.KindInvalidInput || apperr.KindOf(err) == apperr.KindNotFound
		canAgain := job.Attempt < job.MaxAttempts || errors.Is(err, context.Canceled) || errors.Is(err, errYielded)
		if err == nil || errors.Is(err, errOvertaken) || canAgain && !final {
			return again(ctx, err)
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failServiceTimeout)
	defer cancel()
	if failed := s.FailJob(ctx, of.companyID, of.projectID, of.jobID); failed != nil {
		return errors.Join(err, failed)
	}
	return river.JobCancel(errors.Join(errGivenUp, err))
}

var errGivenUp = errors.New("given up")

// again is outcome, but for a job that yielded, which is the caller's.
func again(ctx context.Context, err error) error {
	if errors.Is(err, errYielded) {
		return err
	}
	return outcome(ctx, err)
}
