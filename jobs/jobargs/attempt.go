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
	// Claim is called in the transaction that holds the outcome. It makes sure that no other
	// attempt is or was faster, and completes the job.
	Claim func(ctx context.Context, tx pgx.Tx) error
	// Yield is called where a long job can pause, between two parts of its work. Its error
	// ends the attempt; what was made is kept. nil: the job does not yield.
	Yield func(ctx context.Context) error
	// Last says that a fault which might pass fails the document, since nobody tries again.
	Last bool
	// Exhausted says that all attempts ended without a word: the process died each time.
	Exhausted bool
}
