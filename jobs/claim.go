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

// errOvertaken says that another attempt works the job now. River tries to store this error as
// the job's outcome, without effect: fairDriver writes outcomes only of this process's jobs.
var errOvertaken = errors.New("another attempt has taken the job")

// fence locks the job's row if this attempt is still the current one.
const fence = `
select 1 from river_job
where id = $1 and attempt = $2 and state = 'running' and attempted_by[array_upper(attempted_by, 1)] = $3
for update`

// claim completes the job in the transaction tx, so that effect and completion are committed
// together. It fails with errOvertaken if this attempt is not the current one any more.
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
