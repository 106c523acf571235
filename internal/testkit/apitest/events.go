package apitest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Events are the frames of a stream.
type Events []map[string]any

// Events reads the data lines of a stream.
func (a *Answer) Events(t *testing.T) (list Events) {
	t.Helper()
	require.Equal(t, "text/event-stream", a.Header.Get("Content-Type"))
	for line := range strings.Lines(string(a.Body)) {
		if data, ok := strings.CutPrefix(line, "data: "); ok && !strings.HasPrefix(data, "[DONE]") {
			var event map[string]any
			require.NoError(t, json.Unmarshal([]byte(data), &event), line)
			list = append(list, event)
		}
	}
	return list
}

// Types lists the types of the events, a status with its stage. Repeated ones are listed once.
func (l Events) Types() (out []string) {
	for _, e := range l {
		name, _ := e["type"].(string)
		if stage, ok := e["stage"].(string); ok {
			name += " " + stage
		}
		if len(out) == 0 || out[len(out)-1] != name {
			out = append(out, name)
		}
	}
	return out
}

// Text joins the texts of the events of a type.
func (l Events) Text(kind string) string {
	var b strings.Builder
	for _, e := range l {
		if e["type"] == kind {
			text, _ := e["text"].(string)
			b.WriteString(text)
		}
	}
	return b.String()
}
