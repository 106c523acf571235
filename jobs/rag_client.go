package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"

	"docqa/internal/platform/apperr"
	"docqa/internal/ragservice"
)

// clientJob is the job that a rag client follows.
type clientJob struct{ companyID, projectID, jobID string }

// failClientTimeout limits marking the client's job as failed. It is a limit of its own, since
// the time of the attempt may be used up.
const failClientTimeout = 15 * time.Second

var errGivenUp = errors.New("given up")

// forRAGClient runs work, which completes the client's job. If work fails and there is no
// further attempt, forRAGClient fails the client's job, so that the client does not wait for ever.
func forRAGClient[T river.JobArgs](ctx context.Context, s *ragservice.Service, a attempt[T], job clientJob, work func() error) error {
	var err error
	if a.Attempt <= a.MaxAttempts { // more: the process died each time
		err = work()
		final := apperr.KindOf(err) == apperr.KindInvalidInput || apperr.KindOf(err) == apperr.KindNotFound
		canAgain := a.Attempt < a.MaxAttempts || errors.Is(err, context.Canceled) || errors.Is(err, errYielded)
		if err == nil || errors.Is(err, errOvertaken) || canAgain && !final {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), failClientTimeout)
	defer cancel()
	if failed := s.FailJob(ctx, job.companyID, job.projectID, job.jobID); failed != nil {
		return errors.Join(err, failed)
	}
	return river.JobCancel(errors.Join(errGivenUp, err))
}
