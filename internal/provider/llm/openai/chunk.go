package openai

import (
	"github.com/go-faster/jx"

	"docqa/internal/provider/llm"
)

// chunk is one event of an answer: the text of its first choice, and what came with it.
type chunk struct {
	text, finish string
	usage        *llm.Usage
	failed       bool
	problem      string // the type of the error that the provider reports
}

// read decodes an event without reflection, because there are many: about one for every word.
// A thousand answers at once make twenty thousand a second.
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

// choices reads the first choice and skips the others.
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

// members calls each for every member of an object. For null it calls nothing.
func members(d *jx.Decoder, each func(d *jx.Decoder, key string) error) error {
	if d.Next() == jx.Null {
		return d.Null()
	}
	return d.Obj(each)
}

// text reads a string if it is wanted, and skips any other value.
func text(d *jx.Decoder, wanted bool, into *string) (err error) {
	if !wanted || d.Next() != jx.String {
		return d.Skip()
	}
	*into, err = d.Str()
	return err
}
