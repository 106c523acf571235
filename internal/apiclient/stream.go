package apiclient

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"docqa/gen/mainapi"
)

// frameBytes is the maximum length of one line of an event stream.
const frameBytes = 4 << 20

// Event is one frame of a chat stream; the members that its type has are set.
type Event struct {
	Type           string                   `json:"type"`
	Text           string                   `json:"text"`
	Sources        []mainapi.CitationSource `json:"sources"`
	ConversationID string                   `json:"conversationId"`
	SessionID      string                   `json:"sessionId"`
	PromptMessage  string                   `json:"promptMessage"`
	Error          string                   `json:"error"`
}

// AskStream asks a question by the stream and calls onEvent for each frame in order.
func (c *Client) AskStream(ctx context.Context, req *mainapi.ChatRequest, onEvent func(Event) error) error {
	res, err := c.ChatStream(ctx, req)
	if err != nil {
		return Explain(err)
	}
	raw, ok := res.(*mainapi.ChatStreamOKRawTextEventStream)
	if !ok {
		return fmt.Errorf("the API answered %T in place of a stream", res)
	}
	defer raw.Response.Body.Close()
	return readEvents(raw.Response.Body, onEvent)
}

func readEvents(body io.Reader, onEvent func(Event) error) error {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, frameBytes)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue // a comment, an id, or the end of a frame
		}
		var event Event
		if err := json.Unmarshal([]byte(data), &event); err != nil {
			return fmt.Errorf("an undocumented frame: %w", err)
		}
		if err := onEvent(event); err != nil {
			return err
		}
	}
	return lines.Err()
}
