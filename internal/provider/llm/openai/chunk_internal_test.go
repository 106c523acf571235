package openai

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/provider/llm"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		event string
		want  chunk
	}{
		"a word":            {`{"id":"c","created":1,"choices":[{"index":0,"delta":{"role":"assistant","content":"Two \u00fc"},"finish_reason":null}],"usage":null}`, chunk{text: "Two ü"}},
		"the end":           {`{"choices":[{"delta":{},"finish_reason":"stop"}]}`, chunk{finish: "stop"}},
		"no content":        {`{"choices":[{"delta":{"content":null,"tool_calls":[{"a":[1]}]}}]}`, chunk{}},
		"no delta":          {`{"choices":[{"delta":null}]}`, chunk{}},
		"the counts":        {`{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"details":{"x":1}}}`, chunk{usage: &llm.Usage{PromptTokens: 7, CompletionTokens: 3}}},
		"the first of two":  {`{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}`, chunk{text: "a"}},
		"an error":          {`{"error":{"message":"m","type":"server_error","code":500}}`, chunk{failed: true, problem: "server_error"}},
		"an untyped error":  {`{"error":{"message":"m","type":null}}`, chunk{failed: true}},
		"nothing":           {`null`, chunk{}},
		"members elsewhere": {`{"service_tier":{"usage":1},"choices":null}`, chunk{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := read([]byte(tt.event))
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	for _, broken := range []string{``, `{`, `[]`, `"x"`, `{"choices":{}}`, `{"usage":7}`, `{"error":"x"}`, `{"choices":[{"delta":"x"}]}`} {
		_, err := read([]byte(broken))
		require.Error(t, err, broken)
	}
}
