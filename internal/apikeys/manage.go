package apikeys

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/idempotency"
	"docqa/internal/outbox"
	"docqa/internal/planlimit"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/store"
)

// Filter narrows a list; nil matches everything, an unrecognised value nothing.
type Filter struct {
	ProjectID   *string
	Environment *string
	Status      *string
}

// List returns the keys of every project of the company, newest first.
//
// Source: main API section 4.10.
func (s *Service) List(ctx context.Context, companyID string, f Filter) ([]dbsqlc.KeyListRow, error) {
	rows, err := dbsqlc.New().KeyList(ctx, s.store.Pool(), dbsqlc.KeyListParams{
		CompanyID: companyID, ProjectID: f.ProjectID, Environment: f.Environment, Status: f.Status, Now: s.clock.Now(),
	})
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return rows, nil
}

// ListByProject returns the keys of one project, newest first.
func (s *Service) ListByProject(ctx context.Context, companyID, projectID string) ([]dbsqlc.ApiKey, error) {
	rows, err := dbsqlc.New().KeyListByProject(ctx, s.store.Pool(), dbsqlc.KeyListByProjectParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return nil, fmt.Errorf("list the keys of a project: %w", err)
	}
	return rows, nil
}

// Create issues one key. NotFound where the project is unknown, foreign or archived;
// Forbidden plan_limit_reached where the plan does not include it; Conflict idempotency_mismatch where the idempotency key came with another body.
func (s *Service) Create(ctx context.Context, companyID, projectID string, in Input) (issued Issued, err error) {
	err = s.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := lockProject(ctx, tx, companyID, projectID); err != nil {
			return err
		}
		if err := planlimit.CheckProject(ctx, tx, companyID, projectID); err != nil {
			return err
		}
		request := idempotency.Request{
			CompanyID: companyID, Scope: "keys:" + projectID, Key: in.IdempotencyKey, Body: []string{in.Kind, in.Environment, in.Label},
		}
		var replayed bool
		issued, replayed, err = idempotency.Once(ctx, tx, s.once, request, func() (Issued, error) {
			issued, err := s.issue(ctx, tx, companyID, projectID, in)
			if err != nil {
				return Issued{}, err
			}
			return issued, s.record(ctx, tx, outbox.KeyCreated, "issued a key", issued.Key)
		})
		issued.Replayed = replayed
		return err
	})
	return issued, err
}

// Revoke ends a key; repeating it answers the same. NotFound where the project has no such key.
func (s *Service) Revoke(ctx context.Context, companyID, projectID, keyID, by string) (key dbsqlc.ApiKey, err error) {
	err = s.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		before, err := dbsqlc.New().KeyGetForUpdate(ctx, tx, dbsqlc.KeyGetForUpdateParams{CompanyID: companyID, ProjectID: projectID, KeyID: keyID})
		if err != nil {
			return store.RowError("read a key", err)
		}
		key, err = dbsqlc.New().KeyRevoke(ctx, tx, dbsqlc.KeyRevokeParams{
			Now: s.clock.Now(), RevokedBy: by, CompanyID: companyID, ProjectID: projectID, KeyID: keyID,
		})
		if err != nil {
			return fmt.Errorf("revoke a key: %w", err)
		}
		if before.Status != "active" {
			return nil
		}
		return s.record(ctx, tx, outbox.KeyRevoked, "revoked a key", key)
	})
	s.Forget(companyID)
	return key, err
}

// Rotated is a new pair, and how many keys it replaced.
type Rotated struct {
	Pair
	Replaced int
}

// Rotate issues a new live pair and ends every other key of the project: at once, or
// after grace. NotFound where the project is unknown, foreign or archived.
func (s *Service) Rotate(ctx context.Context, companyID, projectID, by string, grace time.Duration) (out Rotated, err error) {
	err = s.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := lockProject(ctx, tx, companyID, projectID); err != nil {
			return err
		}
		if grace <= 0 {
			n, err := dbsqlc.New().KeyRevokeAll(ctx, tx, dbsqlc.KeyRevokeAllParams{
				Now: s.clock.Now(), RevokedBy: by, CompanyID: companyID, ProjectID: projectID,
			})
			if err != nil {
				return fmt.Errorf("revoke the keys of a project: %w", err)
			}
			out.Replaced = int(n)
		}
		if out.Pair, err = s.issuePair(ctx, tx, companyID, projectID, by); err != nil {
			return err
		}
		if grace > 0 {
			n, err := dbsqlc.New().KeyExpireAll(ctx, tx, dbsqlc.KeyExpireAllParams{
				ExpiresAt: s.clock.Now().Add(grace), CompanyID: companyID, ProjectID: projectID,
				Keep: []string{out.Integration.Key.KeyID, out.Embed.Key.KeyID},
			})
			if err != nil {
				return fmt.Errorf("end the keys of a project: %w", err)
			}
			out.Replaced = int(n)
		}
		return s.record(ctx, tx, outbox.KeyRotated, "replaced the keys", out.Integration.Key)
	})
	s.Forget(companyID)
	return out, err
}

func lockProject(ctx context.Context, tx pgx.Tx, companyID, projectID string) error {
	p, err := dbsqlc.New().ProjectGetForUpdate(ctx, tx, dbsqlc.ProjectGetForUpdateParams{CompanyID: companyID, ProjectID: projectID})
	if err == nil && p.Status == "archived" {
		return apperr.NotFound()
	}
	return store.RowError("lock a project", err)
}

func (s *Service) record(ctx context.Context, tx pgx.Tx, kind outbox.Type, summary string, k dbsqlc.ApiKey) error {
	return outbox.Record(ctx, tx, k.CompanyID, outbox.Event{
		Type: kind, ProjectID: k.ProjectID, ResourceType: "key", ResourceID: k.KeyID, ResourceName: k.Label, Summary: summary,
		Metadata: column.Strings{"prefix": k.Prefix, "environment": k.Environment, "keyType": k.Kind}, At: s.clock.Now(),
	})
}
