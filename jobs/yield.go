package jobs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/riverqueue/river/rivertype"
)

// minTurn is how long a job builds the vectors of a project before it yields.
const minTurn = time.Second

// errYielded says that the job yielded to another company and continues later. Its results so
// far are stored.
var errYielded = errors.New("job yielded to another company")

// yielding returns a function that fails with errYielded once the job has had its turn and
// another company waits in the queue.
func yielding(job *rivertype.JobRow, companyID string, deps Deps) func(context.Context) error {
	until := deps.Clock.Now().Add(minTurn)
	return func(ctx context.Context) error {
		if deps.Clock.Now().Before(until) {
			return nil
		}
		var others bool
		if err := deps.Store.Pool().QueryRow(ctx, othersWait, job.Queue, companyID).Scan(&others); err != nil {
			return fmt.Errorf("look for waiting companies: %w", err)
		}
		if others {
			return errYielded
		}
		return nil
	}
}

// othersWait tells whether a job of another company waits in the queue.
const othersWait = `
select exists (select from river_job where state = 'available' and queue = $1::text and coalesce(args ->> 'company_id', '') < $2::text)
  or exists (select from river_job where state = 'available' and queue = $1::text and coalesce(args ->> 'company_id', '') > $2::text)`
