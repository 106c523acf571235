package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

const (
	// keepPlan has the plan of the transaction's next query kept, whatever it would cost with
	// the values at hand.
	keepPlan = "select set_config('plan_cache_mode', 'force_generic_plan', true)"
	// neverSort has the transaction's next query read its rows in the order of an index.
	neverSort = "select set_config('enable_sort', 'off', true)"
)

// Planned is a pool whose queries are planned under a setting of their own.
type Planned struct {
	Pool

	setting string
}

// Kept returns the pool for long queries whose plan must not depend on their values. Where
// a tenant is smaller than the average the planner takes a plan for its values to be
// cheaper than the kept one, and makes it each time: of a long query that takes as long
// as running it.
func (s *Store) Kept() Planned { return Planned{s.pool, keepPlan} }

// Ordered returns the pool for the pages of long lists, which an index holds in their
// order. Where the planner knows nothing of the rows it takes them for a few that are
// sorted at once, and each page would read the whole list.
func (s *Store) Ordered() Planned { return Planned{s.pool, neverSort} }

// Query sends the setting and the query together, and the rider of ctx in front of them,
// in one round trip.
func (p Planned) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
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
		return nil, fmt.Errorf("set how to plan: %w", err)
	}
	rows, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, err
	}
	return &boundRows{Rows: rows, end: results.Close}, nil
}
