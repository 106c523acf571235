package projects

import (
	"fmt"
	"slices"

	"golang.org/x/text/language"

	"docqa/internal/platform/apperr"
	"docqa/internal/platform/column"
	"docqa/internal/platform/limits"
	"docqa/internal/platform/names"
)

// Text is a member that may be absent, null or a string.
type Text = Nullable[string]

// Nullable is a member that may be absent, null or a value.
type Nullable[T any] struct {
	Set   bool
	Value *T // nil: null
}

// SettingsPatch holds the settings that were sent. Settings that are nil do not change.
type SettingsPatch struct {
	Retrieval   RetrievalPatch
	Prompt      PromptPatch
	LeadCapture LeadCapturePatch
	IPAllowlist *[]string
}

// RetrievalPatch is the area retrieval.
type RetrievalPatch struct {
	Mode             *string
	TopK             *int
	ScoreThreshold   *float64
	RerankEnabled    *bool
	RerankTopK       *int
	QueryRewriting   *bool
	MaxContextTokens *int
	MetadataFilter   *map[string]any
}

// PromptPatch is the area prompt.
type PromptPatch struct {
	SystemPrompt      *string
	Tone              Text
	AnswerLanguage    *string
	MaxTokens         *int
	Temperature       *float64
	NoAnswerMessage   *string
	StrictGrounding   *bool
	MaxQuestionLength *int
	AnswerThreshold   Nullable[float64]
}

// LeadCapturePatch is the area lead capture. Enabled and AlertWebhookURL are second names of
// the project's members leadCaptureEnabled and leadAlertWebhookUrl.
type LeadCapturePatch struct {
	Enabled         *bool
	Mode            *string
	PromptMessage   *string
	Fields          *[]string
	AlertWebhookURL Text
	AlertEmail      Text
}

// merge writes the settings that were sent into s. An array replaces the old one as a whole.
func (p *SettingsPatch) merge(s *column.ProjectSettings) {
	put(&s.Retrieval.Mode, p.Retrieval.Mode)
	put(&s.Retrieval.TopK, p.Retrieval.TopK)
	put(&s.Retrieval.ScoreThreshold, p.Retrieval.ScoreThreshold)
	put(&s.Retrieval.RerankEnabled, p.Retrieval.RerankEnabled)
	put(&s.Retrieval.RerankTopK, p.Retrieval.RerankTopK)
	put(&s.Retrieval.QueryRewriting, p.Retrieval.QueryRewriting)
	put(&s.Retrieval.MaxContextTokens, p.Retrieval.MaxContextTokens)
	put(&s.Retrieval.MetadataFilter, p.Retrieval.MetadataFilter)

	put(&s.Prompt.SystemPrompt, p.Prompt.SystemPrompt)
	putText(&s.Prompt.Tone, p.Prompt.Tone)
	put(&s.Prompt.AnswerLanguage, p.Prompt.AnswerLanguage)
	put(&s.Prompt.MaxTokens, p.Prompt.MaxTokens)
	put(&s.Prompt.Temperature, p.Prompt.Temperature)
	put(&s.Prompt.NoAnswerMessage, p.Prompt.NoAnswerMessage)
	put(&s.Prompt.StrictGrounding, p.Prompt.StrictGrounding)
	put(&s.Prompt.MaxQuestionLength, p.Prompt.MaxQuestionLength)
	if p.Prompt.AnswerThreshold.Set {
		s.Prompt.AnswerThreshold = p.Prompt.AnswerThreshold.Value
	}

	put(&s.LeadCapture.Mode, p.LeadCapture.Mode)
	put(&s.LeadCapture.PromptMessage, p.LeadCapture.PromptMessage)
	put(&s.LeadCapture.Fields, p.LeadCapture.Fields)
	putText(&s.LeadCapture.AlertEmail, p.LeadCapture.AlertEmail)

	put(&s.IPAllowlist, p.IPAllowlist)
}

