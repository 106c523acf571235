package search

import (
	"context"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/store"
)

// The states of a component.
const (
	StateOK       = "ok"
	StateDisabled = "disabled" // not configured: nothing is wrong
	StateFailed   = "failed"
)

// Health is the state of the components that a search needs.
type Health struct{ Database, VectorIndex, Embeddings, Queue string }

// OK reports whether no component has failed.
func (h Health) OK() bool {
	return !slices.Contains([]string{h.Database, h.VectorIndex, h.Embeddings, h.Queue}, StateFailed)
}

// Health checks the database, its vectors and the queue. It returns no error: a component that
// cannot be reached is StateFailed.
func (s *Service) Health(ctx context.Context) Health {
	system := store.AsSystem(ctx, "health belongs to no company")
	h := Health{Database: StateFailed, VectorIndex: StateFailed, Embeddings: StateDisabled, Queue: StateFailed}
	if err := s.store.Pool().Ping(system); err != nil {
		return h
	}
	h.Database = StateOK
	if _, err := dbsqlc.New().HealthVectorIndex(system, s.store.Pool()); err == nil {
		h.VectorIndex = StateOK
	}
	if _, err := s.store.Pool().Exec(system, "select 1 from river_job limit 1"); err == nil {
		h.Queue = StateOK
	}
	return h
}
