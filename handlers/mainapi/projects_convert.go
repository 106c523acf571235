package mainapi

import (
	"encoding/json"
	"fmt"

	"docqa/gen/dbsqlc"
	oas "docqa/gen/mainapi"
	"docqa/internal/apikeys"
	"docqa/internal/platform/column"
	"docqa/internal/projects"
)

func toAPIProject(v projects.View, environment string) (oas.Project, error) {
	p := v.Project
	settings, err := toAPIProjectSettings(p)
	if err != nil {
		return oas.Project{}, err
	}
	return oas.Project{
		ProjectID: p.ProjectID, CompanyID: p.CompanyID, Name: p.Name, Description: p.Description, Slug: p.Slug,
		Status: oas.ProjectStatus(p.Status), Environment: oas.NewOptString(environment),
		AllowedOrigins: p.AllowedOrigins, Settings: settings, ChatModelArn: p.ChatModelArn,
		HideServiceBranding: p.HideServiceBranding, ShareEnabled: p.ShareEnabled, ShareSlug: nilString(p.ShareSlug),
		AccessMode:           oas.ProjectAccessMode(p.AccessMode),
		EscalationWebhookURL: nilString(p.EscalationWebhookURL), EscalationSecretConfigured: p.EscalationWebhookSecret != nil,
		EscalationEmail: nilString(p.EscalationEmail), LeadCaptureEnabled: p.LeadCaptureEnabled,
		LeadFormFields: toAPILeadFormFields(p.LeadFormFields), LeadAlertWebhookURL: nilString(p.LeadAlertWebhookURL),
		LeadAlertSecretConfigured: p.LeadAlertWebhookSecret != nil, FeedbackEnabled: p.FeedbackEnabled,
		WidgetEnabled: p.Widget.Enabled, DocumentCount: v.Documents, IndexedDocumentCount: v.Indexed,
		LastDeployedAt: nilTimestamp(p.LastDeployedAt), CreatedBy: p.CreatedBy,
		CreatedAt: timestamp(p.CreatedAt), UpdatedAt: timestamp(p.UpdatedAt), ArchivedAt: nilTimestamp(p.ArchivedAt),
	}, nil
}

func toAPIProjectSettings(p dbsqlc.Project) (oas.ProjectSettings, error) {
	s := p.Settings
	filter := make(oas.RetrievalSettingsMetadataFilter, len(s.Retrieval.MetadataFilter))
	for key, value := range s.Retrieval.MetadataFilter {
		raw, err := json.Marshal(value)
		if err != nil {
			return oas.ProjectSettings{}, fmt.Errorf("write the metadata filter: %w", err)
		}
		filter[key] = raw
	}
	fields := make([]oas.ProjectLeadField, len(s.LeadCapture.Fields))
	for i, field := range s.LeadCapture.Fields {
		fields[i] = oas.ProjectLeadField(field)
	}
	return oas.ProjectSettings{
		Retrieval: oas.RetrievalSettings{
			Mode: oas.ProjectRetrievalMode(s.Retrieval.Mode), TopK: s.Retrieval.TopK, ScoreThreshold: s.Retrieval.ScoreThreshold,
			RerankEnabled: s.Retrieval.RerankEnabled, RerankTopK: s.Retrieval.RerankTopK, QueryRewriting: s.Retrieval.QueryRewriting,
			MaxContextTokens: s.Retrieval.MaxContextTokens, MetadataFilter: filter,
		},
		Prompt: oas.PromptSettings{
			SystemPrompt: s.Prompt.SystemPrompt, Tone: nullIfEmpty(s.Prompt.Tone), AnswerLanguage: s.Prompt.AnswerLanguage,
			MaxTokens: s.Prompt.MaxTokens, Temperature: s.Prompt.Temperature, NoAnswerMessage: s.Prompt.NoAnswerMessage,
			StrictGrounding: s.Prompt.StrictGrounding, MaxQuestionLength: s.Prompt.MaxQuestionLength,
			AnswerThreshold: nullableNumber(s.Prompt.AnswerThreshold),
		},
		LeadCapture: oas.LeadCaptureSettings{
			Enabled: p.LeadCaptureEnabled, Mode: oas.ProjectLeadCaptureMode(s.LeadCapture.Mode),
			PromptMessage: s.LeadCapture.PromptMessage, Fields: fields,
			AlertWebhookURL: nilString(p.LeadAlertWebhookURL), AlertEmail: nullIfEmpty(s.LeadCapture.AlertEmail),
		},
		IPAllowlist: s.IPAllowlist,
	}, nil
}

func toAPILeadFormFields(stored column.LeadFormFields) []oas.LeadFormField {
	fields := make([]oas.LeadFormField, len(stored))
	for i, f := range stored {
		fields[i] = oas.LeadFormField{
			Key: f.Key, Label: f.Label, Type: oas.LeadFormFieldType(f.Type), Required: oas.NewOptBool(f.Required), Options: f.Options,
		}
		if f.Placeholder != "" {
			fields[i].Placeholder = oas.NewOptString(f.Placeholder)
		}
		if f.MaxLength > 0 {
			fields[i].MaxLength = oas.NewOptInt(f.MaxLength)
		}
	}
	return fields
}

func toAPIDeployResult(d projects.Deployment) *oas.DeployResult {
	message := "Deployed."
	switch {
	case d.Started == 1:
		message = "Deployed. 1 document is being indexed."
	case d.Started > 1:
		message = fmt.Sprintf("Deployed. %d documents are being indexed.", d.Started)
	}
	return &oas.DeployResult{
		ProjectID: d.Project.ProjectID, Status: oas.DeployResultStatus(d.Project.Status), DeploymentID: d.DeploymentID,
		DeployedAt: timestamp(d.At), DocumentCount: d.Documents, PendingDocumentCount: d.Started, Message: message,
		Keys: oas.DeployKeys{Integration: toAPIDeployKey(d.Keys.Integration), Embed: toAPIDeployKey(d.Keys.Embed)},
	}
}

func toAPIDeployKey(k apikeys.Issued) oas.DeployKey {
	key := oas.DeployKey{KeyID: k.Key.KeyID, Prefix: k.Key.Prefix}
	if k.Secret != "" {
		key.Secret = oas.NewOptString(k.Secret)
	}
	return key
}
