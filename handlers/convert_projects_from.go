package handlers

import (
	"encoding/json"

	"docqa/gen/mainapi"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/projects"
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
		Name: pointer(req.Name.Get()), Description: pointer(req.Description.Get()), AllowedOrigins: fromAPIList[string](req.AllowedOrigins),
		Settings: settings, ChatModel: optText(req.ChatModelArn), HideServiceBranding: pointer(req.HideServiceBranding.Get()),
		ShareEnabled: pointer(req.ShareEnabled.Get()), ShareSlug: pointer(req.ShareSlug.Get()), AccessMode: optString(req.AccessMode.Get()),
		EscalationWebhookURL: optText(req.EscalationWebhookURL), EscalationWebhookSecret: optText(req.EscalationWebhookSecret),
		EscalationEmail: optText(req.EscalationEmail), LeadCaptureEnabled: pointer(req.LeadCaptureEnabled.Get()),
		LeadFormFields:      fromAPILeadFormFields(req.LeadFormFields),
		LeadAlertWebhookURL: optText(req.LeadAlertWebhookURL), LeadAlertWebhookSecret: optText(req.LeadAlertWebhookSecret),
		FeedbackEnabled: pointer(req.FeedbackEnabled.Get()),
	}, err
}

func fromAPIProjectSettings(s mainapi.ProjectSettingsPatch) (projects.SettingsPatch, error) {
	r, p, l := s.Retrieval.Value, s.Prompt.Value, s.LeadCapture.Value
	filter, err := fromAPIFilter(r.MetadataFilter)
	return projects.SettingsPatch{
		Retrieval: projects.RetrievalPatch{
			Mode: optString(r.Mode.Get()), TopK: pointer(r.TopK.Get()), ScoreThreshold: pointer(r.ScoreThreshold.Get()),
			RerankEnabled: pointer(r.RerankEnabled.Get()), RerankTopK: pointer(r.RerankTopK.Get()), QueryRewriting: pointer(r.QueryRewriting.Get()),
			MaxContextTokens: pointer(r.MaxContextTokens.Get()), MetadataFilter: filter,
		},
		Prompt: projects.PromptPatch{
			SystemPrompt: pointer(p.SystemPrompt.Get()), Tone: optText(p.Tone), AnswerLanguage: pointer(p.AnswerLanguage.Get()),
			MaxTokens: pointer(p.MaxTokens.Get()), Temperature: pointer(p.Temperature.Get()), NoAnswerMessage: pointer(p.NoAnswerMessage.Get()),
			StrictGrounding: pointer(p.StrictGrounding.Get()), MaxQuestionLength: pointer(p.MaxQuestionLength.Get()),
		},
		LeadCapture: projects.LeadCapturePatch{
			Enabled: pointer(l.Enabled.Get()), Mode: optString(l.Mode.Get()), PromptMessage: pointer(l.PromptMessage.Get()),
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

func fromAPILeadFormFields(sent []mainapi.LeadFormField) *column.LeadFormFields {
	if sent == nil {
		return nil
	}
	fields := make(column.LeadFormFields, len(sent))
	for i, f := range sent {
		fields[i] = column.LeadFormField{
			Key: f.Key, Label: f.Label, Type: string(f.Type), Required: f.Required.Value, Placeholder: f.Placeholder.Value,
			Options: f.Options, MaxLength: f.MaxLength.Value,
		}
	}
	return &fields
}
