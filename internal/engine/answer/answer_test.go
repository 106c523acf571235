package answer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/lexical"
)

// handbook is a small collection about one company.
func handbook() []answer.Passage {
	return []answer.Passage{
		{DocumentID: "leave", Title: "Leave policy", HeadingPath: []string{"Vacation"}, Text: "Every employee receives 25 days of paid vacation a year. Unused days expire at the end of March. Part-time staff receive a share."},
		{DocumentID: "leave", Title: "Leave policy", HeadingPath: []string{"Sick leave"}, Ordinal: 1, Text: "Report sick leave to your manager before 9 a.m. on the first day. A doctor's note is needed from the third day."},
		{DocumentID: "travel", Title: "Travel", HeadingPath: []string{"Hotels"}, Text: "Hotels are booked through the **travel desk**.\nThe limit is [180 euros](https://example.org) a night in cities."},
		{DocumentID: "sales", Title: "Sales report", Text: "| Region | 2018 | 2017 |\n| --- | --- | --- |\n| APAC | $479 | $288 |\n| EMEA | $277 | $237 |"},
		{DocumentID: "founders", Title: "History", Text: "Maria Keller founded the company in 1987 in Basel. It moved to Zurich ten years later."},
	}
}

// ask answers a question from the passages, those that share words with it first, as
// the index would hand them over.
func ask(question string, passages []answer.Passage, o answer.Options, earlier ...string) answer.Answer {
	stats := lexical.NewStats()
	x := lexical.NewIndexer(lexical.English)
	for _, p := range passages {
		stats.Add(x.Terms(lexical.Passage{Title: p.Title, HeadingPath: p.HeadingPath, Body: p.Text}))
	}
	q := stats.Question(question, earlier...)
	slices.SortStableFunc(passages, func(a, b answer.Passage) int { return distinct(q, b) - distinct(q, a) })
	return answer.Compose(question, q, passages, o)
}

// distinct counts the question's words that a passage holds.
func distinct(q *lexical.Question, p answer.Passage) int {
	seen := map[int]bool{}
	for _, h := range q.Find(p.Title + "\n" + p.Text).Hits {
		seen[h.Word] = true
	}
	return len(seen)
}

func TestCompose(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, question string
		want           string
	}{
		{"a number", "How many days of paid vacation does an employee receive?", "Every employee receives 25 days of paid vacation a year [1]."},
		{"a rule", "When do unused vacation days expire?", "Unused days expire at the end of March [1]."},
		{"a person", "Who founded the company?", "Maria Keller founded the company in 1987 in Basel [1]."},
		{"without markup", "What is the limit for hotels a night in cities?", "The limit is 180 euros a night in cities [1]."},
		{"a table row", "What were the sales of APAC in 2018?", "APAC – 2018: $479, 2017: $288 [1]."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := ask(tt.question, handbook(), answer.Options{Sentences: 1})
			require.True(t, a.Answered)
			require.Equal(t, tt.want, a.Text)
			require.Equal(t, []int{0}, a.Sources)
			require.Contains(t, []string{"high", "medium", "low"}, a.Level)
			require.Positive(t, a.Confidence)
		})
	}
}

func TestCompose_saysWhenThereIsNoAnswer(t *testing.T) {
	t.Parallel()
	for _, question := range []string{
		"What is the boiling point of liquid nitrogen?",
		"Who won the football world cup in Brazil?",
		"What is it?",
		"",
	} {
		a := ask(question, handbook(), answer.Options{})
		require.False(t, a.Answered, question)
		require.Empty(t, a.Text)
		require.Equal(t, "none", a.Level)
		require.NotNil(t, a.FollowUps)
		require.NotNil(t, a.Sources)
	}
	require.False(t, ask("Who founded the company?", nil, answer.Options{}).Answered)
}

func TestCompose_staysShort(t *testing.T) {
	t.Parallel()
	passages := []answer.Passage{{Title: "Vacation", Text: strings.Repeat("Vacation days of employees expire in March, unless the employee asks for vacation days later. Vacation is paid. ", 6)}}
	a := ask("When do vacation days of employees expire?", passages, answer.Options{Words: 25})
	require.LessOrEqual(t, len(strings.Fields(a.Text)), 25+2)
	require.LessOrEqual(t, strings.Count(a.Text, "["), 3)
}

func TestCompose_suggestsWhatElseIsThere(t *testing.T) {
	t.Parallel()
	a := ask("How many days of paid vacation does an employee receive?", handbook(), answer.Options{})
	require.Equal(t, []string{"What about Sick leave?", "What about Hotels?"}, a.FollowUps)
}

func TestCompose_suggestsAHeadingThatAsks(t *testing.T) {
	t.Parallel()
	passages := append(
		handbook(),
		answer.Passage{DocumentID: "cover", Title: "Cover", HeadingPath: []string{"What is not covered"}, Text: "Scratches are not covered."},
		answer.Passage{DocumentID: "cover", Title: "Cover", HeadingPath: []string{"What we promise"}, Ordinal: 1, Text: "We promise to be quick."},
	)
	a := ask("How many days of paid vacation does an employee receive?", slices.Clone(passages[3:]), answer.Options{Threshold: 1e-9})
	require.Contains(t, a.FollowUps, "What is not covered?")
	require.NotContains(t, strings.Join(a.FollowUps, " "), "promise")

	a = ask("What is not covered by you?", passages, answer.Options{Threshold: 1e-9})
	require.NotContains(t, a.FollowUps, "What is not covered?", "it was asked")
}

func TestCompose_neverAnswersWithAQuestion(t *testing.T) {
	t.Parallel()
	faq := []answer.Passage{{DocumentID: "faq", Title: "FAQ", Text: "How long does charging take?\nThe 500 Wh pack is full after four hours. The big one needs five.\n\n" +
		"May I store the battery in winter?\nYes, in a dry room."}}
	a := ask("How long does charging the battery take?", faq, answer.Options{})
	require.True(t, a.Answered)
	require.NotContains(t, a.Text, "?")
	require.Contains(t, a.Text, "four hours")

	only := []answer.Passage{{DocumentID: "faq", Title: "FAQ", Text: "How long does charging take?"}}
	require.False(t, ask("How long does charging take?", only, answer.Options{}).Answered)
}

func TestCompose_remembersEarlierTurns(t *testing.T) {
	t.Parallel()
	passages := handbook()
	a := ask("And when do unused days expire?", passages, answer.Options{Sentences: 1}, "How much vacation do I get?")
	require.True(t, a.Answered)
	require.Contains(t, a.Text, "end of March")
}

func FuzzCompose(f *testing.F) {
	f.Add("What were sales in 2018?", "| a | 2018 |\n|---|\n| sales | 1 |")
	f.Add("x?", "[x](y) ![x](y ](\n\t\t\n# x\n- x")
	f.Add("什么时候", "今天。明天？")
	f.Fuzz(func(t *testing.T, question, text string) {
		a := ask(question, []answer.Passage{{Title: "t", Text: text}}, answer.Options{Threshold: 1e-9})
		require.Equal(t, a.Answered, a.Text != "")
		for _, s := range a.Sources {
			require.Zero(t, s)
		}
		require.LessOrEqual(t, a.Confidence, 1.0)
	})
}

func BenchmarkCompose(b *testing.B) {
	var passages []answer.Passage
	for _, p := range handbook() {
		p.Text = strings.Repeat(p.Text+"\n", 8)
		passages = append(passages, p)
	}
	stats := lexical.NewStats()
	question := "How many days of paid vacation does an employee receive?"
	for b.Loop() {
		answer.Compose(question, stats.Question(question), passages, answer.Options{})
	}
}
