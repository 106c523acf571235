package chat_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/chat"
	"docqa/internal/platform/authn"
)

func TestService_Ask_courtesy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ message, language, welcome, want string }{
		"greeting":                     {message: "Hi there!", want: "Hello! What would you like to know?"},
		"greeting in another language": {message: "Hola", want: "¡Hola! ¿Qué le gustaría saber?"},
		"the project's language":       {message: "thanks", language: "fr-CA", want: "Je vous en prie !"},
		"the project's welcome":        {message: "hello", welcome: "Welcome to the workshop.", want: "Welcome to the workshop."},
		"no welcome for a farewell":    {message: "bye", welcome: "Welcome to the workshop.", want: "Goodbye!"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			if c.language != "" {
				h.Project.Settings.Prompt.AnswerLanguage = c.language
			}
			if c.welcome != "" {
				h.Project.Widget.WelcomeMessage = c.welcome
			}
			sink := &transcript{}
			reply, err := h.chat.Ask(h.Context(t.Context()), h.CompanyID, &h.Project, h.caller(authn.KindEmbed), chat.Request{Question: c.message}, sink)
			require.NoError(t, err)
			require.Equal(t, chat.KindCourtesy, reply.Kind)
			require.Equal(t, c.want, reply.Text)
			require.Equal(t, c.want, sink.text.String())
			require.Empty(t, reply.Sources)
			require.Zero(t, h.count(t, "messages")+h.count(t, "answer_streams")+h.used(t))
		})
	}
}
