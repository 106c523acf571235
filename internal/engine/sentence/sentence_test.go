package sentence_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/sentence"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"nothing", " \n", nil},
		{"two sentences", "It rains. It pours!", []string{"It rains.", "It pours!"}},
		{"titles and initials", "Dr. J. R. Smith met Mr. Jones. They spoke.", []string{"Dr. J. R. Smith met Mr. Jones.", "They spoke."}},
		{"countries", "The U.S. Senate voted. It passed.", []string{"The U.S. Senate voted.", "It passed."}},
		{"a soft line end", "It rains\nall day. Yes.", []string{"It rains\nall day.", "Yes."}},
		{"an empty line", "A heading\n\nIt rains", []string{"A heading", "It rains"}},
		{"table rows", "| a | b |\n| 1. C | 2 |\nDone.", []string{"| a | b |", "| 1. C | 2 |", "Done."}},
		{"rows with tabs", "Sales\t12\nCosts\t9", []string{"Sales\t12", "Costs\t9"}},
		{"list items", "- first thing\n- second thing\n1. third\n2. fourth", []string{"- first thing", "- second thing", "1. third", "2. fourth"}},
		{"numbers", "It costs 3.50 euros. Cheap.", []string{"It costs 3.50 euros.", "Cheap."}},
		{"Chinese", "今天下雨。明天晴天。", []string{"今天下雨。", "明天晴天。"}},
		{"German abbreviations", "Das gilt z.B. Montags. Danach nicht.", []string{"Das gilt z.B. Montags.", "Danach nicht."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range sentence.Split(tt.text) {
				got = append(got, tt.text[s.Start:s.End])
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func FuzzSplit(f *testing.F) {
	for _, s := range []string{"One. Two.", "a\r\nb.\n\nC", "| x |\n\t\n# h\n- i", "\xff. A", "今天。U.S. "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		var kept strings.Builder
		end := 0
		for _, s := range sentence.Split(text) {
			require.GreaterOrEqual(t, s.Start, end)
			require.Greater(t, s.End, s.Start)
			require.LessOrEqual(t, s.End, len(text))
			kept.WriteString(text[s.Start:s.End])
			end = s.End
		}
		require.Equal(t, solid(text), solid(kept.String()))
	})
}

// solid drops white space.
func solid(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}
