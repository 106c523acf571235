package workspace

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/authn"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/names"
	"docqa/internal/store"
)

// slugAttempts limits the attempts to find a free slug. From the second one on, the slug ends in
// four random characters.
const slugAttempts = 8

// Founder is the signed-in user who creates a company.
type Founder struct {
	UserID string
	Email  string
}

// CreateCompany creates a company on the free plan with its settings and with the founder as
// its owner, in one transaction. If the slug of the name is taken, it gets another one. Errors:
// 400, 409 already_in_company.
//
// Source: main API section 4.12; docs/decisions.md#people.
func (s *Service) CreateCompany(ctx context.Context, founder Founder, name string) (dbsqlc.Company, error) {
	name, err := names.Name("/name", name, nameCharacters)
	if err != nil {
		return dbsqlc.Company{}, err
	}
	base := names.Slug(name, "workspace")
	slug := base
	for range slugAttempts {
		company, err := s.create(ctx, founder, name, slug)
		switch {
		case store.IsUniqueViolation(err, "companies_slug_key"):
			slug = names.WithSuffix(base, ids.Suffix())
		case store.IsUniqueViolation(err, "members_one_active_key"):
			return dbsqlc.Company{}, apperr.Conflict(apperr.CodeAlreadyInCompany, "the user belongs to a company already").Wrap(err)
		default:
			return company, err
		}
	}
	return dbsqlc.Company{}, fmt.Errorf("find a free slug for %q", base)
}

func (s *Service) create(ctx context.Context, founder Founder, name, slug string) (company dbsqlc.Company, err error) {
	companyID, now := ids.New(ids.Company), s.Clock.Now()
	ctx = store.AsCompany(ctx, companyID) // the founder's own principal has no company yet
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		q := dbsqlc.New()
		company, err = q.CompanyCreate(ctx, tx, dbsqlc.CompanyCreateParams{
			CompanyID: companyID, Name: name, Slug: slug, OwnerUserID: founder.UserID, Now: now,
		})
		if err != nil {
			return fmt.Errorf("create the company: %w", err)
		}
		if _, err := q.CompanySettingsCreate(ctx, tx, dbsqlc.CompanySettingsCreateParams{CompanyID: companyID, Now: now}); err != nil {
			return fmt.Errorf("create the company's settings: %w", err)
		}
		_, err := q.MemberCreate(ctx, tx, dbsqlc.MemberCreateParams{
			CompanyID: companyID, UserID: founder.UserID, Email: founder.Email, Role: authn.RoleOwner, Status: "active",
			JoinedAt: &now, Now: now,
		})
		if err != nil {
			return fmt.Errorf("make the founder its owner: %w", err)
		}
		return outbox.Record(ctx, tx, companyID, outbox.Event{
			Type: outbox.MemberJoined, ResourceType: "user", ResourceID: founder.UserID, ResourceName: founder.Email,
			Summary: "created the workspace", At: now,
		})
	})
	return company, err
}
