package factory

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/limits"
	"docqa/internal/store"
)

// Epoch is the creation time of everything that a factory makes.
func Epoch() time.Time { return time.Date(2026, 1, 31, 9, 15, 2, 123_000_000, time.UTC) }

// Tenant is a company with one live project.
type Tenant struct {
	CompanyID string
	Project   dbsqlc.Project
}

// Context returns ctx bound to the tenant's company.
func (ten Tenant) Context(ctx context.Context) context.Context {
	return store.AsCompany(ctx, ten.CompanyID)
}

// TenantOpts are the options of NewTenant. The zero value means the free plan with the default
// settings.
type TenantOpts struct {
	Plan     string
	Settings *column.ProjectSettings
	Draft    bool // the project was never deployed
}

// NewTenant makes a company and its project.
func NewTenant(tb testing.TB, s *store.Store, o TenantOpts) Tenant {
	tb.Helper()
	made := Tenant{CompanyID: ids.New(ids.Company)}
	ctx, q := made.Context(tb.Context()), dbsqlc.New()
	_, err := q.CompanyCreate(ctx, s.Pool(), dbsqlc.CompanyCreateParams{
		CompanyID: made.CompanyID, Name: "Company", Slug: made.CompanyID, OwnerUserID: ids.New(ids.User), Now: Epoch(),
	})
	require.NoError(tb, err)
	if o.Plan != "" && o.Plan != limits.PlanFree {
		_, err = q.CompanySetPlan(ctx, s.Pool(), dbsqlc.CompanySetPlanParams{CompanyID: made.CompanyID, Plan: o.Plan, Now: Epoch()})
		require.NoError(tb, err)
	}
	made.Project = made.NewProject(tb, s, o)
	return made
}

// NewProject makes another project of the tenant.
func (ten Tenant) NewProject(tb testing.TB, s *store.Store, o TenantOpts) dbsqlc.Project {
	tb.Helper()
	ctx, q := ten.Context(tb.Context()), dbsqlc.New()
	settings := column.DefaultSettings()
	if o.Settings != nil {
		settings = *o.Settings
	}
	project, err := q.ProjectCreate(ctx, s.Pool(), dbsqlc.ProjectCreateParams{
		CompanyID: ten.CompanyID, ProjectID: ids.New(ids.Project), Name: "Project", Slug: "project", AllowedOrigins: []string{},
		Settings: settings, ChatModelArn: "extractive", CreatedBy: ids.New(ids.User), Now: Epoch(),
	})
	require.NoError(tb, err)
	if o.Draft {
		return project
	}
	project, err = q.ProjectDeployed(ctx, s.Pool(), dbsqlc.ProjectDeployedParams{
		CompanyID: ten.CompanyID, ProjectID: project.ProjectID, Status: "live", Now: Epoch(),
	})
	require.NoError(tb, err)
	return project
}
