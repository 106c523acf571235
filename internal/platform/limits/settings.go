package limits

// Bounds are the minimum and the maximum of a setting: of the value of a number, of the
// characters of a text, of the entries of a list or an object.
type Bounds struct{ Min, Max float64 }

// Setting returns the bounds of a member of a project's settings. path is its path within the
// settings; ok is false if the member has no bounds. The contract states the same numbers.
//
// Source: docs/decisions.md#project-settings, #sizes.
func Setting(path string) (b Bounds, ok bool) {
	b, ok = map[string]Bounds{
		"retrieval/topK":             {1, 50},
		"retrieval/scoreThreshold":   {0, 1},
		"retrieval/rerankTopK":       {1, 50},
		"retrieval/maxContextTokens": {500, 32000},
		"retrieval/metadataFilter":   {0, 20},

		"prompt/systemPrompt":      {0, 8000},
		"prompt/tone":              {0, 80},
		"prompt/answerLanguage":    {1, 35},
		"prompt/maxTokens":         {64, 4096},
		"prompt/temperature":       {0, 1},
		"prompt/noAnswerMessage":   {1, 1000},
		"prompt/maxQuestionLength": {1, 8000},
		"prompt/answerThreshold":   {0, 1},

		"leadCapture/promptMessage":   {1, 500},
		"leadCapture/fields":          {0, 2},
		"leadCapture/alertWebhookUrl": {0, URLCharacters},
		"leadCapture/alertEmail":      {0, EmailCharacters},

		"ipAllowlist": {0, IPAllowlist},
	}[path]
	return b, ok
}
