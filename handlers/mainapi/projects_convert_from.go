package mainapi

import (
	"encoding/json"

	oas "docqa/gen/mainapi"
	"docqa/internal/platform/apitype"
	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/projects"
)

func fromAPIProjectCreate(req *oas.ProjectCreate) (projects.CreateInput, error) {
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

func fromAPIProjectPatch(req *oas.ProjectPatch) (projects.Patch, error) {
	settings, err := fromAPIProjectSettings(req.Settings.Value)
	return projects.Patch{
		Name: apitype.Pointer(req.Name.Get()), Description: apitype.Pointer(req.Description.Get()), AllowedOrigins: fromAPIList[string](req.AllowedOrigins),
		Settings: settings, ChatModel: optText(req.ChatModelArn), HideServiceBranding: apitype.Pointer(req.HideServiceBranding.Get()),
		ShareEnabled: apitype.Pointer(req.ShareEnabled.Get()), ShareSlug: apitype.Pointer(req.ShareSlug.Get()), AccessMode: optString(req.AccessMode.Get()),
		EscalationWebhookURL: optText(req.EscalationWebhookURL), EscalationWebhookSecret: optText(req.EscalationWebhookSecret),
		EscalationEmail: optText(req.EscalationEmail), LeadCaptureEnabled: apitype.Pointer(req.LeadCaptureEnabled.Get()),
		LeadFormFields:      fromAPILeadFormFields(req.LeadFormFields),
		LeadAlertWebhookURL: optText(req.LeadAlertWebhookURL), LeadAlertWebhookSecret: optText(req.LeadAlertWebhookSecret),
		FeedbackEnabled: apitype.Pointer(req.FeedbackEnabled.Get()),
	}, err
}

func fromAPIProjectSettings(s oas.ProjectSettingsPatch) (projects.SettingsPatch, error) {
	r, p, l := s.Retrieval.Value, s.Prompt.Value, s.LeadCapture.Value
	filter, err := fromAPIFilter(r.MetadataFilter)
	return projects.SettingsPatch{
		Retrieval: projects.RetrievalPatch{
			Mode: optString(r.Mode.Get()), TopK: apitype.Pointer(r.TopK.Get()), ScoreThreshold: apitype.Pointer(r.ScoreThreshold.Get()),
			RerankEnabled: apitype.Pointer(r.RerankEnabled.Get()), RerankTopK: apitype.Pointer(r.RerankTopK.Get()), QueryRewriting: apitype.Pointer(r.QueryRewriting.Get()),
			MaxContextTokens: apitype.Pointer(r.MaxContextTokens.Get()), MetadataFilter: filter,
		},
		Prompt: projects.PromptPatch{
			SystemPrompt: apitype.Pointer(p.SystemPrompt.Get()), Tone: optText(p.Tone), AnswerLanguage: apitype.Pointer(p.AnswerLanguage.Get()),
			MaxTokens: apitype.Pointer(p.MaxTokens.Get()), Temperature: apitype.Pointer(p.Temperature.Get()), NoAnswerMessage: apitype.Pointer(p.NoAnswerMessage.Get()),
			StrictGrounding: apitype.Pointer(p.StrictGrounding.Get()), MaxQuestionLength: apitype.Pointer(p.MaxQuestionLength.Get()),
			AnswerThreshold: optNumber(p.AnswerThreshold),
		},
		LeadCapture: projects.LeadCapturePatch{
			Enabled: apitype.Pointer(l.Enabled.Get()), Mode: optString(l.Mode.Get()), PromptMessage: apitype.Pointer(l.PromptMessage.Get()),
			Fields: fromAPIList[oas.ProjectLeadField](l.Fields), AlertWebhookURL: optText(l.AlertWebhookURL), AlertEmail: optText(l.AlertEmail),
		},
		IPAllowlist: fromAPIList[string](s.IPAllowlist),
	}, err
}

// fromAPIList converts a list of a patch. An absent list is nil, an empty one is not.
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

func fromAPIFilter(sent oas.OptRetrievalSettingsPatchMetadataFilter) (*map[string]any, error) {
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

func fromAPILeadFormFields(sent []oas.LeadFormField) *column.LeadFormFields {
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
