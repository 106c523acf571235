package answer_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/answer"
	"docqa/internal/engine/chunk"
	"docqa/internal/engine/doc"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/parse/html"
	"docqa/internal/engine/parse/markdown"
	"docqa/internal/engine/sentvec"
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
	for i, p := range passages {
		passages[i].Text, passages[i].Marks = parsed(p.Text)
		stats.Add(x.Terms(lexical.Passage{Title: p.Title, HeadingPath: p.HeadingPath, Body: p.Text}))
	}
	q := stats.Question(question, earlier...)
	for i := range passages {
		passages[i].Lexical = float64(distinct(q, passages[i]))
	}
	slices.SortStableFunc(passages, func(a, b answer.Passage) int { return distinct(q, b) - distinct(q, a) })
	return composer().Compose(question, q, passages, o)
}

// parsed reads a Markdown text as ingestion does.
func parsed(source string) (string, doc.Marks) {
	chunks := chunk.Split(markdown.Parse(source), "", chunk.Options{Words: 100_000})
	return chunks[0].Text, chunks[0].Marks
}

var composer = sync.OnceValue(func() *answer.Composer {
	c, err := answer.New()
	if err != nil {
		panic(err)
	}
	return c
})

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
			require.Len(t, a.Citations, 1)
			require.Zero(t, a.Citations[0].Passage)
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
		require.Empty(t, a.Citations)
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

func TestCompose_neverAnswersWithAQuestion(t *testing.T) {
	t.Parallel()
	faq := []answer.Passage{{DocumentID: "faq", Title: "FAQ", Lexical: 12, Text: "How long does charging take?\nThe 500 Wh pack is full after four hours. The big one needs five.\n\n" +
		"May I store the battery in winter?\nYes, in a dry room."}}
	a := ask("How long does charging take?", faq, answer.Options{})
	require.True(t, a.Answered, a.Confidence)
	require.NotContains(t, a.Text, "?")
	require.Contains(t, a.Text, "four hours")

	only := []answer.Passage{{DocumentID: "faq", Title: "FAQ", Text: "How long does charging take?"}}
	require.False(t, ask("How long does charging take?", only, answer.Options{}).Answered)
}

// cover is a booklet with a list, a table and a list of questions.
func cover() []answer.Passage {
	return []answer.Passage{
		{DocumentID: "booklet", Title: "Warranty booklet", HeadingPath: []string{"2 What is covered"}, Text: "## 2 What is covered\n\nWe cover faults of material and of workmanship. The warranty covers the pump for six years and the hose for 18 months. It covers the filter for two years or 90 fillings, whichever comes first."},
		{DocumentID: "booklet", Title: "Warranty booklet", HeadingPath: []string{"3 What is not covered"}, Ordinal: 1, Text: "## 3 What is not covered\n\nThe following is not covered by the warranty:\n\n- rust from salt water\n- damage by frost\n- pumps that were opened\n\nOpening the housing ends the warranty."},
		{DocumentID: "prices", Title: "Price list", Text: "| Article | Number | Price |\n| --- | --- | --- |\n| Garden pump | P-1 | 189 |\n| Garden pump, silent | P-2 | 249 |\n| Hose, 20 metres | H-7 | 39 |"},
		{DocumentID: "faq", Title: "Questions", Text: "How often should I clean the filter?\nEvery second week in summer.\n\nMay I leave the pump outside in winter?\nNo. Water freezes in it."},
	}
}

func TestCompose_findsTheStatementThatWasAskedFor(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"What is not covered by the warranty?":          "The following is not covered by the warranty: rust from salt water; damage by frost; pumps that were opened [",
		"What is the price of the hose?":                "Price: 39",
		"What does the silent garden pump cost?":        "Price: 249",
		"How long does the warranty cover the filter?":  "two years or 90 fillings",
		"How often should I clean the filter?":          "Every second week in summer",
		"May I leave the pump outside in winter?":       "No. Water freezes in it [1].",
		"How long does the warranty cover the hose?":    "18 months",
		"Who decides when a pump was opened by itself?": "",
	} {
		a := ask(question, cover(), answer.Options{})
		if want == "" {
			require.NotContains(t, a.Text, "?")
			continue
		}
		require.Contains(t, a.Text, want, question)
		require.NotContains(t, a.Text, "3 What is not covered", "a heading is no statement")
		require.NotContains(t, a.Text, "?")
	}
}

