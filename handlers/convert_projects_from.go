package handlers

import (
	"encoding/json"

	"docqa/gen/mainapi"
	"docqa/internal/apperr"
	"docqa/internal/projects"
	"docqa/internal/records"
)

func fromAPIProjectCreate(req *mainapi.ProjectCreate) (projects.CreateInput, error) {
	in := projects.CreateInput{
		Name: req.Name, Description: req.Description.Value, AllowedOrigins: fromAPIList[string](req.AllowedOrigins),
	}
	if !req.Settings.Set {
		return in, nil
	}
	settings, err := fromAPIProjectSettings(req.Settings.Value)
	in.Settings = &settings
	return in, err
}

func fromAPIProjectPatch(req *mainapi.ProjectPatch) (projects.Patch, error) {
	settings, err := fromAPIProjectSettings(req.Settings.Value)
	return projects.Patch{
		Name: opt(req.Name.Get()), Description: opt(req.Description.Get()), AllowedOrigins: fromAPIList[string](req.AllowedOrigins),
		Settings: settings, ChatModel: optText(req.ChatModelArn), HideServiceBranding: opt(req.HideServiceBranding.Get()),
		ShareEnabled: opt(req.ShareEnabled.Get()), ShareSlug: opt(req.ShareSlug.Get()), AccessMode: optString(req.AccessMode.Get()),
		EscalationWebhookURL: optText(req.EscalationWebhookURL), EscalationWebhookSecret: optText(req.EscalationWebhookSecret),
		EscalationEmail: optText(req.EscalationEmail), LeadCaptureEnabled: opt(req.LeadCaptureEnabled.Get()),
		LeadFormFields:      fromAPILeadFormFields(req.LeadFormFields),
		LeadAlertWebhookURL: optText(req.LeadAlertWebhookURL), LeadAlertWebhookSecret: optText(req.LeadAlertWebhookSecret),
		FeedbackEnabled: opt(req.FeedbackEnabled.Get()),
	}, err
}

func fromAPIProjectSettings(s mainapi.ProjectSettingsPatch) (projects.SettingsPatch, error) {
	r, p, l := s.Retrieval.Value, s.Prompt.Value, s.LeadCapture.Value
	filter, err := fromAPIFilter(r.MetadataFilter)
	return projects.SettingsPatch{
		Retrieval: projects.RetrievalPatch{
			Mode: optString(r.Mode.Get()), TopK: opt(r.TopK.Get()), ScoreThreshold: opt(r.ScoreThreshold.Get()),
			RerankEnabled: opt(r.RerankEnabled.Get()), RerankTopK: opt(r.RerankTopK.Get()), QueryRewriting: opt(r.QueryRewriting.Get()),
			MaxContextTokens: opt(r.MaxContextTokens.Get()), MetadataFilter: filter,
		},
		Prompt: projects.PromptPatch{
			SystemPrompt: opt(p.SystemPrompt.Get()), Tone: optText(p.Tone), AnswerLanguage: opt(p.AnswerLanguage.Get()),
			MaxTokens: opt(p.MaxTokens.Get()), Temperature: opt(p.Temperature.Get()), NoAnswerMessage: opt(p.NoAnswerMessage.Get()),
			StrictGrounding: opt(p.StrictGrounding.Get()), MaxQuestionLength: opt(p.MaxQuestionLength.Get()),
		},
		LeadCapture: projects.LeadCapturePatch{
			Enabled: opt(l.Enabled.Get()), Mode: optString(l.Mode.Get()), PromptMessage: opt(l.PromptMessage.Get()),
			Fields: fromAPIList[mainapi.ProjectLeadField](l.Fields), AlertWebhookURL: optText(l.AlertWebhookURL), AlertEmail: optText(l.AlertEmail),
		},
		IPAllowlist: fromAPIList[string](s.IPAllowlist),
	}, err
}

// fromAPIList keeps an absent list (nil) apart from an empty one.
func fromAPIList[T ~string](sent []T) *[]string {
	if sent == nil {
		return nil
	}
	list := make([]string, len(sent))
	for i, s := range sent {
		list[i] = string(s)
	}
	return &list
}

func fromAPIFilter(sent mainapi.OptRetrievalSettingsPatchMetadataFilter) (*map[string]any, error) {
	if !sent.Set {
		return nil, nil
	}
	filter := make(map[string]any, len(sent.Value))
	for key, raw := range sent.Value {
		var value any
		if err := json.Unmarshal(raw, &value); err != nil {
			return nil, apperr.Validation("/settings/retrieval/metadataFilter", "is not valid").Wrap(err)
		}
		filter[key] = value
	}
	return &filter, nil
}

func fromAPILeadFormFields(sent []mainapi.LeadFormField) *records.LeadFormFields {
	if sent == nil {
		return nil
	}
	fields := make(records.LeadFormFields, len(sent))
	for i, f := range sent {
		fields[i] = records.LeadFormField{
			Key: f.Key, Label: f.Label, Type: string(f.Type), Required: f.Required.Value, Placeholder: f.Placeholder.Value,
			Options: f.Options, MaxLength: f.MaxLength.Value,
		}
	}
	return &fields
}
