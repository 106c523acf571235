package projects

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"docqa/gen/dbsqlc"
	"docqa/internal/outbox"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/names"
	"docqa/internal/platform/secretbox"
	"docqa/internal/store"
)

// shareSlugAttempts limits the attempts to find a free share slug.
const shareSlugAttempts = 8

// Patch holds the members that were sent. Members that were not sent do not change.
//
// Source: main API section 4.9; docs/decisions.md#one-value-several-views.
type Patch struct {
	Name                    *string
	Description             *string
	AllowedOrigins          *[]string
	Settings                SettingsPatch
	ChatModel               Text // null restores the default
	HideServiceBranding     *bool
	ShareEnabled            *bool
	ShareSlug               *string
	AccessMode              *string
	EscalationWebhookURL    Text
	EscalationWebhookSecret Text
	EscalationEmail         Text
	LeadCaptureEnabled      *bool
	LeadFormFields          *column.LeadFormFields
	LeadAlertWebhookURL     Text
	LeadAlertWebhookSecret  Text
	FeedbackEnabled         *bool
}

// Patch changes a project. Errors: 400, 403 plan_required or plan_limit_reached, 404
// (archived too), 409 slug_taken, 503 not_configured for a secret without a keyset.
func (s *Service) Patch(ctx context.Context, companyID, projectID string, in Patch) (p dbsqlc.Project, err error) {
	if err := s.clean(&in); err != nil {
		return p, err
	}
	if err := s.checkURLs(ctx, in.EscalationWebhookURL, in.LeadAlertWebhookURL); err != nil {
		return p, err
	}
	row, err := s.row(companyID, projectID, in)
	if err != nil {
		return p, err
	}
	for attempt := range shareSlugAttempts {
		err = s.Store.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
			p, err = s.patch(ctx, tx, row, in, attempt)
			return err
		})
		if !store.IsUniqueViolation(err, "projects_share_slug_key") {
			break
		}
		if in.ShareSlug != nil {
			return p, apperr.Conflict(apperr.CodeSlugTaken, "the share slug is in use").Wrap(err)
		}
	}
	return p, err
}

// clean converts the members to their canonical form. Two settings have a second name; if
// both names were sent, the member of the project itself is used.
func (s *Service) clean(in *Patch) (err error) {
	if err := cleanNames(in); err != nil {
		return err
	}
	if in.AllowedOrigins != nil {
		list, err := cleanOrigins(*in.AllowedOrigins)
		if err != nil {
			return err
		}
		in.AllowedOrigins = &list
	}
	if err := in.Settings.clean(); err != nil {
		return err
	}
	if in.LeadCaptureEnabled == nil {
		in.LeadCaptureEnabled = in.Settings.LeadCapture.Enabled
	}
	if !in.LeadAlertWebhookURL.Set {
		in.LeadAlertWebhookURL = in.Settings.LeadCapture.AlertWebhookURL
	}
	if in.LeadFormFields != nil {
		fields, err := cleanLeadFields(*in.LeadFormFields)
		if err != nil {
			return err
		}
		in.LeadFormFields = &fields
	}
	if in.ChatModel.Set && in.ChatModel.Value == nil {
		model := s.Models.Default()
		in.ChatModel.Value = &model
	}
	if in.ChatModel.Value != nil && !s.Models.Has(*in.ChatModel.Value) {
		return apperr.Validation("/chatModelArn", "is not a curated model")
	}
	return checkEmail("/escalationEmail", in.EscalationEmail)
}

func cleanNames(in *Patch) (err error) {
	if in.Name != nil {
		name, err := names.Name("/name", *in.Name, nameCharacters)
		if err != nil {
			return err
		}
		in.Name = &name
	}
	if in.ShareSlug != nil && !regexp.MustCompile(`^[a-z0-9-]{3,60}$`).MatchString(*in.ShareSlug) {
		return apperr.Validation("/shareSlug", "must be 3 to 60 of a-z, 0-9 and hyphen")
	}
	return first(
		text("/description", in.Description, descriptionCharacters),
		oneOf("/accessMode", in.AccessMode, "public", "private"),
		notBlank("/escalationWebhookSecret", in.EscalationWebhookSecret.Value, 256),
		notBlank("/leadAlertWebhookSecret", in.LeadAlertWebhookSecret.Value, 256),
	)
}

