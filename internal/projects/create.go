package projects

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/idempotency"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/names"
)

const (
	nameCharacters        = 120
	descriptionCharacters = 1000
)

// CreateInput is what a new project is made of.
type CreateInput struct {
	Name           string
	Description    string
	AllowedOrigins *[]string      // nil: the company's defaults
	Settings       *SettingsPatch // over the defaults
	By             string         // user id
	Admin          bool           // whether the caller may send origins and settings

	IdempotencyKey string // empty: every call makes a project
}

// Created is a new project.
type Created struct {
	dbsqlc.Project

	Replayed bool // an earlier call with the same idempotency key made it: this is its answer
}

// Create makes a project in status draft. Errors: 400, 403 role_required, 403
// plan_limit_reached, 409 idempotency_mismatch.
//
// Source: main API section 4.9; docs/decisions.md#project-record, #open-status-lists.
func (s *Service) Create(ctx context.Context, companyID string, in CreateInput) (p Created, err error) {
	if !in.Admin && (in.AllowedOrigins != nil || in.Settings != nil) {
		return p, apperr.Forbidden(apperr.CodeRoleRequired, "settings and allowedOrigins need the admin role")
	}
	row := dbsqlc.ProjectCreateParams{CompanyID: companyID, ProjectID: ids.New(ids.Project), CreatedBy: in.By, Now: s.Clock.Now()}
	if row.Name, err = names.Name("/name", in.Name, nameCharacters); err != nil {
		return p, err
	}
	if row.Description, err = names.Text("/description", in.Description, descriptionCharacters); err != nil {
		return p, err
	}
	if in.AllowedOrigins != nil {
		if row.AllowedOrigins, err = cleanOrigins(*in.AllowedOrigins); err != nil {
			return p, err
		}
	}
	if in.Settings != nil {
		if err := in.Settings.clean(); err != nil {
			return p, err
		}
		if err := s.checkURLs(ctx, in.Settings.LeadCapture.AlertWebhookURL); err != nil {
			return p, err
		}
	}
	request := idempotency.Request{
		CompanyID: companyID, Scope: "projects", Key: in.IdempotencyKey, Body: []any{in.Name, in.Description, in.AllowedOrigins, in.Settings},
	}
	err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		p.Project, p.Replayed, err = idempotency.Once(ctx, tx, s.Once, request, func() (dbsqlc.Project, error) { return s.create(ctx, tx, row, in.Settings) })
		return err
	})
	return p, err
}

func (s *Service) create(
	ctx context.Context, tx pgx.Tx, row dbsqlc.ProjectCreateParams, sent *SettingsPatch,
) (p dbsqlc.Project, err error) {
	q := dbsqlc.New()
	company, err := q.CompanyLock(ctx, tx, row.CompanyID)
	if err != nil {
		return p, readError("lock the company", err)
	}
	count, err := q.ProjectCount(ctx, tx, row.CompanyID)
	if err != nil {
		return p, fmt.Errorf("count projects: %w", err)
	}
	if maxProjects := limits.PlanOf(company.Plan).Projects; int(count) >= maxProjects {
		return p, apperr.Forbidden(apperr.CodePlanLimitReached, fmt.Sprintf("the %s plan includes %d projects", company.Plan, maxProjects))
	}
	defaults, err := q.CompanySettingsGet(ctx, tx, row.CompanyID)
	if err != nil {
		return p, fmt.Errorf("read the company's settings: %w", err)
	}
	if row.AllowedOrigins == nil {
		row.AllowedOrigins = defaults.AllowedOriginDefaults
	}
	row.ChatModelArn = s.defaultModel(company.Plan, defaults.DefaultChatModelArn)
	row.Settings = startingSettings(defaults)
	if sent != nil {
		sent.merge(&row.Settings)
		row.LeadCaptureEnabled = sent.LeadCapture.Enabled != nil && *sent.LeadCapture.Enabled
		row.LeadAlertWebhookURL = sent.LeadCapture.AlertWebhookURL.Value
	}
	if row.Slug, err = freeSlug(ctx, tx, row.CompanyID, row.Name); err != nil {
		return p, err
	}
	if p, err = q.ProjectCreate(ctx, tx, row); err != nil {
		return p, fmt.Errorf("create the project: %w", err)
	}
	return p, s.record(ctx, tx, outbox.ProjectCreated, "created the project", p, nil)
}

// startingSettings are the platform's defaults with what the company wants for new projects.
func startingSettings(defaults dbsqlc.CompanySetting) column.ProjectSettings {
	settings := column.DefaultSettings()
	settings.Prompt.SystemPrompt = defaults.DefaultSystemPrompt
	settings.Prompt.MaxTokens = int(defaults.DefaultMaxTokens)
	return settings
}

// defaultModel is the company's choice where it still stands: curated, and in its plan.
func (s *Service) defaultModel(plan string, chosen *string) string {
	if chosen != nil && s.Models.Has(*chosen) && limits.PlanIncludes(plan, s.Models.PlanFor(*chosen)) {
		return *chosen
	}
	return s.Models.Default()
}

// freeSlug returns a slug that no other project of the company has: the name's, or
// that with the next free number. The company is locked.
func freeSlug(ctx context.Context, tx pgx.Tx, companyID, name string) (string, error) {
	base := names.Slug(name, "project")
	used, err := dbsqlc.New().ProjectSlugs(ctx, tx, dbsqlc.ProjectSlugsParams{CompanyID: companyID, Slug: base})
	if err != nil {
		return "", fmt.Errorf("read the slugs of projects: %w", err)
	}
	slug := base
	for n := 2; slices.Contains(used, slug); n++ {
		slug = names.WithSuffix(base, strconv.Itoa(n))
	}
	return slug, nil
}
