package apikeys

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/idempotency"
	"docqa/internal/platform/background"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ttlcache"
	"docqa/internal/store"
)

const (
	cacheTime  = 500 * time.Millisecond // a revocation takes effect in every process within 1 s
	cacheSize  = 10000
	touchEvery = time.Minute
)

// Deps are what the service needs.
type Deps struct {
	Store        *store.Store
	Clock        clock.Clock
	Logger       *slog.Logger
	Pepper       []byte   // KEY_PEPPER; empty: secrets are stored as plain SHA-256
	Environments []string // KEY_ENVIRONMENTS; empty: live and test
}

// Service issues and verifies keys. Safe for concurrent use.
type Service struct {
	store        *store.Store
	clock        clock.Clock
	log          *slog.Logger
	pepper       []byte
	environments []string
	once         *idempotency.Keeper
	verified     *ttlcache.Cache[Authenticated] // by the hash of the secret
	touched      *ttlcache.Cache[struct{}]      // by key id: keys whose time of last use was written less than a minute ago
	touches      sync.WaitGroup
}

// New returns the service.
func New(d Deps) *Service {
	if len(d.Environments) == 0 {
		d.Environments = []string{Live, Test}
	}
	return &Service{
		store: d.Store, clock: d.Clock, log: d.Logger, pepper: d.Pepper, environments: d.Environments,
		once: idempotency.New(d.Clock, d.Pepper),
		verified: ttlcache.New(ttlcache.Options[Authenticated]{
			Clock: d.Clock, TTL: cacheTime, Size: cacheSize, Group: func(a Authenticated) string { return a.Key.CompanyID },
		}),
		touched: ttlcache.New(ttlcache.Options[struct{}]{Clock: d.Clock, TTL: touchEvery, Size: cacheSize}),
	}
}

// Forget drops the cached keys of a company with their projects, so that the next request
// to this process sees a change that was made through it.
func (s *Service) Forget(companyID string) { s.verified.DropGroup(companyID) }

// Wait waits for the background writes of the time of last use, or until ctx ends.
func (s *Service) Wait(ctx context.Context) { background.Wait(ctx, &s.touches) }

// Status returns the status of a key at the time now. A rotation may give the old keys a
// grace period; after it they count as revoked.
func Status(k dbsqlc.ApiKey, now time.Time) string {
	if k.Status == "active" && k.ExpiresAt != nil && !k.ExpiresAt.After(now) {
		return "revoked"
	}
	return k.Status
}

func (s *Service) accepts(environment string) bool {
	return slices.Contains(s.environments, environment)
}
