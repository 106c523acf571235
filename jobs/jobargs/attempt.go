package jobargs

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Inserter inserts jobs in a transaction. *river.Client[pgx.Tx] is one.
type Inserter interface {
	InsertTx(ctx context.Context, tx pgx.Tx, args river.JobArgs, opts *river.InsertOpts) (*rivertype.JobInsertResult, error)
	InsertManyTx(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams) ([]*rivertype.JobInsertResult, error)
}

// Attempt is one attempt at a job.
type Attempt struct {
	// Claim is called in the transaction that writes the outcome. It completes the job, and
	// fails if another attempt works the job or has completed it.
	Claim func(ctx context.Context, tx pgx.Tx) error
	// Yield is called between two parts of a long job. It fails if the job should yield to
	// another company; the error ends the attempt, and the stored results stay. nil: the job
	// does not yield.
	Yield func(ctx context.Context) error
	// Last says that there is no further attempt, so that also a temporary fault fails the document.
	Last bool
	// Exhausted says that all attempts ended without an outcome, because the process died each time.
	Exhausted bool
}