// checkURLs asks the name server, so it must run before the transaction.
func (s *Service) checkURLs(ctx context.Context, urls ...Text) error {
	for _, u := range urls {
		if u.Value == nil {
			continue
		}
		if len(*u.Value) > limits.URLCharacters {
			return apperr.Invalid(apperr.CodeInvalidURL, "the URL is too long")
		}
		if err := s.URLs.CheckURL(ctx, *u.Value); err != nil {
			return err
		}
	}
	return nil
}

// row returns the part of the update that does not depend on the stored project.
func (s *Service) row(companyID, projectID string, in Patch) (row dbsqlc.ProjectUpdateParams, err error) {
	row = dbsqlc.ProjectUpdateParams{
		CompanyID: companyID, ProjectID: projectID, Now: s.Clock.Now(),
		Name: in.Name, Description: in.Description, ChatModelArn: in.ChatModel.Value, HideServiceBranding: in.HideServiceBranding,
		ShareEnabled: in.ShareEnabled, ShareSlug: in.ShareSlug, AccessMode: in.AccessMode,
		EscalationWebhookURLDoUpdate: in.EscalationWebhookURL.Set, EscalationWebhookURL: in.EscalationWebhookURL.Value,
		EscalationWebhookSecretDoUpdate: in.EscalationWebhookSecret.Set,
		EscalationEmailDoUpdate:         in.EscalationEmail.Set, EscalationEmail: in.EscalationEmail.Value,
		LeadCaptureEnabled:          in.LeadCaptureEnabled,
		LeadAlertWebhookURLDoUpdate: in.LeadAlertWebhookURL.Set, LeadAlertWebhookURL: in.LeadAlertWebhookURL.Value,
		LeadAlertWebhookSecretDoUpdate: in.LeadAlertWebhookSecret.Set,
		FeedbackEnabled:                in.FeedbackEnabled,
	}
	if in.AllowedOrigins != nil {
		row.AllowedOrigins = *in.AllowedOrigins
	}
	if in.LeadFormFields != nil {
		if row.LeadFormFields, err = json.Marshal(*in.LeadFormFields); err != nil {
			return row, fmt.Errorf("write the lead form: %w", err)
		}
	}
	if row.EscalationWebhookSecret, err = s.seal(in.EscalationWebhookSecret, companyID, projectID, "escalation_webhook_secret"); err != nil {
		return row, err
	}
	row.LeadAlertWebhookSecret, err = s.seal(in.LeadAlertWebhookSecret, companyID, projectID, "lead_alert_webhook_secret")
	return row, err
}

func (s *Service) seal(secret Text, companyID, projectID, name string) ([]byte, error) {
	if secret.Value == nil {
		return nil, nil
	}
	return s.Secrets.Seal([]byte(*secret.Value), SecretPlace(companyID, projectID, name))
}

// SecretPlace returns where the secret in column name of a project is stored. Who opens the
// secret needs it.
func SecretPlace(companyID, projectID, name string) secretbox.Place {
	return secretbox.Place{CompanyID: companyID, Table: "projects", Column: name, RowID: projectID}
}

