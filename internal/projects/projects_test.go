package projects_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"docqa/gen/dbsqlc"
	"docqa/internal/apikeys"
	"docqa/internal/idempotency"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/clock"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/models"
	"docqa/internal/platform/secretbox"
	"docqa/internal/projects"
	"docqa/internal/store"
	"docqa/internal/testkit/dbtest"
	"docqa/internal/workspace"
)

const (
	otherModel = "other-model"
	proModel   = "pro-model"
)

type bundle struct {
	store     *store.Store
	clock     *clock.Manual
	companies *workspace.Service
	box       *secretbox.Box
	svc       *projects.Service
}

// urls refuses one address and knows no other rule: the guard has its own tests.
type urls struct{}

const refusedURL = "https://inside.example.com/"

func (urls) CheckURL(_ context.Context, rawURL string) error {
	if rawURL == refusedURL {
		return apperr.Invalid(apperr.CodeURLNotAllowed, "no")
	}
	return nil
}

// ingester marks documents as a sync does, without the jobs.
type ingester struct{ clock clock.Clock }

func (i ingester) StartIngest(ctx context.Context, tx pgx.Tx, companyID, projectID string) (int, error) {
	tag, err := tx.Exec(ctx, `update documents set status = 'processing', processing_started_at = $3
		where company_id = $1 and project_id = $2 and status in ('uploaded', 'failed')`, companyID, projectID, i.clock.Now())
	return int(tag.RowsAffected()), err
}

func (ingester) StopIngest(context.Context, pgx.Tx, string, string) error { return nil }

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{store: dbtest.New(t), clock: clock.Fixed(time.Date(2026, 1, 31, 9, 15, 2, 123e6, time.UTC))}
	keyset, err := secretbox.GenerateKeyset()
	require.NoError(t, err)
	b.box, err = secretbox.New(keyset)
	require.NoError(t, err)
	b.companies = workspace.New(workspace.Deps{Store: b.store, Clock: b.clock})
	b.svc = projects.New(projects.Deps{
		Store: b.store, Clock: b.clock, URLs: urls{}, Secrets: b.box, Ingester: ingester{b.clock}, Once: idempotency.New(b.clock, nil),
		Models: models.New(models.Model{ID: models.Extractive}, models.Model{ID: otherModel}, models.Model{ID: proModel, Plan: "pro"}),
		Keys:   apikeys.New(apikeys.Deps{Store: b.store, Clock: b.clock, Logger: slog.New(slog.DiscardHandler), Pepper: []byte("pepper")}),
	})
	return b
}

// company makes a company on plan and returns its id, its owner's and a context that sees it.
func (b *bundle) company(t *testing.T, plan string) (ctx context.Context, companyID, userID string) {
	t.Helper()
	user, err := dbsqlc.New().UserCreate(t.Context(), b.store.Pool(), dbsqlc.UserCreateParams{
		UserID: ids.New(ids.User), Email: "ada@example.com", Now: b.clock.Now(),
	})
	require.NoError(t, err)
	company, err := b.companies.CreateCompany(t.Context(), workspace.Founder{UserID: user.UserID, Email: user.Email}, "Example Ltd")
	require.NoError(t, err)
	ctx = store.AsCompany(t.Context(), company.CompanyID)
	_, err = b.companies.SetPlan(ctx, company.CompanyID, plan)
	require.NoError(t, err)
	return ctx, company.CompanyID, user.UserID
}

// companyWithProject makes a company on plan with one project, and returns a context that sees it and its owner's id.
func (b *bundle) companyWithProject(t *testing.T, plan string) (ctx context.Context, p dbsqlc.Project, userID string) {
	t.Helper()
	ctx, companyID, userID := b.company(t, plan)
	return ctx, b.project(ctx, t, companyID, "Handbook"), userID
}

func (b *bundle) project(ctx context.Context, t *testing.T, companyID, name string) dbsqlc.Project {
	t.Helper()
	p, err := b.svc.Create(ctx, companyID, projects.CreateInput{Name: name, By: "usr_test", Admin: true})
	require.NoError(t, err)
	return p.Project
}

// stored reads p again.
func (b *bundle) stored(ctx context.Context, t *testing.T, p dbsqlc.Project) dbsqlc.Project {
	t.Helper()
	again, err := b.svc.Get(ctx, p.CompanyID, p.ProjectID)
	require.NoError(t, err)
	return again
}

func (b *bundle) document(ctx context.Context, t *testing.T, p dbsqlc.Project, status string) {
	t.Helper()
	_, err := b.store.Pool().Exec(ctx, `insert into documents (company_id, project_id, document_id, filename, title, status, content_type, format)
		values ($1, $2, $3, 'a.txt', 'a', $4, 'text/plain', 'txt')`, p.CompanyID, p.ProjectID, ids.New(ids.Document), status)
	require.NoError(t, err)
}

func str(s string) projects.Text { return projects.Text{Set: true, Value: &s} }

func null() projects.Text { return projects.Text{Set: true} }

func TestService_ListAndDescribe(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, companyID, _ := b.company(t, "enterprise")
	foreignCtx, foreignID, _ := b.company(t, "enterprise")
	b.project(foreignCtx, t, foreignID, "Foreign")
	var made []dbsqlc.Project
	for i := range 3 {
		b.clock.Advance(time.Second)
		made = append(made, b.project(ctx, t, companyID, fmt.Sprintf("Project %d", i)))
	}
	b.document(ctx, t, made[1], "indexed")
	b.document(ctx, t, made[1], "pending")
	_, err := b.svc.Archive(ctx, companyID, made[0].ProjectID)
	require.NoError(t, err)

	list, err := b.svc.List(ctx, companyID, false)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, made[2].ProjectID, list[0].Project.ProjectID)
	require.Equal(t, 0, list[0].Documents)
	require.Equal(t, 2, list[1].Documents)
	require.Equal(t, 1, list[1].Indexed)

	list, err = b.svc.List(ctx, companyID, true)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, made[0].ProjectID, list[0].Project.ProjectID)

	_, err = b.svc.Get(foreignCtx, foreignID, made[1].ProjectID)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.svc.Get(foreignCtx, companyID, made[1].ProjectID)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
}

func TestService_Archive(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, _ := b.companyWithProject(t, "free")
	b.document(ctx, t, p, "indexed")
	_, err := b.store.Pool().Exec(ctx, "update documents set size_bytes = 600::bigint << 20 where company_id = $1", p.CompanyID)
	require.NoError(t, err)
	archived, err := b.svc.Archive(ctx, p.CompanyID, p.ProjectID)
	require.NoError(t, err)
	require.Equal(t, projects.Archived, archived.Status)
	require.NotNil(t, archived.ArchivedAt)

	_, err = b.svc.Archive(ctx, p.CompanyID, p.ProjectID)
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.svc.Patch(ctx, p.CompanyID, p.ProjectID, projects.Patch{Name: new("x")})
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	_, err = b.svc.Deploy(ctx, p.CompanyID, p.ProjectID, "usr_test")
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	require.Equal(t, projects.Archived, b.stored(ctx, t, p).Status)

	next := b.project(ctx, t, p.CompanyID, "Handbook") // an archived project leaves its place in the plan
	_, err = b.svc.Deploy(ctx, p.CompanyID, next.ProjectID, "usr_test")
	require.NoError(t, err)
}
