package apikeys

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/idempotency"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/memo"
	"docqa/internal/store"
)

const (
	rememberFor = 500 * time.Millisecond // a revocation is effective within 1 s over processes
	rememberAt  = 10000
	touchEvery  = time.Minute
)

// Options are the settings of the service.
type Options struct {
	Pepper       []byte   // KEY_PEPPER; empty: secrets are stored as plain SHA-256
	Environments []string // KEY_ENVIRONMENTS; empty: live and test
}

// Service issues and verifies keys. Safe for concurrent use.
type Service struct {
	store   *store.Store
	clock   clock.Clock
	log     *slog.Logger
	opts    Options
	once    *idempotency.Keeper
	known   *memo.Memo[Authenticated]
	touched *memo.Memo[struct{}]
	touches sync.WaitGroup
}

// New returns the service.
func New(s *store.Store, c clock.Clock, log *slog.Logger, opts Options) *Service {
	if len(opts.Environments) == 0 {
		opts.Environments = []string{Live, Test}
	}
	return &Service{
		store: s, clock: c, log: log, opts: opts, once: idempotency.New(c, opts.Pepper),
		known:   memo.New(c, rememberFor, rememberAt, func(a Authenticated) string { return a.Key.CompanyID }),
		touched: memo.New[struct{}](c, touchEvery, rememberAt, nil),
	}
}

// Forget drops what is remembered of a company's keys and their projects, so that a
// change made through this process is seen by its next request.
func (s *Service) Forget(companyID string) { s.known.DropGroup(companyID) }

// Wait returns when the last-used times that are being written are written, or ctx has ended.
func (s *Service) Wait(ctx context.Context) {
	done := make(chan struct{})
	go func() { s.touches.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// Status returns the status of a key at now: one that a rotation left a time of grace
// is revoked when that has passed.
func Status(k dbsqlc.ApiKey, now time.Time) string {
	if k.Status == "active" && k.ExpiresAt != nil && !k.ExpiresAt.After(now) {
		return "revoked"
	}
	return k.Status
}

func (s *Service) accepts(environment string) bool {
	return slices.Contains(s.opts.Environments, environment)
}
