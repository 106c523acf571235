package projects_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/ids"
	"docqa/internal/platform/models"
	"docqa/internal/platform/secretbox"
	"docqa/internal/projects"
)

func TestService_Patch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, made, _ := b.companyWithProject(t, "pro")
	p, err := b.svc.Patch(ctx, made.CompanyID, made.ProjectID, projects.Patch{
		Name: new(" Staff handbook "), Description: new("d"), AllowedOrigins: &[]string{"http://localhost:3000"},
		Settings: projects.SettingsPatch{
			Retrieval:   projects.RetrievalPatch{TopK: new(3), MetadataFilter: &map[string]any{"team": []any{"hr", "it"}}},
			Prompt:      projects.PromptPatch{Tone: str("warm"), AnswerLanguage: new("de-AT")},
			LeadCapture: projects.LeadCapturePatch{Fields: &[]string{"email", "email"}, AlertEmail: str("a@example.com")},
			IPAllowlist: &[]string{"::ffff:192.0.2.1", "2001:DB8::/32"},
		},
		ChatModel: str(otherModel), HideServiceBranding: new(true), AccessMode: new("private"),
		EscalationWebhookURL: str("https://hooks.example.com/a"), EscalationWebhookSecret: str("hush"), EscalationEmail: str("help@example.com"),
		LeadCaptureEnabled: new(true), FeedbackEnabled: new(false),
		LeadFormFields: &column.LeadFormFields{{Key: "size", Label: " Size ", Type: "select", Options: []string{"s", "m"}}},
	})
	require.NoError(t, err)
	require.Equal(t, "Staff handbook", p.Name)
	require.Equal(t, "handbook", p.Slug)
	require.Equal(t, []string{"http://localhost:3000"}, p.AllowedOrigins)
	require.Equal(t, 3, p.Settings.Retrieval.TopK)
	require.Equal(t, map[string]any{"team": []any{"hr", "it"}}, p.Settings.Retrieval.MetadataFilter)
	require.Equal(t, "warm", p.Settings.Prompt.Tone)
	require.Equal(t, "hybrid", p.Settings.Retrieval.Mode)
	require.Equal(t, []string{"email"}, p.Settings.LeadCapture.Fields)
	require.Equal(t, []string{"192.0.2.1", "2001:db8::/32"}, p.Settings.IPAllowlist)
	require.Equal(t, otherModel, p.ChatModelArn)
	require.Equal(t, "Size", p.LeadFormFields[0].Label)
	require.False(t, p.FeedbackEnabled)
	require.NotContains(t, string(p.EscalationWebhookSecret), "hush")
	secret, err := b.box.Open(p.EscalationWebhookSecret, projects.SecretPlace(p.CompanyID, p.ProjectID, "escalation_webhook_secret"))
	require.NoError(t, err)
	require.Equal(t, "hush", string(secret))

	cleared, err := b.svc.Patch(ctx, made.CompanyID, made.ProjectID, projects.Patch{
		EscalationWebhookURL: null(), EscalationWebhookSecret: null(), EscalationEmail: null(), ChatModel: null(),
		Settings: projects.SettingsPatch{Prompt: projects.PromptPatch{Tone: null()}},
	})
	require.NoError(t, err)
	require.Nil(t, cleared.EscalationWebhookURL)
	require.Nil(t, cleared.EscalationWebhookSecret)
	require.Nil(t, cleared.EscalationEmail)
	require.Equal(t, models.Extractive, cleared.ChatModelArn)
	require.Empty(t, cleared.Settings.Prompt.Tone)
	require.Equal(t, "de-AT", cleared.Settings.Prompt.AnswerLanguage)
	require.True(t, cleared.LeadCaptureEnabled)

	same, err := b.svc.Patch(ctx, made.CompanyID, made.ProjectID, projects.Patch{})
	require.NoError(t, err)
	require.Equal(t, cleared.Settings, same.Settings)
}

