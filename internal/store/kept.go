package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// keepPlan has the plan of the transaction's next query kept, whatever it would cost with
// the values at hand.
const keepPlan = "select set_config('plan_cache_mode', 'force_generic_plan', true)"

// Kept is a pool whose queries are never planned anew. Where a tenant is smaller than the
// average the planner takes a plan for its values to be cheaper than the kept one, and
// makes it each time: of a long query that takes as long as running it.
type Kept struct{ Pool }

// Kept returns the pool for long queries whose plan must not depend on their values.
func (s *Store) Kept() Kept { return Kept{s.pool} }

// Query sends the setting and the query together, in one round trip.
func (k Kept) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return k.query(ctx, []string{keepPlan}, sql, args)
}
