package projects_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/models"
	"docqa/internal/projects"
)

func TestService_Create(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, companyID, userID := b.company(t, "free")
	_, err := b.store.Pool().Exec(ctx, `update company_settings set allowed_origin_defaults = '{https://a.example.com}',
		default_system_prompt = 'Be brief.', default_max_tokens = 300 where company_id = $1`, companyID)
	require.NoError(t, err)
	p, err := b.svc.Create(ctx, companyID, projects.CreateInput{Name: " Employee handbook ", Description: "Two\nlines", By: userID})
	require.NoError(t, err)
	require.Equal(t, "Employee handbook", p.Name)
	require.Equal(t, "employee-handbook", p.Slug)
	require.Equal(t, projects.Draft, p.Status)
	require.Equal(t, []string{"https://a.example.com"}, p.AllowedOrigins)
	require.Equal(t, "Be brief.", p.Settings.Prompt.SystemPrompt)
	require.Equal(t, 300, p.Settings.Prompt.MaxTokens)
	require.Equal(t, 8, p.Settings.Retrieval.TopK)
	require.Equal(t, models.Extractive, p.ChatModelArn)
	require.Equal(t, userID, p.CreatedBy)
	require.True(t, p.FeedbackEnabled)
	require.True(t, p.Widget.Enabled)
	require.NotNil(t, p.LeadFormFields)

	_, err = b.svc.Create(ctx, companyID, projects.CreateInput{Name: "One too many", By: userID})
	require.EqualValues(t, "plan_limit_reached", apperr.CodeOf(err))
	require.Equal(t, apperr.KindForbidden, apperr.KindOf(err))
}

func TestService_Create_WithSettings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, companyID, userID := b.company(t, "pro")
	in := projects.CreateInput{
		Name: "Handbook", By: userID, Admin: true, AllowedOrigins: &[]string{"https://B.example.com:443", "https://b.example.com"},
		Settings: &projects.SettingsPatch{
			Retrieval:   projects.RetrievalPatch{TopK: new(12)},
			LeadCapture: projects.LeadCapturePatch{Enabled: new(true), AlertWebhookURL: str("https://hooks.example.com/x")},
			IPAllowlist: &[]string{"10.1.2.3/8"},
		},
	}
	p, err := b.svc.Create(ctx, companyID, in)
	require.NoError(t, err)
	require.Equal(t, []string{"https://b.example.com"}, p.AllowedOrigins)
	require.Equal(t, 12, p.Settings.Retrieval.TopK)
	require.Equal(t, "hybrid", p.Settings.Retrieval.Mode)
	require.True(t, p.LeadCaptureEnabled)
	require.Equal(t, "https://hooks.example.com/x", *p.LeadAlertWebhookURL)
	require.Equal(t, []string{"10.0.0.0/8"}, p.Settings.IPAllowlist)

	in.Admin = false
	_, err = b.svc.Create(ctx, companyID, in)
	require.EqualValues(t, "role_required", apperr.CodeOf(err))
	_, err = b.svc.Create(ctx, companyID, projects.CreateInput{Name: "x", By: userID, AllowedOrigins: &[]string{}})
	require.EqualValues(t, "role_required", apperr.CodeOf(err))
	in.Admin = true
	in.Settings = &projects.SettingsPatch{LeadCapture: projects.LeadCapturePatch{AlertWebhookURL: str(refusedURL)}}
	_, err = b.svc.Create(ctx, companyID, in)
	require.EqualValues(t, "url_not_allowed", apperr.CodeOf(err))
	in.Settings = &projects.SettingsPatch{Retrieval: projects.RetrievalPatch{TopK: new(51)}}
	_, err = b.svc.Create(ctx, companyID, in)
	require.EqualValues(t, "validation_error", apperr.CodeOf(err))
	for _, bad := range []projects.CreateInput{{}, {Name: " "}, {Name: "a\x00"}, {Name: "x", Description: strings.Repeat("d", 1001)}} {
		_, err = b.svc.Create(ctx, companyID, bad)
		require.EqualValues(t, "validation_error", apperr.CodeOf(err))
	}
}

func TestService_Create_DefaultModel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for plan, want := range map[string]string{"growth": otherModel, "free": models.Extractive} {
		ctx, companyID, _ := b.company(t, plan)
		_, err := b.store.Pool().Exec(ctx, "update company_settings set default_chat_model_arn = $2 where company_id = $1", companyID, otherModel)
		require.NoError(t, err)
		require.Equal(t, want, b.project(ctx, t, companyID, "x").ChatModelArn)
	}
}

func TestService_Create_LimitHoldsUnderConcurrency(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, companyID, userID := b.company(t, "pro")
	const n = 20
	errs := make([]error, n)
	made := make([]projects.Created, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			made[i], errs[i] = b.svc.Create(ctx, companyID, projects.CreateInput{Name: "Same name", By: userID})
		})
	}
	wg.Wait()
	slugs := map[string]bool{}
	for i, err := range errs {
		if err != nil {
			require.EqualValues(t, "plan_limit_reached", apperr.CodeOf(err))
			continue
		}
		slugs[made[i].Slug] = true
	}
	require.Equal(t, map[string]bool{
		"same-name": true, "same-name-2": true, "same-name-3": true, "same-name-4": true, "same-name-5": true,
	}, slugs)
}
