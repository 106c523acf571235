package manuals

import (
	"encoding/json"
	"fmt"
)

// Kind is what a question asks for.
type Kind string

// The kinds of questions. Near and Far have no answer: of Near the subject is in the documents but not the fact, of Far neither.
const (
	Default    Kind = "default"
	Option     Kind = "option"
	Command    Kind = "command"
	Plain      Kind = "fact"
	Table      Kind = "table"
	List       Kind = "list"
	Definition Kind = "definition"
	HowTo      Kind = "howto"
	YesNo      Kind = "yesno"
	Heading    Kind = "heading"
	Near       Kind = "near"
	Far        Kind = "far"
	FollowUp   Kind = "followup"
	Typo       Kind = "typo"
	Language   Kind = "language"
	Version    Kind = "version"
)

// Kinds lists all kinds in the order of tables.
func Kinds() []Kind {
	return []Kind{
		Default, Option, Command, Plain, Table, List, Definition, HowTo, YesNo, Heading, FollowUp, Typo, Language, Version, Near, Far,
	}
}

// Question is a question about the manuals of a set and what its answer must hold.
type Question struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	History    []Turn   `json:"history,omitempty"` // earlier questions and short answers, oldest first
	Answerable bool     `json:"answerable"`
	Filename   string   `json:"filename"`         // the document with the answer; of a near-miss the document with the subject
	Quote      string   `json:"quote,omitempty"`  // the place that answers, word for word but for white space
	Facts      []Fact   `json:"facts,omitempty"`  // a complete answer holds each of them
	Others     []string `json:"others,omitempty"` // what would be wrong, such as the default of another option
	Kind       Kind     `json:"kind"`
	Language   string   `json:"language,omitempty"` // BCP 47, of a question that is not in the language of the documents
	Absent     []string `json:"absent,omitempty"`   // of a near-miss: strings that no document of the set may hold
	Generated  bool     `json:"generated,omitempty"`
	Part       string   `json:"part,omitempty"` // Learn or Unseen
}

// Turn is an earlier message of a conversation.
type Turn struct {
	Role string `json:"role"` // user or assistant
	Text string `json:"text"`
}

// Fact is a string that an answer must hold, in one of several wordings. In JSON one wording may be a plain string.
type Fact []string

// UnmarshalJSON reads a string or a list of strings.
func (f *Fact) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*f = Fact{one}
		return nil
	}
	var several []string
	if err := json.Unmarshal(data, &several); err != nil {
		return fmt.Errorf("a fact is neither a string nor a list of strings: %w", err)
	}
	*f = several
	return nil
}

// MarshalJSON writes a string for one wording.
func (f Fact) MarshalJSON() ([]byte, error) {
	if len(f) == 1 {
		return json.Marshal(f[0])
	}
	return json.Marshal([]string(f))
}
