package openai

import (
	"github.com/go-faster/jx"

	"docqa/internal/provider/llm"
)

// chunk is an event of an answer: what it says in its first choice, and what came with it.
type chunk struct {
	text, finish string
	usage        *llm.Usage
	failed       bool
	problem      string // the provider's word for it
}

// read reads an event. Every word of an answer is one, a thousand answers at once are
// twenty thousand a second, so this is no work for reflection.
func read(data []byte) (c chunk, err error) {
	err = members(jx.DecodeBytes(data), func(d *jx.Decoder, key string) error {
		if d.Next() == jx.Null {
			return d.Null()
		}
		switch key {
		case "choices":
			return c.choices(d)
		case "usage":
			c.usage = &llm.Usage{}
			return counts(d, c.usage)
		case "error":
			c.failed = true
			return members(d, func(d *jx.Decoder, key string) error { return text(d, key == "type", &c.problem) })
		}
		return d.Skip()
	})
	return c, err
}

// choices reads the first one.
func (c *chunk) choices(d *jx.Decoder) error {
	first := true
	return d.Arr(func(d *jx.Decoder) error {
		if !first {
			return d.Skip()
		}
		first = false
		return members(d, func(d *jx.Decoder, key string) error {
			if key == "delta" {
				return members(d, func(d *jx.Decoder, key string) error { return text(d, key == "content", &c.text) })
			}
			return text(d, key == "finish_reason", &c.finish)
		})
	})
}

func counts(d *jx.Decoder, into *llm.Usage) error {
	return members(d, func(d *jx.Decoder, key string) (err error) {
		switch key {
		case "prompt_tokens":
			into.PromptTokens, err = d.Int()
		case "completion_tokens":
			into.CompletionTokens, err = d.Int()
		default:
			err = d.Skip()
		}
		return err
	})
}

// members reads an object; of null nothing is read.
func members(d *jx.Decoder, each func(d *jx.Decoder, key string) error) error {
	if d.Next() == jx.Null {
		return d.Null()
	}
	return d.Obj(each)
}

// text reads a text that is wanted, and skips everything else.
func text(d *jx.Decoder, wanted bool, into *string) (err error) {
	if !wanted || d.Next() != jx.String {
		return d.Skip()
	}
	*into, err = d.Str()
	return err
}
