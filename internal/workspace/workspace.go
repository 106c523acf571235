package workspace

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/activity"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/column"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/names"
	"docqa/internal/store"
)

const nameCharacters = 120

// Service keeps companies. Safe for concurrent use.
type Service struct {
	store *store.Store
	clock clock.Clock
}

// New returns the service.
func New(s *store.Store, c clock.Clock) *Service { return &Service{store: s, clock: c} }

// Get returns the company. Error: 404.
func (s *Service) Get(ctx context.Context, companyID string) (dbsqlc.Company, error) {
	company, err := dbsqlc.New().CompanyGet(ctx, s.store.Pool(), companyID)
	return company, store.RowError("read the company", err)
}

// Settings returns what the company's new projects start with. Error: 404.
func (s *Service) Settings(ctx context.Context, companyID string) (dbsqlc.CompanySetting, error) {
	settings, err := dbsqlc.New().CompanySettingsGet(ctx, s.store.Pool(), companyID)
	return settings, store.RowError("read the company's settings", err)
}

// Rename changes the name; the slug stays, since links hold it. Errors: 400, 404.
func (s *Service) Rename(ctx context.Context, companyID, name string) (company dbsqlc.Company, err error) {
	name, err = names.Name("/name", name, nameCharacters)
	if err != nil {
		return dbsqlc.Company{}, err
	}
	err = s.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		now := s.clock.Now()
		company, err = dbsqlc.New().CompanyRename(ctx, tx, dbsqlc.CompanyRenameParams{CompanyID: companyID, Name: name, Now: now})
		if err != nil {
			return store.RowError("rename the company", err)
		}
		return activity.Record(ctx, tx, companyID, activity.Event{
			Type: "settings.updated", ResourceType: "company", ResourceID: companyID, ResourceName: name,
			Summary: "renamed the workspace", At: now,
		})
	})
	return company, err
}

// SetPlan puts the company on a plan, as an operator does. What is over the new plan's
// limits is kept. Errors: 400 for an unknown plan, 404.
func (s *Service) SetPlan(ctx context.Context, companyID, plan string) (company dbsqlc.Company, err error) {
	if !slices.Contains(limits.PlanNames(), plan) {
		return dbsqlc.Company{}, apperr.Validation("/plan", "must be free, growth, pro or enterprise")
	}
	err = s.store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		now := s.clock.Now()
		before, err := dbsqlc.New().CompanyLock(ctx, tx, companyID)
		if err != nil {
			return store.RowError("lock the company", err)
		}
		company, err = dbsqlc.New().CompanySetPlan(ctx, tx, dbsqlc.CompanySetPlanParams{CompanyID: companyID, Plan: plan, Now: now})
		if err != nil {
			return fmt.Errorf("set the plan: %w", err)
		}
		return activity.Record(ctx, tx, companyID, activity.Event{
			Type: "billing.plan_changed", ResourceType: "company", ResourceID: companyID, ResourceName: company.Name,
			Summary: "changed the plan to " + plan, Metadata: column.Strings{"from": before.Plan, "to": plan}, At: now,
		})
	})
	return company, err
}
