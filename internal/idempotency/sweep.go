package idempotency

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
)

// Sweep removes the answers of every company that are too old to be repeated.
func Sweep(ctx context.Context, s *store.Store, c clock.Clock) error {
	ctx = store.AsSystem(ctx, "stored answers of every company expire")
	if _, err := dbsqlc.New().IdempotencySweep(ctx, s.Pool(), c.Now().Add(-Kept)); err != nil {
		return fmt.Errorf("sweep idempotency keys: %w", err)
	}
	return nil
}
