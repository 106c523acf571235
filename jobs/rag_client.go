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

// failClientTimeout lets the client's job fail visibly also when the attempt's own time is up.
const failClientTimeout = 15 * time.Second

var errGivenUp = errors.New("given up")

// forRAGClient runs work, which ends the client's job with success. If no further attempt
// comes, the client's job fails, so that none stays open for ever.
func forRAGClient[T river.JobArgs](ctx context.Context, s *ragservice.Service, a attempt[T], of clientJob, work func() error) error {
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
	if failed := s.FailJob(ctx, of.companyID, of.projectID, of.jobID); failed != nil {
		return errors.Join(err, failed)
	}
	return river.JobCancel(errors.Join(errGivenUp, err))
}
