package signin

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/memo"
	"docqa/internal/store"
)

const (
	rememberFor      = 500 * time.Millisecond // a change of role is effective within 1 s over processes
	rememberAt       = 10000
	userinfoEvery    = 10 * time.Minute
	invitationLength = 7 * 24 * time.Hour
)

// Options are the settings of the service.
type Options struct {
	Provider string       // stable name that accounts are linked to
	Issuer   string       // IDP_ISSUER; empty: every call answers 503 not_configured
	ClientID string       // IDP_CLIENT_ID
	Audience string       // IDP_AUDIENCE; empty: the client id
	Client   *http.Client // to reach the provider; nil: one with short timeouts
}

// Service verifies access tokens. Safe for concurrent use.
type Service struct {
	store    *store.Store
	clock    clock.Clock
	log      *slog.Logger
	opts     Options
	provider *provider
	people   *memo.Memo[authn.Principal]
	profiles *memo.Memo[profile]
}

// New returns the service. It reaches the provider when the first token comes, so that
// a start does not depend on it. Close ends its background work.
func New(s *store.Store, c clock.Clock, log *slog.Logger, opts Options) *Service {
	return &Service{
		store: s, clock: c, log: log, opts: opts, provider: newProvider(opts.Issuer, opts.Client, c, log),
		people:   memo.New(c, rememberFor, rememberAt, func(p authn.Principal) string { return p.CompanyID }),
		profiles: memo.New[profile](c, userinfoEvery, rememberAt, nil),
	}
}

// Close ends the refreshing of the provider's keys.
func (s *Service) Close() { s.provider.close() }

// Forget drops what is remembered of the members of a company, so that a change made
// through this process is seen by its next request.
func (s *Service) Forget(companyID string) { s.people.DropGroup(companyID) }

// Principal verifies an access token and returns its person. Someone without a company
// has an empty company id. A token that is not good is 401 unauthenticated, an old one
// 401 token_expired; 503 where the provider cannot be reached or is not configured.
func (s *Service) Principal(ctx context.Context, token string) (authn.Principal, error) {
	c, err := s.verify(ctx, token)
	if err != nil {
		return authn.Principal{}, err
	}
	p, err := s.people.Get(ctx, c.Subject, func(ctx context.Context) (authn.Principal, error) { return s.load(ctx, token, c) })
	if err == nil && p.CompanyID == "" {
		s.people.Drop(c.Subject) // about to create or join a company: every process must see it at once
	}
	return p, err
}

// load reads the person and the membership, and makes either where the token is the
// first that shows the right to it.
func (s *Service) load(ctx context.Context, token string, c *claims) (authn.Principal, error) {
	ctx = store.AsSystem(ctx, "who signs in is known before the company is")
	row, known, err := s.membership(ctx, c.Subject)
	if err != nil {
		return authn.Principal{}, err
	}
	stored := profile{email: row.Email, verified: row.EmailVerified}
	who, err := s.profile(ctx, token, c, stored, known)
	if err != nil {
		return authn.Principal{}, err
	}
	switch {
	case !known:
		err = s.register(ctx, c.Subject, who)
	case who != stored:
		err = s.updateProfile(ctx, c.Subject, who)
	}
	if err != nil {
		return authn.Principal{}, err
	}
	if !known || who != stored {
		if row, _, err = s.membership(ctx, c.Subject); err != nil {
			return authn.Principal{}, err
		}
	}
	if row.CompanyID == "" && who.verified {
		if row, err = s.join(ctx, c.Subject, row); err != nil {
			return authn.Principal{}, err
		}
	}
	return authn.Principal{
		Kind: authn.KindUser, UserID: row.UserID, Email: row.Email, CompanyID: row.CompanyID, Role: row.Role, Plan: row.Plan,
		Suspended: row.CompanyStatus == "suspended",
	}, nil
}

func (s *Service) membership(ctx context.Context, subject string) (row dbsqlc.IdentityMembershipRow, known bool, err error) {
	row, err = dbsqlc.New().IdentityMembership(ctx, s.store.Pool(), dbsqlc.IdentityMembershipParams{Provider: s.opts.Provider, Subject: subject})
	if store.IsNoRows(err) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("read a membership: %w", err)
	}
	return row, true, nil
}