func TestService_Patch_OneFactTwoNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, _ := b.companyWithProject(t, "free")
	lead := projects.LeadCapturePatch{Enabled: new(true), AlertWebhookURL: str("https://hooks.example.com/lead")}
	p, err := b.svc.Patch(ctx, p.CompanyID, p.ProjectID, projects.Patch{Settings: projects.SettingsPatch{LeadCapture: lead}})
	require.NoError(t, err)
	require.True(t, p.LeadCaptureEnabled)
	require.Equal(t, "https://hooks.example.com/lead", *p.LeadAlertWebhookURL)
	p, err = b.svc.Patch(ctx, p.CompanyID, p.ProjectID, projects.Patch{LeadCaptureEnabled: new(false), LeadAlertWebhookURL: null()})
	require.NoError(t, err)
	require.False(t, p.LeadCaptureEnabled)
	require.Nil(t, p.LeadAlertWebhookURL)
}

func TestService_Patch_BadInput(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, _ := b.companyWithProject(t, "pro")
	settings := func(s projects.SettingsPatch) projects.Patch { return projects.Patch{Settings: s} }
	field := func(f column.LeadFormField) projects.Patch {
		return projects.Patch{LeadFormFields: &column.LeadFormFields{f}}
	}
	good := column.LeadFormField{Key: "a", Label: "A", Type: "text"}
	tests := map[string]projects.Patch{
		"blank name":         {Name: new(" ")},
		"origin":             {AllowedOrigins: &[]string{"https://*.example.com"}},
		"too many origins":   {AllowedOrigins: new(make([]string, 51))},
		"access mode":        {AccessMode: new("secret")},
		"unknown model":      {ChatModel: str("gpt")},
		"short share slug":   {ShareSlug: new("ab")},
		"share slug letters": {ShareSlug: new("Ab_c")},
		"e-mail":             {EscalationEmail: str("Ada <a@example.com>")},
		"e-mail with break":  {EscalationEmail: str("a@example.com\r\nBcc: b@example.com")},
		"blank secret":       {EscalationWebhookSecret: str(" ")},
		"mode":               settings(projects.SettingsPatch{Retrieval: projects.RetrievalPatch{Mode: new("magic")}}),
		"threshold":          settings(projects.SettingsPatch{Retrieval: projects.RetrievalPatch{ScoreThreshold: new(1.5)}}),
		"filter": settings(projects.SettingsPatch{Retrieval: projects.RetrievalPatch{
			MetadataFilter: &map[string]any{"a": map[string]any{}},
		}}),
		"language":         settings(projects.SettingsPatch{Prompt: projects.PromptPatch{AnswerLanguage: new("not a language")}}),
		"tokens":           settings(projects.SettingsPatch{Prompt: projects.PromptPatch{MaxTokens: new(63)}}),
		"no-answer":        settings(projects.SettingsPatch{Prompt: projects.PromptPatch{NoAnswerMessage: new(" ")}}),
		"lead field":       settings(projects.SettingsPatch{LeadCapture: projects.LeadCapturePatch{Fields: &[]string{"phone"}}}),
		"alert e-mail":     settings(projects.SettingsPatch{LeadCapture: projects.LeadCapturePatch{AlertEmail: str("x")}}),
		"address":          settings(projects.SettingsPatch{IPAllowlist: &[]string{"10.0.0.300"}}),
		"zone":             settings(projects.SettingsPatch{IPAllowlist: &[]string{"fe80::1%eth0"}}),
		"field key":        field(column.LeadFormField{Key: "A", Label: "A", Type: "text"}),
		"field label":      field(column.LeadFormField{Key: "a", Label: " ", Type: "text"}),
		"field type":       field(column.LeadFormField{Key: "a", Label: "A", Type: "date"}),
		"options missing":  field(column.LeadFormField{Key: "a", Label: "A", Type: "select"}),
		"options repeated": field(column.LeadFormField{Key: "a", Label: "A", Type: "select", Options: []string{"x", "x"}}),
		"options of text":  field(column.LeadFormField{Key: "a", Label: "A", Type: "text", Options: []string{"x", "y"}}),
		"field twice":      {LeadFormFields: &column.LeadFormFields{good, good}},
	}
	for name, in := range tests {
		_, err := b.svc.Patch(ctx, p.CompanyID, p.ProjectID, in)
		require.EqualValues(t, "validation_error", apperr.CodeOf(err), name)
	}
	_, err := b.svc.Patch(ctx, p.CompanyID, p.ProjectID, projects.Patch{EscalationWebhookURL: str(refusedURL)})
	require.EqualValues(t, "url_not_allowed", apperr.CodeOf(err))
	_, err = b.svc.Patch(ctx, p.CompanyID, p.ProjectID, projects.Patch{LeadAlertWebhookURL: str("https://a.example/" + strings.Repeat("x", 2048))})
	require.EqualValues(t, "invalid_url", apperr.CodeOf(err))
	_, err = b.svc.Patch(ctx, p.CompanyID, ids.New(ids.Project), projects.Patch{Name: new("x")})
	require.Equal(t, apperr.KindNotFound, apperr.KindOf(err))
	require.Equal(t, p.UpdatedAt, b.stored(ctx, t, p).UpdatedAt)
}

