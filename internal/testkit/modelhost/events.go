package modelhost

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// member returns the value at path in body, nil if there is none.
func member(body map[string]any, path ...any) any {
	var v any = body
	for _, step := range path {
		switch step := step.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[step]
		case int:
			list, _ := v.([]any)
			if step >= len(list) {
				return nil
			}
			v = list[step]
		}
	}
	return v
}

// quoted returns text as JSON.
func quoted(text string) string {
	data, _ := json.Marshal(text)
	return string(data)
}

// openai speaks POST /chat/completions.
type openai struct{}

func (openai) contentType() string { return "text/event-stream; charset=utf-8" }

func (openai) check(r *Request) string {
	switch {
	case r.Path != "/chat/completions":
		return "no such path"
	case member(r.Body, "stream") != true || member(r.Body, "stream_options", "include_usage") != true:
		return "no stream with usage"
	case member(r.Body, "messages", 0, "role") != "system" || member(r.Body, "messages", 1, "role") != "user":
		return "messages"
	case member(r.Body, "model") == nil || member(r.Body, "max_tokens") == nil:
		return "model, max_tokens"
	}
	return ""
}

func (openai) chunk(choices, usage string) []byte {
	return fmt.Appendf(nil, `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[%s],"usage":%s}`+"\n\n", choices, usage)
}

func (o openai) begin() []byte {
	return o.chunk(`{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}`, "null")
}

func (o openai) fragment(text string) []byte {
	return o.chunk(`{"index":0,"delta":{"content":`+quoted(text)+`},"finish_reason":null}`, "null")
}

func (o openai) end(stop string) []byte {
	end := o.chunk(`{"index":0,"delta":{},"finish_reason":`+quoted(cmp.Or(stop, "stop"))+`}`, "null")
	end = append(end, o.chunk("", fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`,
		PromptTokens, CompletionTokens, PromptTokens+CompletionTokens))...)
	return append(end, "data: [DONE]\n\n"...)
}

func (openai) reported() []byte {
	return []byte(`data: {"error":{"message":"overloaded","type":"server_error","code":null}}` + "\n\n")
}

// anthropic speaks POST /v1/messages.
type anthropic struct{}

func (anthropic) contentType() string { return "text/event-stream; charset=utf-8" }

func (anthropic) check(r *Request) string {
	switch {
	case r.Path != "/v1/messages":
		return "no such path"
	case r.Header.Get("X-Api-Key") == "" || r.Header.Get("Anthropic-Version") != "2023-06-01":
		return "headers"
	case member(r.Body, "system") == nil || member(r.Body, "messages", 0, "role") != "user" || member(r.Body, "stream") != true:
		return "messages"
	case member(r.Body, "model") == nil || member(r.Body, "max_tokens") == nil:
		return "model, max_tokens"
	}
	return ""
}

func (anthropic) event(name, rest string) []byte {
	return fmt.Appendf(nil, "event: %s\ndata: {\"type\":\"%s\"%s}\n\n", name, name, rest)
}

func (a anthropic) begin() []byte {
	start := a.event("message_start", fmt.Sprintf(`,"message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],`+
		`"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":%d,"output_tokens":1}}`, PromptTokens))
	start = append(start, a.event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`)...)
	return append(start, a.event("ping", "")...)
}

func (a anthropic) fragment(text string) []byte {
	return a.event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":`+quoted(text)+`}`)
}

func (a anthropic) end(stop string) []byte {
	end := a.event("content_block_stop", `,"index":0`)
	end = append(end, a.event("message_delta", fmt.Sprintf(`,"delta":{"stop_reason":%s,"stop_sequence":null},"usage":{"output_tokens":%d}`,
		quoted(cmp.Or(stop, "end_turn")), CompletionTokens))...)
	return append(end, a.event("message_stop", "")...)
}

func (a anthropic) reported() []byte {
	return a.event("error", `,"error":{"type":"overloaded_error","message":"Overloaded"}`)
}
