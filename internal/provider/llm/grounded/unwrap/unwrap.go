package unwrap

import (
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

// Reader removes what stands around an answer: the thoughts of a reasoning model, an object
// of JSON with the answer as a member, a fence around the whole reply in Markdown. What it
// returns does not depend on how the reply was divided into fragments.
type Reader struct {
	KeepTags bool   // the passages or the question hold such tags themselves
	rest     string // not yet decided
	begun    bool   // the answer has begun
	thinking bool
	whole    bool // it can be decided only at the end
}

// longestTag is the length of the longest of these tags.
const longestTag = len("</reasoning>")

// Push adds a fragment and calls text with what is certain now. It calls stray where the text
// before turns out to be thoughts whose first tag the provider did not send.
func (u *Reader) Push(fragment string, last bool, text func(string), stray func()) {
	u.rest += fragment
	for u.rest != "" && !u.whole {
		part, strayHere, more := u.step(last)
		text(part)
		if strayHere {
			stray()
		}
		if !more {
			break
		}
	}
	if last && u.whole {
		text(unwrapped(u.rest))
		u.rest = ""
	}
}

// step decides about the beginning of the rest. more is false if it needs more text.
func (u *Reader) step(last bool) (part string, stray, more bool) {
	if u.thinking {
		return "", false, u.skip(last)
	}
	if !u.begun {
		u.rest = strings.TrimLeft(u.rest, " \t\r\n\ufeff")
		if beginning := opening(u.rest); beginning == undecided && !last {
			return "", false, false
		} else if beginning == isWhole {
			u.whole = true
			return "", false, true
		}
		u.begun = u.rest != "" && !strings.HasPrefix(u.rest, "<")
	}
	return u.text(last)
}

// text returns the text before the next tag.
func (u *Reader) text(last bool) (part string, stray, more bool) {
	if u.KeepTags && u.begun {
		part, u.rest = u.rest, ""
		return part, false, true
	}
	at := patterns().thought.FindStringSubmatchIndex(u.rest)
	if at == nil {
		end := len(u.rest)
		if open := strings.LastIndexByte(u.rest, '<'); open >= 0 && !last && end-open < longestTag {
			end = open
		}
		part, u.rest = u.rest[:end], u.rest[end:]
		u.begun = u.begun || part != ""
		return part, false, end > 0
	}
	part = u.rest[:at[0]]
	if closing := at[2] < at[3]; closing {
		stray, u.begun = true, false
	} else {
		u.thinking = true
		u.begun = u.begun || part != ""
	}
	u.rest = u.rest[at[1]:]
	return part, stray, true
}

// skip drops thoughts up to their end.
func (u *Reader) skip(last bool) (more bool) {
	for _, at := range patterns().thought.FindAllStringSubmatchIndex(u.rest, -1) {
		if at[2] < at[3] {
			u.thinking, u.rest = false, u.rest[at[1]:]
			return true
		}
	}
	if keep := max(0, len(u.rest)-longestTag); keep > 0 || last {
		u.rest = u.rest[keep:]
	}
	if last {
		u.rest = ""
	}
	return false
}

// pattern holds the regular expressions of the package.
type pattern struct {
	thought     *regexp.Regexp // the tags around a model's thoughts
	fencedReply *regexp.Regexp // a reply that is one fenced block
	answerKey   *regexp.Regexp // the beginning of an object with the answer
}

// patterns compiles them when the first reply comes: not every process has a model.
var patterns = sync.OnceValue(func() *pattern { //nolint:gochecknoglobals // compiled once, for all replies
	return &pattern{
		thought:     regexp.MustCompile(`(?i)<(/?)(?:think|thinking|thought|reasoning)>`),
		fencedReply: regexp.MustCompile("(?is)^```[ \t]*(json|markdown|md)?[ \t]*\r?\n?(.*?)(?:\n?[ \t]*```)?\\s*$"),
		answerKey:   regexp.MustCompile(`^\{\s*"(?i:answer|response|reply|final_?answer)"\s*:\s*`),
	}
})

// beginning is how a reply begins.
type beginning uint8

const (
	isText beginning = iota
	isWhole
	undecided
)

// opening tells how a reply begins. A reply in an object of JSON or in a fence of Markdown must
// be read to its end.
func opening(text string) beginning {
	if text == "" || strings.HasPrefix("```markdown", strings.ToLower(text)) {
		return undecided
	}
	if text[0] == '{' {
		return isWhole
	}
	folded := strings.ToLower(text[:min(len(text), len("```markdown"))])
	for _, fence := range []string{"```json", "```markdown", "```md"} {
		if strings.HasPrefix(folded, fence) {
			return isWhole
		}
		if strings.HasPrefix(fence, folded) {
			return undecided
		}
	}
	if bare, ok := strings.CutPrefix(text, "```"); ok {
		switch bare = strings.TrimLeft(bare, " \t\r\n"); {
		case bare == "":
			return undecided
		case bare[0] == '{':
			return isWhole
		}
	}
	return isText
}

// unwrapped returns the answer of a reply that is an object of JSON or fenced, or the reply.
func unwrapped(reply string) string {
	body, language := strings.TrimSpace(reply), ""
	if m := patterns().fencedReply.FindStringSubmatch(body); m != nil {
		body, language = strings.TrimSpace(m[2]), strings.ToLower(m[1])
		if strings.Contains(body, "\n```") && !strings.HasPrefix(language, "m") {
			return reply // a listing, and text behind it
		}
	}
	if strings.HasPrefix(language, "m") {
		return body
	}
	if text, ok := member(body); ok {
		return text
	}
	return reply
}

// member returns the answer in an object of JSON, also of one that ends early.
func member(body string) (text string, ok bool) {
	var object map[string]any
	if json.Unmarshal([]byte(body), &object) == nil {
		names := []string{"answer", "response", "reply", "final_answer", "finalAnswer"}
		if len(object) == 1 {
			names = append(names, "text", "content", "output", "result")
		}
		for _, name := range names {
			value, there := object[name]
			if text, ok := value.(string); ok || there && value == nil {
				return text, true
			}
		}
		return "", false
	}
	key := patterns().answerKey.FindString(body)
	if key == "" || !strings.HasPrefix(body[len(key):], `"`) {
		return "", false
	}
	return unquoted(body[len(key)+1:])
}

// unquoted reads a string of JSON up to its end or to the end of the text. Line ends in it, which
// JSON forbids, stay. ok is false if other text than the rest of an object follows.
func unquoted(text string) (string, bool) {
	end := 0
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(text))
	escaped := strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(text[:end])
	for cut := 0; cut < 8 && escaped != ""; cut++ { // an escape may be cut at the end
		var out string
		if json.Unmarshal([]byte(`"`+escaped+`"`), &out) == nil {
			return out, true
		}
		escaped = escaped[:len(escaped)-1]
	}
	return "", escaped == ""
}
