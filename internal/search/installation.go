package search

import (
	"context"
	"slices"

	"docqa/gen/dbsqlc"
	"docqa/internal/store"
)

// The states of a part of the service.
const (
	StateOK       = "ok"
	StateDisabled = "disabled" // switched off on purpose: nothing is wrong
	StateFailed   = "failed"
)

// Health is the state of what retrieval stands on.
type Health struct{ Database, VectorIndex, Embeddings, Queue string }

// OK tells whether everything that is switched on works.
func (h Health) OK() bool {
	return !slices.Contains([]string{h.Database, h.VectorIndex, h.Embeddings, h.Queue}, StateFailed)
}

// Health looks at the database, the vectors in it and the queue. It does not fail:
// what cannot be reached is failed in the answer.
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
