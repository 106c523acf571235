package manuals_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals"
)

func question(kind manuals.Kind, text string, facts []manuals.Fact, others ...string) *manuals.Question {
	return &manuals.Question{Question: text, Answerable: true, Kind: kind, Facts: facts, Others: others}
}

func TestScoreOf(t *testing.T) {
	t.Parallel()
	retries := question(manuals.Default, "What is the default of retries?", []manuals.Fact{{"3"}}, "30 seconds")
	colours := question(manuals.List, "Which colours are there?", []manuals.Fact{{"red"}, {"green", "verdant"}})
	locked := question(manuals.YesNo, "Is the file locked while it is read?", []manuals.Fact{{"never locked", "no"}})
	near := &manuals.Question{Question: "How heavy is it?", Kind: manuals.Near}
	tests := map[string]struct {
		q     *manuals.Question
		reply manuals.Reply
		want  manuals.Score
	}{
		"all facts": {
			colours,
			manuals.Reply{Text: "There are red and green. [1]", Answered: true, Quotes: []string{"The colours are red and green."}},
			manuals.Score{Complete: true, Contains: true, FirstRight: true, Quoted: true},
		},
		"another wording": {
			colours,
			manuals.Reply{Text: "There are red and verdant ones. [1]", Answered: true},
			manuals.Score{Complete: true, Contains: true, FirstRight: true},
		},
		"the first fact only": {
			colours, manuals.Reply{Text: "There is red.", Answered: true}, manuals.Score{Contains: true, FirstRight: true},
		},
		"the second fact only": {colours, manuals.Reply{Text: "There is green.", Answered: true}, manuals.Score{FirstRight: true}},
		"not in the first statement": {
			colours,
			manuals.Reply{Text: "Colours matter. [1] There are red and green ones. [2]", Answered: true},
			manuals.Score{Complete: true, Contains: true},
		},
		"no fact": {colours, manuals.Reply{Text: "There is blue.", Answered: true}, manuals.Score{Wrong: true}},
		"the value of another entry": {
			retries,
			manuals.Reply{Text: "The default is 30 seconds. [1]", Answered: true},
			manuals.Score{Wrong: true, OtherEntry: true},
		},
		"the value of another entry first": {
			retries,
			manuals.Reply{Text: "Timeout: the default is 30 seconds. [1] Retries: the default is 3. [1]", Answered: true},
			manuals.Score{Complete: true, Contains: true, OtherEntry: true},
		},
		"a weak value in a statement about something else": {
			retries, manuals.Reply{Text: "It took 3 years to write this.", Answered: true}, manuals.Score{Wrong: true},
		},
		"a weak value alone": {
			retries, manuals.Reply{Text: "3 [1]", Answered: true}, manuals.Score{Complete: true, Contains: true, FirstRight: true},
		},
		"a verdict at the beginning": {
			locked,
			manuals.Reply{Text: "No, reading takes nothing. [1]", Answered: true},
			manuals.Score{Complete: true, Contains: true, FirstRight: true},
		},
		"a verdict elsewhere": {
			locked, manuals.Reply{Text: "Reading has no influence on the writer.", Answered: true}, manuals.Score{Wrong: true},
		},
		"a weak fact beside another one": {
			question(manuals.List, "Which modes are there?", []manuals.Fact{{"none"}, {"periodic"}}),
			manuals.Reply{Text: "One of none and periodic.", Answered: true},
			manuals.Score{Complete: true, Contains: true, FirstRight: true},
		},
		"a weak fact beside a short name of the question": {
			question(manuals.Table, "numeric value of -O", []manuals.Fact{{"2"}}),
			manuals.Reply{Text: "O 2 output is in the encoding of the system that runs it", Answered: true},
			manuals.Score{Complete: true, Contains: true, FirstRight: true},
		},
		"a weak fact of a question in another language": {
			question(manuals.Language, "Wie viele Farben?", []manuals.Fact{{"2"}}),
			manuals.Reply{Text: "The picture may have at most 2 colours in each line.", Answered: true},
			manuals.Score{Complete: true, Contains: true, FirstRight: true},
		},
		"a weak value of another entry that is not called a default": {
			question(manuals.Default, "default of depth", []manuals.Fact{{"9"}}, "1"),
			manuals.Reply{Text: "The depth is counted from 1 on. The default is 9.", Answered: true},
			manuals.Score{Complete: true, Contains: true},
		},
		"refused":              {colours, manuals.Reply{Text: "I do not know."}, manuals.Score{Refused: true}},
		"a near-miss answered": {near, manuals.Reply{Text: "It is 3 cm wide.", Answered: true}, manuals.Score{Wrong: true}},
		"a near-miss refused":  {near, manuals.Reply{}, manuals.Score{Refused: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, manuals.ScoreOf(tt.q, &tt.reply))
		})
	}
}

func TestFirstStatement(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"up to the marker":          {"The default is 5 [1] and more. [2]", "The default is 5"},
		"up to the full stop":       {"It is 5. It was 4. [1]", "It is 5."},
		"up to the line":            {"width: 70\nheight: 20", "width: 70"},
		"version numbers":           {"Since 3.10.2 it is 5. More.", "Since 3.10.2 it is 5."},
		"abbreviations":             {"Units, e.g. KiB, may follow. More.", "Units, e.g. KiB, may follow."},
		"announced code":            {"Run this:\n\n    make all\n\nThen wait.", "Run this:\n\n    make all"},
		"a full stop in quotes":     {`It says "no." Then it ends.`, `It says "no."`},
		"a marker at the beginning": {"[1] It is 5. More.", "[1] It is 5."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, manuals.FirstStatement(tt.text))
		})
	}
}

func TestFacts(t *testing.T) {
	t.Parallel()
	var q manuals.Question
	require.NoError(t, json.Unmarshal([]byte(`{"facts": ["a", ["b", "c"]]}`), &q))
	require.Equal(t, []manuals.Fact{{"a"}, {"b", "c"}}, q.Facts)
	out, err := json.Marshal(q.Facts)
	require.NoError(t, err)
	require.JSONEq(t, `["a", ["b", "c"]]`, string(out))
	require.Error(t, json.Unmarshal([]byte(`{"facts": [1]}`), &q))
}