// patch merges and writes under the project's lock.
func (s *Service) patch(
	ctx context.Context, tx pgx.Tx, row dbsqlc.ProjectUpdateParams, in Patch, attempt int,
) (p dbsqlc.Project, err error) {
	before, err := s.lock(ctx, tx, row.CompanyID, row.ProjectID)
	if err != nil {
		return p, err
	}
	if err := s.checkPlan(ctx, tx, row.CompanyID, in); err != nil {
		return p, err
	}
	settings := before.Settings
	in.Settings.merge(&settings)
	if row.Settings, err = json.Marshal(settings); err != nil {
		return p, fmt.Errorf("write the settings: %w", err)
	}
	if row.ShareSlug == nil && before.ShareSlug == nil && in.ShareEnabled != nil && *in.ShareEnabled {
		name := before.Name
		put(&name, in.Name)
		slug := newShareSlug(name, attempt)
		row.ShareSlug = &slug
	}
	if p, err = dbsqlc.New().ProjectUpdate(ctx, tx, row); err != nil {
		return p, readError("change the project", err)
	}
	changed := map[string]string{"changed": strings.Join(in.members(), ",")}
	return p, s.record(ctx, tx, outbox.ProjectUpdated, "changed the project", p, changed)
}

// checkPlan refuses settings that the plan does not include. Switching one off is always allowed.
//
// Source: main API section 2 (Project); docs/decisions.md#error-codes.
func (s *Service) checkPlan(ctx context.Context, tx pgx.Tx, companyID string, in Patch) error {
	needed, fields := limits.PlanFree, 0
	need := func(plan string) {
		if !limits.PlanIncludes(needed, plan) {
			needed = plan
		}
	}
	if in.ChatModel.Value != nil {
		need(s.Models.PlanFor(*in.ChatModel.Value))
	}
	if in.LeadFormFields != nil && len(*in.LeadFormFields) > 0 {
		need(limits.PlanGrowth)
		fields = len(*in.LeadFormFields)
	}
	if in.HideServiceBranding != nil && *in.HideServiceBranding {
		need(limits.PlanPro)
	}
	if needed == limits.PlanFree {
		return nil
	}
	company, err := dbsqlc.New().CompanyGet(ctx, tx, companyID)
	if err != nil {
		return readError("read the company", err)
	}
	if !limits.PlanIncludes(company.Plan, needed) {
		return apperr.Forbidden(apperr.CodePlanRequired, "this needs the "+needed+" plan or above")
	}
	if maxFields := limits.PlanOf(company.Plan).LeadFormFields; fields > maxFields {
		return apperr.Forbidden(apperr.CodePlanLimitReached, fmt.Sprintf("the %s plan includes %d lead form fields", company.Plan, maxFields))
	}
	return nil
}

// newShareSlug makes the slug of a share that is switched on for the first time. Slugs are
// unique in the installation: from the second attempt on, four random characters are added.
func newShareSlug(name string, attempt int) string {
	slug := names.Slug(name, "share")
	if attempt > 0 || len(slug) < 3 {
		return names.WithSuffix(slug, ids.Suffix())
	}
	return slug
}

// members returns the names of the members that were sent, for the activity feed.
func (in *Patch) members() []string {
	sent := map[string]bool{
		"name": in.Name != nil, "description": in.Description != nil, "allowedOrigins": in.AllowedOrigins != nil,
		"chatModelArn": in.ChatModel.Set, "hideServiceBranding": in.HideServiceBranding != nil,
		"shareEnabled": in.ShareEnabled != nil, "shareSlug": in.ShareSlug != nil, "accessMode": in.AccessMode != nil,
		"escalationWebhookUrl": in.EscalationWebhookURL.Set, "escalationWebhookSecret": in.EscalationWebhookSecret.Set,
		"escalationEmail": in.EscalationEmail.Set, "leadCaptureEnabled": in.LeadCaptureEnabled != nil,
		"leadFormFields": in.LeadFormFields != nil, "leadAlertWebhookUrl": in.LeadAlertWebhookURL.Set,
		"leadAlertWebhookSecret": in.LeadAlertWebhookSecret.Set, "feedbackEnabled": in.FeedbackEnabled != nil,
		"settings": in.Settings != SettingsPatch{},
	}
	var list []string
	for member, is := range sent {
		if is {
			list = append(list, member)
		}
	}
	return slices.Sorted(slices.Values(list))
}
