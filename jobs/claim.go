package jobs

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"

	"docqa/internal/store"
)

// errOvertaken says that another attempt works the job by now. What River makes of it has
// no effect: fairDriver writes outcomes only for jobs that are this process's.
var errOvertaken = errors.New("another attempt has taken the job")

// fence locks the job's row while it is this attempt's.
const fence = `
select 1 from river_job
where id = $1 and attempt = $2 and state = 'running' and attempted_by[array_upper(attempted_by, 1)] = $3
for update`

// claim completes the job as part of the transaction tx, provided that the job is still this
// attempt's. Effect and completion happen together or not at all.
func (a attempt[T]) claim(ctx context.Context, tx pgx.Tx) error {
	var one int
	err := tx.QueryRow(ctx, fence, a.ID, a.Attempt, a.owner).Scan(&one)
	if store.IsNoRows(err) {
		return errOvertaken
	}
	if err != nil {
		return fmt.Errorf("claim the job: %w", err)
	}
	if _, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, a.Job); err != nil {
		return fmt.Errorf("complete the job: %w", err)
	}
	return nil
}
