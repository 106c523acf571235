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
	"docqa/internal/platform/ttlcache"
	"docqa/internal/store"
)

const (
	cacheTime        = 500 * time.Millisecond // a change of role takes effect in every process within 1 s
	cacheSize        = 10000
	userinfoEvery    = 10 * time.Minute
	invitationLength = 7 * 24 * time.Hour
)

// Deps are what the service needs.
type Deps struct {
	Store    *store.Store
	Clock    clock.Clock
	Logger   *slog.Logger
	Provider string       // stable name that accounts are linked to
	Issuer   string       // IDP_ISSUER; empty: every call answers 503 not_configured
	ClientID string       // IDP_CLIENT_ID
	Audience string       // IDP_AUDIENCE; empty: the client id
	Client   *http.Client // to reach the provider; nil: one with short timeouts
}

// Service verifies access tokens. Safe for concurrent use.
type Service struct {
	deps     Deps
	provider *provider
	people   *ttlcache.Cache[authn.Principal] // by subject
	profiles *ttlcache.Cache[profile]         // by subject
}

// New returns the service. It connects to the provider when the first token comes, so that
// a process can start without the provider. Close ends its background work.
func New(d Deps) *Service {
	return &Service{
		deps: d, provider: newProvider(d),
		people: ttlcache.New(ttlcache.Options[authn.Principal]{
			Clock: d.Clock, TTL: cacheTime, Size: cacheSize,
			// A person without a company is not cached: every process must see at once when they create or join one.
			Group: func(p authn.Principal) string { return p.CompanyID },
		}),
		profiles: ttlcache.New(ttlcache.Options[profile]{Clock: d.Clock, TTL: userinfoEvery, Size: cacheSize}),
	}
}

// Close ends the periodic refresh of the provider's keys.
func (s *Service) Close() { s.provider.close() }

// Forget drops the cached members of a company, so that the next request to this process
// sees a change that was made through it.
func (s *Service) Forget(companyID string) { s.people.DropGroup(companyID) }

// Principal verifies an access token and returns its person. A person without a company has
// an empty company id. Errors: 401 unauthenticated for an invalid token, 401 token_expired
// for an expired one, 503 if the provider cannot be reached or is not configured.
func (s *Service) Principal(ctx context.Context, token string) (authn.Principal, error) {
	c, err := s.verify(ctx, token)
	if err != nil {
		return authn.Principal{}, err
	}
	return s.people.Get(ctx, c.Subject, func(ctx context.Context) (authn.Principal, error) { return s.load(ctx, token, c) })
}

// load reads the person and the membership. It creates the account at the first sign-in, and
// activates an invitation if one is pending.
func (s *Service) load(ctx context.Context, token string, c *claims) (authn.Principal, error) {
	ctx = store.AsSystem(ctx, "the company is not known before the person")
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
	row, err = dbsqlc.New().IdentityMembership(ctx, s.deps.Store.Pool(), dbsqlc.IdentityMembershipParams{Provider: s.deps.Provider, Subject: subject})
	if store.IsNoRows(err) {
		return row, false, nil
	}
	if err != nil {
		return row, false, fmt.Errorf("read a membership: %w", err)
	}
	return row, true, nil
}