func TestCompose_listensToVectors(t *testing.T) {
	t.Parallel()
	passages := []answer.Passage{{Title: "House rules", Text: "Music ends at ten. Animals stay in the yard.", Lexical: 0, Cosine: 0.6}}
	passages[0].Sentences = []sentvec.Score{{Start: 0, End: 18, Cosine: 0.15}, {Start: 19, End: 44, Cosine: 0.8}}
	q := lexical.NewStats().Question("Where may my dog sleep?")
	a := composer().Compose("Where may my dog sleep?", q, passages, answer.Options{Threshold: new(1e-9), Sentences: 1})
	require.Equal(t, "Animals stay in the yard [1].", a.Text)

	near := a.Confidence
	passages[0].Cosine, passages[0].Sentences[1].Cosine = 0.1, 0.1
	require.Less(t, composer().Compose("Where may my dog sleep?", q, passages, answer.Options{}).Confidence, near)
}

func TestCompose_saysWhatAnEntryDoes(t *testing.T) {
	t.Parallel()
	d, err := html.Parse(`<h1>pumpctl</h1><p>The program pumpctl moves water.</p><h2>Options</h2><dl><dt>-q, --quiet<dd>Prints nothing but errors. Warnings are errors, too.
		<dt>--port=NUMBER<dd>Listens there. The default is 80.</dl><h2>Files</h2><p>An option on the command line outweighs the file.</p>`)
	require.NoError(t, err)
	c := chunk.Split(d, "", chunk.Options{Words: 100_000})[0]
	for question, want := range map[string]string{
		"What does --quiet do?":                           "`-q, --quiet`: Prints nothing but errors [1].",
		"What does the option --quiet of pumpctl do?":     "`-q, --quiet`: Prints nothing but errors [1].",
		"What is the --port option for?":                  "`--port=NUMBER`: Listens there [1].",
		"What is the default of --port?":                  "`--port=NUMBER`: The default is 80 [1].",
		"What is the default of --quiet?":                 "",
		"Which planets does the option --quiet outshine?": "",
	} {
		p := answer.Passage{Title: "pumpctl manual", Text: c.Text, Marks: c.Marks, Lexical: 10}
		stats := lexical.Stats{Passages: 1000}
		got := composer().Compose(question, stats.Question(question), []answer.Passage{p}, answer.Options{Sentences: 2})
		if want == "" {
			require.NotContains(t, got.Text, "Prints nothing but errors [1]. Warnings")
			require.NotContains(t, got.Text, "80", "it is the default of another option")
			continue
		}
		require.True(t, strings.HasPrefix(got.Text, want), got.Text)
	}
}

func TestCompose_knowsTheSameWordsOfTwoSections(t *testing.T) {
	t.Parallel()
	d, err := html.Parse(`<h1>pumpctl</h1><dl><dt>--tries=NUMBER<dd>Repeats a start. The default is 3.<dt>--steps=NUMBER<dd>Counts steps. The default is 3.</dl>
		<h2>Summer</h2><p>The pump rests at night.</p><h2>Winter</h2><p>The pump rests at night.</p>`)
	require.NoError(t, err)
	c := chunk.Split(d, "", chunk.Options{Words: 100_000})[0]
	ask := func(question string) string {
		stats := lexical.Stats{Passages: 1000}
		p := answer.Passage{Title: "pumpctl manual", Text: c.Text, Marks: c.Marks, Lexical: 10}
		return composer().Compose(question, stats.Question(question), []answer.Passage{p}, answer.Options{Threshold: new(1e-9)}).Text
	}
	require.True(t, strings.HasPrefix(ask("What is the default of --steps?"), "`--steps=NUMBER`: The default is 3 [1]."))
	require.True(t, strings.HasPrefix(ask("What is the default of --tries?"), "`--tries=NUMBER`: The default is 3 [1]."))
	require.Equal(t, 1, strings.Count(ask("When does the pump rest?"), "rests at night"))
}

