package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	// genericPlan makes the transaction's next query use its generic plan, which does not
	// depend on the values of its parameters.
	genericPlan = "select set_config('plan_cache_mode', 'force_generic_plan', true)"
	// neverSort makes the transaction's next query read its rows in the order of an index.
	neverSort = "select set_config('enable_sort', 'off', true)"
)

// PlanPool is a pool that sends a setting of the planner in front of each query.
type PlanPool struct {
	Pool

	setting string
}

// GenericPlan returns the pool for long queries that must not be planned for their values.
// For a tenant that is smaller than the average, the planner expects a plan for the values
// to be cheaper than the generic one, and plans each time: for a long query that takes as
// long as running it.
func (s *Store) GenericPlan() PlanPool { return PlanPool{s.pool, genericPlan} }

// Ordered returns the pool for pages of long lists that have an index in their order. A
// planner without statistics expects few rows and sorts them, so that each page would
// read the whole list.
func (s *Store) Ordered() PlanPool { return PlanPool{s.pool, neverSort} }

// Query sends the setting and the query together, and the Rider of ctx in front of them,
// in one round trip.
func (p PlanPool) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	batch := &pgx.Batch{}
	along := rider(ctx)
	if along != nil {
		batch.QueuedQueries = append(batch.QueuedQueries, along.batch.QueuedQueries...)
	}
	batch.Queue(p.setting)
	batch.Queue(sql, args...)
	results := p.SendBatch(ctx, batch)
	if along != nil {
		along.read(results)
	}
	if _, err := results.Exec(); err != nil {
		_ = results.Close()
		return nil, fmt.Errorf("set the planner for a query: %w", err)
	}
	rows, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return &boundRows{Rows: rows, end: results.Close}, nil
}
