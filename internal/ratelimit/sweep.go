package ratelimit

import (
	"context"
	"fmt"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/clock"
	"docqa/internal/store"
)

// Sweep removes the buckets that are full again: an absent bucket counts as full.
func Sweep(ctx context.Context, s *store.Store, c clock.Clock) error {
	ctx = store.AsSystem(ctx, "buckets belong to no company")
	if _, err := dbsqlc.New().RateLimitSweep(ctx, s.Pool(), clock.Pinned(c)); err != nil {
		return fmt.Errorf("sweep rate limits: %w", err)
	}
	return nil
}
