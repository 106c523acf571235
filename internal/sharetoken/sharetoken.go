package sharetoken

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/tokentime"
	"docqa/internal/platform/ttlcache"
	"docqa/internal/store"
)

const (
	issuer      = "docqa"
	audience    = "share"
	lifetime    = limits.ShareTokenSeconds * time.Second
	cacheTime   = 500 * time.Millisecond // a change of sharing takes effect in every process within 1 s
	cacheSize   = 10000
	tokenLength = 2048
	setting     = "SHARE_TOKEN_SECRET"
)

// Service issues and verifies share tokens. Safe for concurrent use.
type Service struct {
	store  *store.Store
	clock  clock.Clock
	secret []byte
	shared *ttlcache.Cache[Shared] // by project id
}

// Deps are what the service needs.
type Deps struct {
	Store  *store.Store
	Clock  clock.Clock
	Secret []byte // SHARE_TOKEN_SECRET; empty: every call fails with 503 not_configured
}

// New returns the service.
func New(d Deps) *Service {
	return &Service{store: d.Store, clock: d.Clock, secret: d.Secret, shared: ttlcache.New(ttlcache.Options[Shared]{
		Clock: d.Clock, TTL: cacheTime, Size: cacheSize, Group: func(s Shared) string { return s.Project.CompanyID },
	})}
}

// Shared is a project that a token or a slug names, with what a request needs of its company.
type Shared struct {
	Project       dbsqlc.Project
	Plan          string
	CompanyStatus string
}

// Token is a share token and its end.
type Token struct {
	Value     string
	ExpiresAt time.Time
}

type claims struct {
	jwt.RegisteredClaims
	State string `json:"st"`
}

// Forget drops the cached projects of a company, so that the next request to this process
// sees a change that was made through it.
func (s *Service) Forget(companyID string) { s.shared.DropGroup(companyID) }

// Find returns the project behind a slug. NotFound where there is none that is live and
// shared.
func (s *Service) Find(ctx context.Context, slug string) (Shared, error) {
	ctx = store.AsSystem(ctx, "a visitor has no company")
	row, err := dbsqlc.New().ProjectGetByShareSlug(ctx, s.store.Pool(), &slug)
	switch {
	case store.IsNoRows(err) || err == nil && row.CompanyStatus != "active":
		return Shared{}, apperr.New(apperr.KindNotFound, apperr.CodeShareNotFound, "not found")
	case err != nil:
		return Shared{}, fmt.Errorf("look up a share slug: %w", err)
	}
	return Shared{Project: row.Project, Plan: row.Plan, CompanyStatus: row.CompanyStatus}, nil
}

// Issue returns a token for a shared project, valid for 15 minutes.
func (s *Service) Issue(p dbsqlc.Project) (Token, error) {
	if len(s.secret) == 0 {
		return Token{}, apperr.NotConfigured(setting)
	}
	now := s.clock.Now()
	end := now.Add(lifetime)
	value, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: issuer, Audience: jwt.ClaimStrings{audience}, Subject: p.ProjectID,
			IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(end),
		},
		State: state(p),
	}).SignedString(s.secret)
	if err != nil {
		return Token{}, fmt.Errorf("sign a share token: %w", err)
	}
	return Token{Value: value, ExpiresAt: end.Truncate(time.Second)}, nil
}

// Authenticate verifies a token and returns the project it belongs to. A token that is
// malformed, expired, or of a project that is no longer shared as it was: 401. A
// project of a suspended company: 403 company_suspended.
func (s *Service) Authenticate(ctx context.Context, token string) (Shared, error) {
	if len(s.secret) == 0 {
		return Shared{}, apperr.NotConfigured(setting)
	}
	c, err := s.parse(token)
	if err != nil {
		return Shared{}, invalid().Wrap(err)
	}
	shared, err := s.shared.Get(ctx, c.Subject, func(ctx context.Context) (Shared, error) { return s.load(ctx, c.Subject) })
	if err != nil {
		return Shared{}, err
	}
	p := shared.Project
	if !p.ShareEnabled || p.Status != "live" || subtle.ConstantTimeCompare([]byte(state(p)), []byte(c.State)) == 0 {
		return Shared{}, invalid()
	}
	switch shared.CompanyStatus {
	case "active":
		return shared, nil
	case "suspended":
		return Shared{}, apperr.Forbidden(apperr.CodeCompanySuspended, "the workspace is suspended")
	}
	return Shared{}, invalid()
}

func (s *Service) parse(token string) (*claims, error) {
	if len(token) > tokenLength {
		return nil, jwt.ErrTokenMalformed
	}
	if err := tokentime.Check(token); err != nil {
		return nil, err
	}
	var c claims
	_, err := jwt.ParseWithClaims(token, &c, func(*jwt.Token) (any, error) { return s.secret, nil },
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}), jwt.WithIssuer(issuer), jwt.WithAudience(audience),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(s.clock.Now), jwt.WithStrictDecoding())
	return &c, err
}

func (s *Service) load(ctx context.Context, projectID string) (Shared, error) {
	ctx = store.AsSystem(ctx, "a share token names a project, not its company")
	row, err := dbsqlc.New().ProjectByID(ctx, s.store.Pool(), projectID)
	switch {
	case store.IsNoRows(err):
		return Shared{}, invalid()
	case err != nil:
		return Shared{}, fmt.Errorf("load a shared project: %w", err)
	}
	return Shared{Project: row.Project, Plan: row.Plan, CompanyStatus: row.CompanyStatus}, nil
}

// state returns a hash of how a project is shared. A token with another state is refused.
// The epoch counts the changes, so that a project that is shared again as before has
// another state.
func state(p dbsqlc.Project) string {
	slug := ""
	if p.ShareSlug != nil {
		slug = *p.ShareSlug
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %t %d", slug, p.AccessMode, p.ShareEnabled, p.ShareEpoch))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

func invalid() *apperr.Error {
	return apperr.New(apperr.KindUnauthenticated, apperr.CodeUnauthenticated, "missing or invalid credentials")
}
