package answer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
)

func TestExactNames(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][]string{
		"What does -x of tar do?":                      {"-x"},
		"What is the default of --block-size=SIZE?":    {"--block-size"},
		"Is AUTO_CD on (by default)?":                  {"AUTO_CD"},
		"What does `fold` do in textwrap.dedent()?":    {"fold", "textwrap.dedent"},
		"How long is the warranty of the blue pump?":   nil,
		"Where is ~/.bash_profile read, by PS1 or by?": {"~/.bash_profile", "PS1"},
		"What is maxSize - really?":                    {"maxSize"},
	} {
		require.Equal(t, want, exactNames(question), question)
	}
}

func TestNamesOfTerm(t *testing.T) {
	t.Parallel()
	for term, want := range map[string][]string{
		"-q, --quiet[=WHEN]":    {"-q", "--quiet"},
		"-c cipher":             {"-c"},
		"textwrap.dedent(text)": {"textwrap.dedent"},
		"class json.Encoder(*, indent=None, key='a,b')": {"json.Encoder"},
		"open(file, mode='r'), io.open()":               {"open", "io.open"},
		"InhibitDelayMaxSec=":                           {"InhibitDelayMaxSec"},
		"host | hostname":                               {"host", "hostname"},
		"":                                              nil,
	} {
		require.Equal(t, want, namesOfTerm(term), term)
	}
}

func TestQuestion_matchEntry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question, term string
		want           entryMatch
	}{
		{"What does ls -s do?", "-s, --size", exactNamed},
		{"What does ls -s do?", "-S", notNamed},
		{"What does auto_cd do?", "AUTO_CD (-J)", exactNamed},
		{"Where is PS10 used?", "PS1", notNamed},
		{"What is the timeout?", "timeout", plainNamed},
		{"How is a bent frame mended?", "bent frame", plainNamed},
		{"How is a frame mended?", "bent frame", notNamed},
		{"What is it?", "", notNamed},
		{"What does dedent() return?", "textwrap.dedent(text)", partNamed},
		{"What does textwrap.dedent() return?", "dedent(text)", partNamed},
		{"What is the mode of open_file?", "open_text(name, mode='r')", notNamed},
	} {
		x := newQuestion(tt.question, lexical.NewStats().Question(tt.question))
		require.Equal(t, tt.want, x.matchEntry(tt.term), "%s: %s", tt.question, tt.term)
		require.Equal(t, tt.want, x.matchEntry(tt.term), "the second time")
	}
}

func TestHoldsName(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, name string
		want       bool
	}{
		{"use -x to extract", "-x", true},
		{"use --exclude", "-x", false},
		{"use --ex-x", "-x", false},
		{"set auto_cd on", "AUTO_CD", true},
		{"AUTO_CDPATH, AUTO_CD", "AUTO_CD", true},
		{"PS4", "PS1", false},
		{"", "a", false},
	} {
		require.Equal(t, tt.want, holdsName(tt.text, tt.name), "%q in %q", tt.name, tt.text)
	}
}

func TestWithoutMeasures(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]float64{
		"How long does the pump last?":  0,
		"And how LONG does it last?":    0,
		"Wie lange hält die Pumpe?":     0,
		"Is the long hose a spare part": 1,
		"How does a long hose help?":    1,
	} {
		x := newQuestion(question, lexical.NewStats().Question(question))
		for i, w := range x.q.Words {
			if s := x.surfaces[i]; s == "long" || s == "lange" {
				require.Equal(t, want > 0, w.Weight > 0 && w.Current, question)
			}
		}
	}
}

func TestQuestion_setsValue(t *testing.T) {
	t.Parallel()
	const question = "What is the default of mode, or of --mode?"
	x := newQuestion(question, lexical.NewStats().Question(question))
	for term, want := range map[string]bool{
		"open(file, mode='r')": true,
		"open(mode = 'r')":     true,
		"open(file, mode)":     false,
		"-m, --mode=WORD":      false,
		"open(submode='r')":    false,
		"":                     false,
	} {
		require.Equal(t, want, x.setsValue(term), term)
	}
}
