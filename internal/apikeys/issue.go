package apikeys

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/ids"
)

// Input says which key to issue.
type Input struct {
	Kind        string // Integration or Embed
	Environment string // Live or Test
	Label       string
	By          string // user id

	inPair bool // a deploy or a rotation issues it; later deploys show it

	IdempotencyKey string // empty: every call issues a key
}

// Issued is a key with its secret. Only the answer that issues the key has the secret: it is
// empty for a key that existed before.
type Issued struct {
	Key      dbsqlc.ApiKey
	Secret   string
	Replayed bool // the answer of an earlier call with the same idempotency key
}

// Pair is an integration key and an embed key of one project.
type Pair struct {
	Integration Issued
	Embed       Issued
}

// EnsurePair returns the live pair that an earlier deploy or the last rotation issued, and
// issues the keys of the pair that are missing: both at the first deploy, later those that
// were revoked. Keys that a person created do not count. It works in the caller's
// transaction; the caller has locked the project.
//
// Gap: which keys a deploy shows after a revocation or rotation; our choice.
func (s *Service) EnsurePair(ctx context.Context, tx pgx.Tx, companyID, projectID, by string) (pair Pair, err error) {
	rows, err := dbsqlc.New().KeyGetActivePair(ctx, tx, dbsqlc.KeyGetActivePairParams{CompanyID: companyID, ProjectID: projectID})
	if err != nil {
		return Pair{}, fmt.Errorf("read the keys of a project: %w", err)
	}
	for _, k := range rows {
		if k.Kind == Embed {
			pair.Embed.Key = k
		} else {
			pair.Integration.Key = k
		}
	}
	if pair.Integration, err = s.ensure(ctx, tx, pair.Integration, companyID, projectID, Input{Kind: Integration, Environment: Live, By: by, inPair: true}); err != nil {
		return Pair{}, err
	}
	pair.Embed, err = s.ensure(ctx, tx, pair.Embed, companyID, projectID, Input{Kind: Embed, Environment: Live, By: by, inPair: true})
	return pair, err
}

// ensure returns have, or a new key where there is none.
func (s *Service) ensure(ctx context.Context, tx pgx.Tx, have Issued, companyID, projectID string, in Input) (Issued, error) {
	if have.Key.KeyID != "" {
		return have, nil
	}
	issued, err := s.issue(ctx, tx, companyID, projectID, in)
	if err != nil {
		return Issued{}, err
	}
	return issued, s.record(ctx, tx, outbox.KeyCreated, "issued a key", issued.Key)
}

func (s *Service) issuePair(ctx context.Context, tx pgx.Tx, companyID, projectID, by string) (p Pair, err error) {
	if p.Integration, err = s.issue(ctx, tx, companyID, projectID, Input{Kind: Integration, Environment: Live, By: by, inPair: true}); err != nil {
		return p, err
	}
	p.Embed, err = s.issue(ctx, tx, companyID, projectID, Input{Kind: Embed, Environment: Live, By: by, inPair: true})
	return p, err
}

func (s *Service) issue(ctx context.Context, tx pgx.Tx, companyID, projectID string, in Input) (Issued, error) {
	secret := newSecret(in.Kind, in.Environment)
	p := prefix(in.Kind, in.Environment)
	key, err := dbsqlc.New().KeyCreate(ctx, tx, dbsqlc.KeyCreateParams{
		CompanyID: companyID, ProjectID: projectID, KeyID: ids.New(ids.Key), Kind: in.Kind, Environment: in.Environment,
		Label: in.Label, Prefix: secret[:len(p)+shownLength], Last4: secret[len(secret)-shownLength:],
		SecretHash: hash(s.pepper, secret), InPair: in.inPair, CreatedBy: in.By, Now: s.clock.Now(),
	})
	if err != nil {
		return Issued{}, fmt.Errorf("store a key: %w", err)
	}
	return Issued{Key: key, Secret: secret}, nil
}
