package statement_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/statement"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       []string // the texts
	}{
		{"nothing", " \n", nil},
		{"sentences without markup", "The **pump** is [blue](https://example.org). It hums.", []string{"The pump is blue.", "It hums."}},
		{"headings are none", "# Pumps\nThey hum.\n## Blue\nIt hums.", []string{"They hum.", "It hums."}},
		{"a table with a rule", "| Size | Price |\n| --- | --- |\n| small | 3 € |\n| big | 5 € |", []string{"small – Price: 3 €", "big – Price: 5 €"}},
		{"a table with tabs", "Size\tPrice\nsmall\t3 €", []string{"small – Price: 3 €"}},
		{"rows from the middle of a table", "| small | 3 |\n| big | 5 |", []string{"small – 3", "big – 5"}},
		{"a question", "Is it blue?\nYes.", []string{"Is it blue?", "Yes."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, s := range statement.Split(tt.body) {
				got = append(got, s.Text)
			}
			require.Equal(t, tt.want, got)
		})
	}
}

func TestSplit_tellsWhatStandsAbove(t *testing.T) {
	t.Parallel()
	body := "# Cover\n## Pumps\nNot covered:\n- rust\n- frost\n\nWe repair fast.\n## Hoses\nHow long?\nTwo years.\n| Part | Price |\n|---|---|\n| seal | 4 € |"
	got := statement.Split(body)
	require.Len(t, got, 7)
	require.Equal(t, statement.Caption, got[0].Kind)
	require.Equal(t, "Cover – Pumps", got[1].Heading)
	require.Equal(t, "Not covered:", got[1].Lead)
	require.Equal(t, "Not covered: frost", got[2].Whole())
	require.Empty(t, got[3].Lead, "the list is over")
	require.Equal(t, statement.Question, got[4].Kind)
	require.Equal(t, "Cover – Hoses", got[5].Heading)
	require.Equal(t, "How long?", got[5].Asked)
	require.Equal(t, statement.Row, got[6].Kind)
	require.Equal(t, "seal", got[6].Label)
	require.Equal(t, []statement.Cell{{Column: "Price", Text: "4 €"}}, got[6].Cells)
	for _, s := range got {
		require.Contains(t, body[s.Start:s.End], strings.TrimSuffix(strings.Fields(s.Text)[0], ":"))
	}
}

func TestSplit_knowsHeadingsThatAreNotMarked(t *testing.T) {
	t.Parallel()
	got := statement.Split("3 What is not covered\n\nThe following is excluded:\n\n- rust\n\nThe lamp is dark. What now?\nCall us.")
	require.Len(t, got, 6)
	require.Equal(t, statement.Caption, got[0].Kind)
	require.Equal(t, "3 What is not covered", got[2].Section)
	require.Equal(t, "The following is excluded:", got[2].Lead)
	require.Equal(t, statement.Question, got[3].Kind, "it belongs to the question behind it")
	require.Equal(t, "The lamp is dark. What now?", got[5].Asked)
}

func TestSplit_knowsListsWithoutMarks(t *testing.T) {
	t.Parallel()
	got := statement.Split("Not covered:\n\nNormal wear\n\ntyres, chains\n\nFalls\n\nThat is all.\n\n4 Duties\n\nWash it.")
	require.Len(t, got, 7)
	for _, s := range got[1:4] {
		require.Equal(t, "Not covered:", s.Lead, s.Text)
		require.Equal(t, statement.Sentence, s.Kind, s.Text)
	}
	require.Empty(t, got[4].Lead)
	require.Equal(t, statement.Caption, got[5].Kind)
}

func FuzzSplit(f *testing.F) {
	f.Add("# a\nb: \n- c\n| d | e |\n|--|--|\n| f | g |\nh?")
	f.Add("a\tb\n\tc\n\t\t")
	f.Add("[x](y) ![x](y ](\n**\n#\n- \n|")
	f.Fuzz(func(t *testing.T, body string) {
		end := 0
		for _, s := range statement.Split(body) {
			require.GreaterOrEqual(t, s.Start, end)
			require.Greater(t, s.End, s.Start)
			require.NotEmpty(t, s.Text)
			end = s.End
		}
		require.LessOrEqual(t, end, len(body))
	})
}
