package manuals_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/eval/manuals"
)

func TestFaults(t *testing.T) {
	t.Parallel()
	q := &manuals.Question{Question: "What does rsync do with links?", Filename: "gzip.html"}
	tests := map[string]struct {
		text string
		want []manuals.Fault
	}{
		"a sentence":                        {"The default is 5. [1]", nil},
		"two sentences":                     {"It is 5. It was 4. [1][2]", nil},
		"a value alone":                     {"5 [1]", nil},
		"a question mark":                   {"Is it 5? Yes, it is.", nil},
		"a term with its definition":        {"width (default: 70) The longest line.", nil},
		"a name of the question":            {"rsync copies the link.", nil},
		"a name of the document":            {"gzip keeps the file.", nil},
		"a name with signs":                 {"os.path.join joins names.", nil},
		"an announced command":              {"Run this command:\n\n    make all", nil},
		"a fenced block":                    {"Use it so:\n```\nmake all (\n```", nil},
		"a list with its lead":              {"There are:\n- red\n- green", nil},
		"a row of a table":                  {"Name | Default\nwidth | 70", nil},
		"an option and its meaning":         {"-u, --unique output only the first of an equal run", nil},
		"a numbered item":                   {"1) Open the file.", nil},
		"brackets in code":                  {"Call `f(` first.", nil},
		"nothing":                           {" [1]", []manuals.Fault{manuals.Empty}},
		"the end of a sentence":             {"which is then removed.", []manuals.Fault{manuals.Fragment}},
		"the beginning of a sentence":       {"The file is removed from the disk when the last process that has it open", []manuals.Fault{manuals.Fragment}},
		"an announcement of nothing":        {"The values are the following ones in this order:", []manuals.Fault{manuals.Fragment}},
		"a heading":                         {"Setting The Page Size", []manuals.Fault{manuals.OnlyTitle}},
		"a numbered heading":                {"2.3. Shared-Memory Files", []manuals.Fault{manuals.OnlyTitle}},
		"leader dots":                       {"Copying . . . . . . . . 17", []manuals.Fault{manuals.Debris, manuals.OnlyTitle}},
		"navigation":                        {"It is 5.\nPrev | Up | Next", []manuals.Fault{manuals.Debris}},
		"a page number":                     {"It is 5.\nPage 12", []manuals.Fault{manuals.Debris, manuals.Fragment}},
		"the sign of a link to a heading":   {"See fold(times=3)¶ for more.", []manuals.Fault{manuals.Debris}},
		"a listing in one line":             {"Import it first: >>> import fold >>> fold.run() and wait.", []manuals.Fault{manuals.Debris}},
		"a bracket as a word":               {"The word after the [ is a number.", nil},
		"a bracket that is not closed":      {"It is 5 (or 6.", []manuals.Fault{manuals.Unbalanced}},
		"a quote that is not closed":        {`It says "no.`, []manuals.Fault{manuals.Unbalanced}},
		"a square bracket that is not open": {"It is 5] or 6.", []manuals.Fault{manuals.Unbalanced}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, manuals.Faults(q, tt.text))
			require.Equal(t, len(tt.want) == 0, manuals.Readable(q, tt.text))
		})
	}
}

func TestPart(t *testing.T) {
	t.Parallel()
	count := map[string]int{}
	for a := 'a'; a <= 'z'; a++ {
		for b := 'a'; b <= 'z'; b++ {
			count[manuals.Part("set", string([]rune{a, b})+".html")]++
		}
	}
	require.InDelta(t, .6, float64(count[manuals.Learn])/float64(count[manuals.Learn]+count[manuals.Unseen]), .06)
}
