package apikeys

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/panics"
	"docqa/internal/store"
)

// Authenticated is a verified key with what a request needs of its project and company.
type Authenticated struct {
	Key           dbsqlc.ApiKey
	Project       dbsqlc.Project
	Plan          string
	CompanyStatus string
}

// Authenticate verifies a secret. Unknown, revoked and expired keys, and keys of an
// archived project, are the same 401 invalid_key; a key of an environment that this
// installation does not accept is 401 wrong_environment; a key of a suspended company
// is 403 company_suspended.
//
// Source: main API section 5 rules 1 and 2; docs/decisions.md#who-may-call-what.
func (s *Service) Authenticate(ctx context.Context, secret string) (Authenticated, error) {
	_, environment, ok := parse(secret)
	if !ok {
		return Authenticated{}, invalidKey()
	}
	if !s.accepts(environment) {
		return Authenticated{}, apperr.New(apperr.KindUnauthenticated, apperr.CodeWrongEnvironment, "this installation does not accept "+environment+" keys")
	}
	sum := hash(s.pepper, secret)
	a, err := s.verified.Get(ctx, hex.EncodeToString(sum), func(ctx context.Context) (Authenticated, error) { return s.load(ctx, sum) })
	if err != nil {
		return Authenticated{}, err
	}
	if err := a.usable(s.clock.Now()); err != nil {
		return Authenticated{}, err
	}
	s.touch(ctx, a.Key)
	return a, nil
}

func (s *Service) load(ctx context.Context, sum []byte) (Authenticated, error) {
	ctx = store.AsSystem(ctx, "a key does not know its company before it is looked up")
	row, err := dbsqlc.New().KeyGetBySecretHash(ctx, s.store.Pool(), sum)
	switch {
	case store.IsNoRows(err):
		return Authenticated{}, invalidKey()
	case err != nil:
		return Authenticated{}, fmt.Errorf("look up a key: %w", err)
	}
	return Authenticated{Key: row.ApiKey, Project: row.Project, Plan: row.Plan, CompanyStatus: row.CompanyStatus}, nil
}

func (a Authenticated) usable(now time.Time) error {
	switch {
	case Status(a.Key, now) != "active", a.Project.Status == "archived", a.CompanyStatus == "deleted":
		return invalidKey()
	case a.CompanyStatus == "suspended":
		return apperr.Forbidden(apperr.CodeCompanySuspended, "the workspace is suspended")
	}
	return nil
}

func invalidKey() error {
	return apperr.New(apperr.KindUnauthenticated, apperr.CodeInvalidKey, "the API key is not valid")
}

// touch stores in the background that the key was used now. It does so at most once a minute.
func (s *Service) touch(ctx context.Context, k dbsqlc.ApiKey) {
	if !s.touched.Add(k.KeyID, struct{}{}) {
		return
	}
	ctx = context.WithoutCancel(ctx)
	s.touches.Go(func() {
		if err := panics.Catch(func() error { return s.writeTouch(ctx, k) }); err != nil {
			s.log.WarnContext(ctx, "the time of last use of a key was not written", "key_id", k.KeyID, "error", err)
		}
	})
}

func (s *Service) writeTouch(ctx context.Context, k dbsqlc.ApiKey) error {
	ctx, cancel := context.WithTimeout(store.AsCompany(ctx, k.CompanyID), 5*time.Second)
	defer cancel()
	now := s.clock.Now()
	return dbsqlc.New().KeyTouch(ctx, s.store.Pool(), dbsqlc.KeyTouchParams{
		Now: now, CompanyID: k.CompanyID, ProjectID: k.ProjectID, KeyID: k.KeyID, TouchedBefore: now.Add(-touchEvery),
	})
}
