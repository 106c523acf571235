package column

import "encoding/json"

// Widget is how the embed widget and the share page look.
//
// Source: main API section 4.8; docs/decisions.md#widget-settings.
type Widget struct {
	Enabled           bool     `json:"enabled"`
	DisplayName       string   `json:"displayName"` // empty: the project's name
	WelcomeMessage    string   `json:"welcomeMessage"`
	QuickPrompts      []string `json:"quickPrompts"`
	LeadCaptureTitle  string   `json:"leadCaptureTitle"`
	LeadCaptureFields []string `json:"leadCaptureFields"`
	Theme             Theme    `json:"theme"`
	Locale            string   `json:"locale,omitempty"`
	AvatarURL         string   `json:"avatarUrl,omitempty"`
	PrivacyURL        string   `json:"privacyUrl,omitempty"`
}

// Theme is the widget's colors and position.
type Theme struct {
	PrimaryColor string `json:"primaryColor"` // #RRGGBB
	Position     string `json:"position"`     // bottom-right, bottom-left
	Mode         string `json:"mode"`         // auto, light, dark
}

// DefaultWidget returns what a new project starts with.
func DefaultWidget() Widget {
	return Widget{
		Enabled: true, WelcomeMessage: "Hello! Ask me anything about our documents.", QuickPrompts: []string{},
		LeadCaptureTitle: "Leave your contact details", LeadCaptureFields: []string{"name", "email"},
		Theme: Theme{PrimaryColor: "#2563EB", Position: "bottom-right", Mode: "auto"},
	}
}

// UnmarshalJSON reads a stored widget over the defaults.
func (w *Widget) UnmarshalJSON(data []byte) error {
	type plain Widget
	p := plain(DefaultWidget())
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*w = Widget(p)
	return nil
}

// LeadFormField is one custom field of the lead form.
type LeadFormField struct {
	Key         string   `json:"key"`
	Label       string   `json:"label"`
	Type        string   `json:"type"` // text, email, phone, number, select, checkbox, textarea
	Required    bool     `json:"required"`
	Placeholder string   `json:"placeholder,omitempty"`
	Options     []string `json:"options,omitempty"`
	MaxLength   int      `json:"maxLength,omitempty"`
}

// LeadFormFields is the list of a project's custom lead fields.
type LeadFormFields []LeadFormField