func TestService_Patch_Plans(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fields := func(n int) *column.LeadFormFields {
		list := column.LeadFormFields{}
		for i := range n {
			list = append(list, column.LeadFormField{Key: "k" + string(rune('a'+i)), Label: "L", Type: "text"})
		}
		return &list
	}
	tests := map[string]struct {
		plan string
		in   projects.Patch
		code string
	}{
		"model on free":                       {"free", projects.Patch{ChatModel: str(otherModel)}, "plan_required"},
		"model on growth":                     {"growth", projects.Patch{ChatModel: str(otherModel)}, ""},
		"pro's model on growth":               {"growth", projects.Patch{ChatModel: str(proModel)}, "plan_required"},
		"pro's model on pro":                  {"pro", projects.Patch{ChatModel: str(proModel)}, ""},
		"pro's model and form fields":         {"growth", projects.Patch{ChatModel: str(proModel), LeadFormFields: &column.LeadFormFields{{Key: "size", Label: "Size", Type: "text"}}}, "plan_required"},
		"default model on free":               {"free", projects.Patch{ChatModel: str(models.Extractive)}, ""},
		"branding on growth":                  {"growth", projects.Patch{HideServiceBranding: new(true)}, "plan_required"},
		"branding on pro":                     {"pro", projects.Patch{HideServiceBranding: new(true)}, ""},
		"branding off on free":                {"free", projects.Patch{HideServiceBranding: new(false)}, ""},
		"one lead field on free":              {"free", projects.Patch{LeadFormFields: fields(1)}, "plan_required"},
		"no lead field on free":               {"free", projects.Patch{LeadFormFields: fields(0)}, ""},
		"five lead fields on growth":          {"growth", projects.Patch{LeadFormFields: fields(5)}, ""},
		"six lead fields on growth":           {"growth", projects.Patch{LeadFormFields: fields(6)}, "plan_limit_reached"},
		"ten lead fields on pro":              {"pro", projects.Patch{LeadFormFields: fields(10)}, ""},
		"eleven lead fields on an enterprise": {"enterprise", projects.Patch{LeadFormFields: fields(11)}, "plan_limit_reached"},
	}
	for name, tt := range tests {
		ctx, p, _ := b.companyWithProject(t, tt.plan)
		_, err := b.svc.Patch(ctx, p.CompanyID, p.ProjectID, tt.in)
		if tt.code == "" {
			require.NoError(t, err, name)
			continue
		}
		require.EqualValues(t, tt.code, apperr.CodeOf(err), name)
		require.Equal(t, apperr.KindForbidden, apperr.KindOf(err), name)
	}
}

