package column

import "encoding/json"

// ProjectSettings are a project's settings in their four areas. limits.Setting has their
// bounds.
//
// Source: main API section 2 (Project); docs/decisions.md#project-settings.
type ProjectSettings struct {
	Retrieval   Retrieval   `json:"retrieval"`
	Prompt      Prompt      `json:"prompt"`
	LeadCapture LeadCapture `json:"leadCapture"`
	IPAllowlist []string    `json:"ipAllowlist"` // addresses or CIDRs; empty: no restriction
}

// Retrieval says how passages are found.
type Retrieval struct {
	Mode             string         `json:"mode"`           // semantic, keyword, hybrid
	TopK             int            `json:"topK"`           // passages to find
	ScoreThreshold   float64        `json:"scoreThreshold"` // of relevance, 0 to 1
	RerankEnabled    bool           `json:"rerankEnabled"`
	RerankTopK       int            `json:"rerankTopK"`       // passages to keep
	QueryRewriting   bool           `json:"queryRewriting"`   // earlier questions are taken into account
	MaxContextTokens int            `json:"maxContextTokens"` // bound on the passages together
	MetadataFilter   map[string]any `json:"metadataFilter,omitempty"`
}

// Prompt says how answers are written.
type Prompt struct {
	SystemPrompt      string  `json:"systemPrompt"`
	Tone              string  `json:"tone,omitempty"`
	AnswerLanguage    string  `json:"answerLanguage"` // auto or a BCP 47 tag
	MaxTokens         int     `json:"maxTokens"`      // of an answer
	Temperature       float64 `json:"temperature"`
	NoAnswerMessage   string  `json:"noAnswerMessage"`
	StrictGrounding   bool    `json:"strictGrounding"`
	MaxQuestionLength int     `json:"maxQuestionLength"` // characters
	// AnswerThreshold is the confidence below which there is no answer, 0 to 1; nil: the model's own.
	AnswerThreshold *float64 `json:"answerThreshold,omitempty"`
}

// LeadCapture says when a visitor is asked for contact details. Three related settings are
// columns of the project and not repeated here: whether it is enabled, the fields of the form,
// and the address for alerts.
type LeadCapture struct {
	Mode          string   `json:"mode"` // smart, form, off
	PromptMessage string   `json:"promptMessage"`
	Fields        []string `json:"fields"` // name, email
	AlertEmail    string   `json:"alertEmail,omitempty"`
}

// DefaultSettings returns what a new project starts with.
func DefaultSettings() ProjectSettings {
	return ProjectSettings{
		Retrieval: Retrieval{
			Mode: "hybrid", TopK: 8, ScoreThreshold: 0.2, RerankEnabled: true, RerankTopK: 4, QueryRewriting: true,
			MaxContextTokens: 6000,
		},
		Prompt: Prompt{
			AnswerLanguage: "auto", MaxTokens: 1024, Temperature: 0.2, StrictGrounding: true, MaxQuestionLength: 1000,
			NoAnswerMessage: "I could not find an answer to that in the documents.",
		},
		LeadCapture: LeadCapture{
			Mode: "smart", Fields: []string{"name", "email"},
			PromptMessage: "I could not find an answer to that. Leave your contact details and we will get back to you.",
		},
		IPAllowlist: []string{},
	}
}

// UnmarshalJSON reads stored settings over the defaults.
func (s *ProjectSettings) UnmarshalJSON(data []byte) error {
	type plain ProjectSettings
	p := plain(DefaultSettings())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	if p.IPAllowlist == nil {
		p.IPAllowlist = []string{}
	}
	*s = ProjectSettings(p)
	return nil
}
