package workspace

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/column"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/names"
	"docqa/internal/store"
)

const nameCharacters = 120

// Deps is what the service needs.
type Deps struct {
	Store *store.Store
	Clock clock.Clock
}

// Service manages companies. It is safe for concurrent use.
type Service struct{ Deps }

// New returns the service.
func New(d Deps) *Service { return &Service{d} }

// Get returns the company. Error: 404.
func (s *Service) Get(ctx context.Context, companyID string) (dbsqlc.Company, error) {
	company, err := dbsqlc.New().CompanyGet(ctx, s.Store.Pool(), companyID)
	return company, store.RowError("read the company", err)
}

// Settings returns the defaults of the company's new projects. Error: 404.
func (s *Service) Settings(ctx context.Context, companyID string) (dbsqlc.CompanySetting, error) {
	settings, err := dbsqlc.New().CompanySettingsGet(ctx, s.Store.Pool(), companyID)
	return settings, store.RowError("read the company's settings", err)
}

// Rename changes the name. The slug stays, because links contain it. Errors: 400, 404.
func (s *Service) Rename(ctx context.Context, companyID, name string) (company dbsqlc.Company, err error) {
	name, err = names.Name("/name", name, nameCharacters)
	if err != nil {
		return dbsqlc.Company{}, err
	}
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		now := s.Clock.Now()
		company, err = dbsqlc.New().CompanyRename(ctx, tx, dbsqlc.CompanyRenameParams{CompanyID: companyID, Name: name, Now: now})
		if err != nil {
			return store.RowError("rename the company", err)
		}
		return outbox.Record(ctx, tx, companyID, outbox.Event{
			Type: outbox.SettingsUpdated, ResourceType: "company", ResourceID: companyID, ResourceName: name,
			Summary: "renamed the workspace", At: now,
		})
	})
	return company, err
}

// SetPlan changes the company's plan, as an operator does. Nothing is deleted that exceeds the
// new plan's limits. Errors: 400 for an unknown plan, 404.
func (s *Service) SetPlan(ctx context.Context, companyID, plan string) (company dbsqlc.Company, err error) {
	if !slices.Contains(limits.PlanNames(), plan) {
		return dbsqlc.Company{}, apperr.Validation("/plan", "must be free, growth, pro or enterprise")
	}
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		now := s.Clock.Now()
		before, err := dbsqlc.New().CompanyLock(ctx, tx, companyID)
		if err != nil {
			return store.RowError("lock the company", err)
		}
		company, err = dbsqlc.New().CompanySetPlan(ctx, tx, dbsqlc.CompanySetPlanParams{CompanyID: companyID, Plan: plan, Now: now})
		if err != nil {
			return fmt.Errorf("set the plan: %w", err)
		}
		return outbox.Record(ctx, tx, companyID, outbox.Event{
			Type: outbox.BillingPlanChanged, ResourceType: "company", ResourceID: companyID, ResourceName: company.Name,
			Summary: "changed the plan to " + plan, Metadata: column.Strings{"from": before.Plan, "to": plan}, At: now,
		})
	})
	return company, err
}