func TestService_Patch_ShareSlug(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctxA, companyA, _ := b.company(t, "pro")
	ctxB, companyB, _ := b.company(t, "pro")
	a := b.project(ctxA, t, companyA, "Handbook")
	a, err := b.svc.Patch(ctxA, companyA, a.ProjectID, projects.Patch{ShareEnabled: new(true)})
	require.NoError(t, err)
	require.Equal(t, "handbook", *a.ShareSlug)

	other := b.project(ctxB, t, companyB, "Handbook")
	_, err = b.svc.Patch(ctxB, companyB, other.ProjectID, projects.Patch{ShareEnabled: new(true), ShareSlug: new("handbook")})
	require.EqualValues(t, "slug_taken", apperr.CodeOf(err))
	require.Equal(t, apperr.KindConflict, apperr.KindOf(err))
	other, err = b.svc.Patch(ctxB, companyB, other.ProjectID, projects.Patch{ShareEnabled: new(true)})
	require.NoError(t, err)
	require.Regexp(t, "^handbook-[0-9a-z]{4}$", *other.ShareSlug)

	slug := *other.ShareSlug
	other, err = b.svc.Patch(ctxB, companyB, other.ProjectID, projects.Patch{ShareEnabled: new(false)})
	require.NoError(t, err)
	require.Equal(t, slug, *other.ShareSlug)
	other, err = b.svc.Patch(ctxB, companyB, other.ProjectID, projects.Patch{ShareEnabled: new(true)})
	require.NoError(t, err)
	require.Equal(t, slug, *other.ShareSlug)

	short, err := b.svc.Patch(ctxB, companyB, b.project(ctxB, t, companyB, "x").ProjectID, projects.Patch{ShareEnabled: new(true)})
	require.NoError(t, err)
	require.Regexp(t, "^x-[0-9a-z]{4}$", *short.ShareSlug)
}

func TestService_Patch_ConcurrentMergesLoseNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, _ := b.companyWithProject(t, "free")
	patches := []projects.SettingsPatch{
		{Retrieval: projects.RetrievalPatch{TopK: new(11)}},
		{Retrieval: projects.RetrievalPatch{ScoreThreshold: new(0.5)}},
		{Retrieval: projects.RetrievalPatch{RerankEnabled: new(false)}},
		{Prompt: projects.PromptPatch{MaxTokens: new(99)}},
		{Prompt: projects.PromptPatch{Temperature: new(0.9)}},
		{LeadCapture: projects.LeadCapturePatch{Mode: new("form")}},
		{IPAllowlist: &[]string{"192.0.2.1"}},
	}
	errs := make([]error, len(patches))
	var wg sync.WaitGroup
	for i, patch := range patches {
		wg.Go(func() { _, errs[i] = b.svc.Patch(ctx, p.CompanyID, p.ProjectID, projects.Patch{Settings: patch}) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	want := column.DefaultSettings()
	want.Retrieval.TopK, want.Retrieval.ScoreThreshold, want.Retrieval.RerankEnabled = 11, 0.5, false
	want.Prompt.MaxTokens, want.Prompt.Temperature, want.LeadCapture.Mode = 99, 0.9, "form"
	want.IPAllowlist = []string{"192.0.2.1"}
	require.Equal(t, want, b.stored(ctx, t, p).Settings)
}

func TestService_Patch_SecretWithoutKeyset(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, p, _ := b.companyWithProject(t, "free")
	closed, err := secretbox.New("")
	require.NoError(t, err)
	deps := b.svc.Deps
	deps.Secrets = closed
	_, err = projects.New(deps).Patch(ctx, p.CompanyID, p.ProjectID, projects.Patch{LeadAlertWebhookSecret: str("hush")})
	require.EqualValues(t, "not_configured", apperr.CodeOf(err))
}