func put[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func putText(to *string, from Text) {
	if !from.Set {
		return
	}
	*to = ""
	if from.Value != nil {
		*to = *from.Value
	}
}

// clean checks the settings and converts them to their canonical form. Error: 400.
func (p *SettingsPatch) clean() error {
	for _, err := range []error{p.Retrieval.check(), p.Prompt.check(), p.LeadCapture.clean()} {
		if err != nil {
			return err
		}
	}
	if p.IPAllowlist == nil {
		return nil
	}
	list, err := cleanAddresses(*p.IPAllowlist)
	p.IPAllowlist = &list
	return err
}

// settingsPath is the JSON pointer of the settings in a request.
const settingsPath = "/settings/"

func (p *RetrievalPatch) check() error {
	return first(
		oneOf(settingsPath+"retrieval/mode", p.Mode, "semantic", "keyword", "hybrid"),
		number("retrieval/topK", p.TopK),
		number("retrieval/scoreThreshold", p.ScoreThreshold),
		number("retrieval/rerankTopK", p.RerankTopK),
		number("retrieval/maxContextTokens", p.MaxContextTokens),
		checkFilter("retrieval/metadataFilter", p.MetadataFilter),
	)
}

func (p *PromptPatch) check() error {
	return first(
		characters("prompt/systemPrompt", p.SystemPrompt),
		characters("prompt/tone", p.Tone.Value),
		characters("prompt/answerLanguage", p.AnswerLanguage),
		checkLanguage(settingsPath+"prompt/answerLanguage", p.AnswerLanguage),
		number("prompt/maxTokens", p.MaxTokens),
		number("prompt/temperature", p.Temperature),
		characters("prompt/noAnswerMessage", p.NoAnswerMessage),
		number("prompt/maxQuestionLength", p.MaxQuestionLength),
		number("prompt/answerThreshold", p.AnswerThreshold.Value),
	)
}

func (p *LeadCapturePatch) clean() error {
	err := first(
		oneOf(settingsPath+"leadCapture/mode", p.Mode, "smart", "form", "off"),
		characters("leadCapture/promptMessage", p.PromptMessage),
		checkEmail(settingsPath+"leadCapture/alertEmail", p.AlertEmail),
	)
	if err != nil || p.Fields == nil {
		return err
	}
	if err := entries("leadCapture/fields", len(*p.Fields)); err != nil {
		return err
	}
	for i, field := range *p.Fields {
		if err := oneOf(fmt.Sprintf("%sleadCapture/fields/%d", settingsPath, i), &field, "name", "email"); err != nil {
			return err
		}
	}
	fields := slices.Compact(slices.Sorted(slices.Values(*p.Fields)))
	slices.Reverse(fields) // name before email
	if fields == nil {
		fields = []string{}
	}
	p.Fields = &fields
	return nil
}

// first returns the first error of the list.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// number checks a number among the settings.
func number[T int | float64](path string, v *T) error {
	b, _ := limits.Setting(path)
	if v == nil || float64(*v) >= b.Min && float64(*v) <= b.Max {
		return nil
	}
	return apperr.Validation(settingsPath+path, fmt.Sprintf("must be from %v to %v", b.Min, b.Max))
}

// characters checks the length of a text among the settings. If its minimum is not 0, the
// text must not be blank.
func characters(path string, v *string) error {
	b, _ := limits.Setting(path)
	if b.Min > 0 {
		return notBlank(settingsPath+path, v, int(b.Max))
	}
	return text(settingsPath+path, v, int(b.Max))
}

// entries checks how many entries a list or an object among the settings has.
func entries(path string, n int) error {
	if b, _ := limits.Setting(path); n > int(b.Max) {
		return apperr.Validation(settingsPath+path, fmt.Sprintf("must not have more than %v entries", b.Max))
	}
	return nil
}

func oneOf(path string, v *string, values ...string) error {
	if v == nil || slices.Contains(values, *v) {
		return nil
	}
	return apperr.Validation(path, fmt.Sprintf("must be one of %v", values))
}

func text(path string, v *string, maxLength int) error {
	if v == nil {
		return nil
	}
	_, err := names.Text(path, *v, maxLength)
	return err
}

// notBlank checks a text that must not be blank.
func notBlank(path string, v *string, maxLength int) error {
	if v != nil && isBlank(*v) {
		return apperr.Validation(path, "must not be blank")
	}
	return text(path, v, maxLength)
}

func checkLanguage(path string, v *string) error {
	if v == nil || *v == "auto" {
		return nil
	}
	if _, err := language.Parse(*v); err != nil {
		return apperr.Validation(path, "must be auto or a BCP 47 language tag")
	}
	return nil
}

// checkFilter accepts strings, numbers, booleans and arrays of them.
func checkFilter(path string, v *map[string]any) error {
	if v == nil {
		return nil
	}
	if err := entries(path, len(*v)); err != nil {
		return err
	}
	for key, value := range *v {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		if len(list) > 100 || slices.ContainsFunc(list, isNoScalar) {
			return apperr.Validation(settingsPath+path, fmt.Sprintf("%q must be a string, a number, a boolean or an array of at most 100 of them", key))
		}
	}
	return nil
}

func isNoScalar(v any) bool {
	switch v.(type) {
	case string, float64, bool:
		return false
	default:
		return true
	}
}
