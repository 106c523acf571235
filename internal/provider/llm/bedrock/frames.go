package bedrock

import (
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"docqa/internal/provider/llm"
	"docqa/internal/provider/wire"
)

// answer is the part of the answer that has arrived.
type answer struct {
	emit  func(string) error
	usage llm.Usage
	stop  string
	ended bool
}

type event struct {
	Delta struct {
		Text string `json:"text"`
	} `json:"delta"`
	StopReason string `json:"stopReason"`
	Usage      struct {
		InputTokens      int `json:"inputTokens"`
		OutputTokens     int `json:"outputTokens"`
		CacheReadTokens  int `json:"cacheReadInputTokens"`
		CacheWriteTokens int `json:"cacheWriteInputTokens"`
	} `json:"usage"`
}

// read decodes frames until the body ends. The decoder checks the two checksums of each frame
// and refuses frames above 16 MB.
func (a *answer) read(body io.Reader) error {
	decoder := eventstream.NewDecoder()
	for {
		m, err := decoder.Decode(body, nil)
		switch {
		case errors.Is(err, io.EOF) && a.ended:
			return nil
		case errors.Is(err, io.EOF):
			return wire.Malformed("the answer broke off")
		case err != nil:
			return wire.Broken(err)
		}
		if err := a.frame(m); err != nil {
			return err
		}
	}
}

func (a *answer) frame(m eventstream.Message) error {
	switch header(m, ":message-type") {
	case "event":
	case "exception":
		kind := header(m, ":exception-type")
		temporary := []string{"throttlingException", "internalServerException", "serviceUnavailableException", "modelStreamErrorException"}
		return wire.Reported(kind, slices.Contains(temporary, kind))
	case "error":
		return wire.Reported(header(m, ":error-code"), true)
	default:
		return wire.Malformed("a frame is of no known type")
	}
	var e event
	if err := json.Unmarshal(m.Payload, &e); err != nil {
		return wire.Malformed("an event is no JSON")
	}
	switch header(m, ":event-type") {
	case "contentBlockDelta":
		if e.Delta.Text != "" {
			return a.emit(e.Delta.Text)
		}
	case "messageStop":
		a.stop, a.ended = e.StopReason, true
	case "metadata":
		u := &e.Usage
		a.usage = llm.Usage{PromptTokens: u.InputTokens + u.CacheReadTokens + u.CacheWriteTokens, CompletionTokens: u.OutputTokens}
	}
	return nil
}

func header(m eventstream.Message, name string) string {
	if v := m.Headers.Get(name); v != nil {
		return v.String()
	}
	return ""
}
