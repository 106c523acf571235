package modelhost

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// bedrock speaks ConverseStream.
type bedrock struct{}

func (bedrock) contentType() string { return "application/vnd.amazon.eventstream" }

func (bedrock) check(r *Request) string {
	authorization := r.Header.Get("Authorization")
	switch {
	case !regexp.MustCompile(`^/model/[A-Za-z0-9._%-]+/converse-stream$`).MatchString(r.Path):
		return "no such path"
	case !strings.HasPrefix(authorization, "Bearer ") && !strings.HasPrefix(authorization, "AWS4-HMAC-SHA256 Credential="):
		return "no authorization"
	case member(r.Body, "system", 0, "text") == nil || member(r.Body, "messages", 0, "content", 0, "text") == nil:
		return "messages"
	case member(r.Body, "messages", 0, "role") != "user" || member(r.Body, "inferenceConfig", "maxTokens") == nil:
		return "inferenceConfig"
	}
	return ""
}

func (bedrock) frame(kind, name, payload string) []byte {
	var m eventstream.Message
	m.Headers.Set(":message-type", eventstream.StringValue(kind))
	m.Headers.Set(":"+kind+"-type", eventstream.StringValue(name))
	m.Headers.Set(":content-type", eventstream.StringValue("application/json"))
	m.Payload = []byte(payload)
	var out bytes.Buffer
	if err := eventstream.NewEncoder().Encode(&out, m); err != nil {
		panic(err)
	}
	return out.Bytes()
}

func (b bedrock) begin() []byte { return b.frame("event", "messageStart", `{"role":"assistant"}`) }

func (b bedrock) fragment(text string) []byte {
	return b.frame("event", "contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":`+quoted(text)+`}}`)
}

func (b bedrock) end(stop string) []byte {
	end := b.frame("event", "contentBlockStop", `{"contentBlockIndex":0}`)
	end = append(end, b.frame("event", "messageStop", `{"stopReason":`+quoted(cmp.Or(stop, "end_turn"))+`}`)...)
	return append(end, b.frame("event", "metadata", fmt.Sprintf(`{"usage":{"inputTokens":%d,"outputTokens":%d,"totalTokens":%d},"metrics":{"latencyMs":5}}`,
		PromptTokens, CompletionTokens, PromptTokens+CompletionTokens))...)
}

func (b bedrock) reported() []byte {
	return b.frame("exception", "throttlingException", `{"message":"Too many requests"}`)
}