func TestCompose_quotesAddresses(t *testing.T) {
	t.Parallel()
	const where, how = "Where do I register the pump?", "How do I register the pump?"
	for _, tt := range []struct{ question, text, want string }{
		{where, "Register the pump at https://pumps.example/register.", "Register the pump at https://pumps.example/register [1]."},
		{where, "Register the pump at [our page](https://pumps.example/register).", "Register the pump at our page (https://pumps.example/register) [1]."},
		{how, "Register the pump at [our page](https://pumps.example/register).", "Register the pump at our page [1]."},
		{where, "Register the pump at [https://pumps.example](https://pumps.example).", "Register the pump at https://pumps.example [1]."},
		{where, "Register the pump [here](javascript:alert%281%29).", "Register the pump here [1]."},
		{where, "Register the pump at www.pumps.example.", "Register the pump at www.pumps.example [1]."},
		{where, "Register the pump at <//pumps.example/x>.", "Register the pump at <//pumps.example/x> [1]."},
		{where, "Register the pump at <javascript:alert(1)> or <DATA:text/html,x>.", "Register the pump at `<alert(1)>` or `<text/html,x>` [1]."},
		{where, "Register the pump ![at](data:image/png;base64,AA) home.", "Register the pump home [1]."},
		{where, "Register the pump by `register[0](now)` or by mail.", "Register the pump by `register[0](now)` or by mail [1]."},
		{where, "Register the pump by `` a`b[0](c) `` or x[0](y) ` now.", "Register the pump by `` a`b[0](c) `` or x[0] (y) ` now [1]."},
	} {
		a := ask(tt.question, []answer.Passage{{Title: "Pumps", Text: tt.text}}, answer.Options{Threshold: new(1e-9)})
		require.Equal(t, tt.want, a.Text)
	}
}

func TestCompose_remembersEarlierTurns(t *testing.T) {
	t.Parallel()
	passages := handbook()
	a := ask("And when do unused days expire?", passages, answer.Options{Sentences: 1}, "How much vacation do I get?")
	require.True(t, a.Answered)
	require.Contains(t, a.Text, "end of March")
}

func TestCompose_goesOnWhereAShortQuestionLeavesOff(t *testing.T) {
	t.Parallel()
	passages := []answer.Passage{
		{DocumentID: "w", Title: "Warranty", Text: "The warranty covers the battery for two years. The warranty covers the frame for ten years."},
		{DocumentID: "c", Title: "Care", Text: "Clean the frame with warm water. Store the bike in a dry place."},
	}
	const before = "How long does the warranty cover the battery?"
	a := ask("And the frame?", slices.Clone(passages), answer.Options{}, before)
	require.True(t, strings.HasPrefix(a.Text, "The warranty covers the frame for ten years [1]."), a.Text)
	require.GreaterOrEqual(t, a.Confidence, 0.5)
}

func FuzzCompose(f *testing.F) {
	f.Add("What were sales in 2018?", "| a | 2018 |\n|---|\n| sales | 1 |")
	f.Add("x?", "[x](y) ![x](y ](\n\t\t\n# x\n- x")
	f.Add("什么时候", "今天。明天？")
	f.Fuzz(func(t *testing.T, question, text string) {
		a := ask(question, []answer.Passage{{Title: "t", Text: text}}, answer.Options{Threshold: new(1e-9)})
		require.Equal(t, a.Answered, a.Text != "")
		for _, c := range a.Citations {
			require.Zero(t, c.Passage)
			require.Contains(t, a.Text[c.Begin:c.End], "[1]")
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
	c := composer()
	question := "How many days of paid vacation does an employee receive?"
	for b.Loop() {
		c.Compose(question, stats.Question(question), passages, answer.Options{})
	}
}
