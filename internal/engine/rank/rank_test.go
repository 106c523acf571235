package rank_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/chunk"
	"docqa/internal/engine/forest"
	"docqa/internal/engine/lexical"
	"docqa/internal/engine/parse/markdown"
	"docqa/internal/engine/rank"
	"docqa/internal/engine/sentvec"
)

// sentences are what a passage's sentences are worth, by their cosines.
func sentences(cosines ...float64) []sentvec.Score {
	var list []sentvec.Score
	for i, c := range cosines {
		list = append(list, sentvec.Score{Start: i, End: i + 1, Cosine: c})
	}
	return list
}

func TestRanker_Order(t *testing.T) {
	t.Parallel()
	q := lexical.NewStats().Question("Which vitamin deficiency causes scurvy in Norway?")
	const answers = "A lack of vitamin C causes scurvy. In Norway this vitamin deficiency was common among sailors."
	const other = "Deficiency of sleep is common in the north of the country. Some say that it causes trouble."
	tests := []struct {
		name       string
		candidates []rank.Candidate
		want       []int
	}{
		{"nothing", nil, []int{}},
		{"what answers comes first", []rank.Candidate{
			{Document: "a", Body: other, Lexical: 2.1, Fused: 1}, {Document: "b", Body: answers, Lexical: 2, Fused: 0.95},
		}, []int{1, 0}},
		{"with vectors, too", []rank.Candidate{
			{Document: "a", Body: other, Lexical: 2.1, Cosine: 0.5, Fused: 1, Sentences: sentences(0.3, 0.2)},
			{Document: "b", Body: answers, Lexical: 2, Cosine: 0.5, Fused: 0.95, Sentences: sentences(0.4, 0.8)},
		}, []int{1, 0}},
		{"equals keep their order", []rank.Candidate{{Body: "a", Lexical: 2}, {Body: "a", Lexical: 2}}, []int{0, 1}},
	}
	r := rank.New()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			places, chances := r.Order(q, tt.candidates)
			require.Equal(t, tt.want, places)
			require.Len(t, chances, len(tt.want))
			require.IsNonIncreasing(t, append(chances, 0))
		})
	}
}

// feature is the value of a feature by its name.
func feature(t *testing.T, f rank.Features, name string) float64 {
	t.Helper()
	i := slices.Index(rank.Names(), name)
	require.GreaterOrEqual(t, i, 0, name)
	return f[i]
}

func TestOf(t *testing.T) {
	t.Parallel()
	q := lexical.NewStats().Question("total revenue of Amcor in 2022", "tell me about packaging")
	f := rank.FeaturesOf(q, []rank.Candidate{
		{
			Document: "amcor", Ordinal: 3, Title: "Amcor 2022 report", HeadingPath: []string{"Results"}, Context: "\t2022\t2021",
			Body: "Sales\t1\t2\nTotal revenue\t14,544\t12,861", Lexical: 4, Cosine: 0.6, Fused: 1, Sentences: sentences(0.2, 0.7, 0.6),
		},
		{Document: "amcor", Ordinal: 4, Title: "Amcor 2022 report", Body: "Packaging grew.", Lexical: 1, Cosine: 0.5, Fused: 0.5},
		{Document: "other", Ordinal: 0, Title: "Berry 2021", Body: "The total of 2022 was low, and revenue fell.", Lexical: 2, Cosine: 0.1, Fused: 0.4},
	})
	for _, tt := range []struct {
		name  string
		place int
		want  float64
	}{
		{"words_rank", 0, 1},
		{"words_behind", 2, 0.5},
		{"meaning_behind", 2, 0.5},
		{"fused_behind", 1, 0.5},
		{"names", 0, 1},
		{"names", 2, 0},
		{"numbers", 0, 1},
		{"earlier", 1, 1},
		{"title_behind", 0, 0},
		{"sentence", 0, 0.7},
		{"second", 0, 0.6},
		{"sentences", 0, 0.5},
		{"sentence_behind", 1, 0.7},
		{"table", 0, 1},
		{"table", 2, 0},
		{"neighbours", 0, 0.5},
		{"neighbours", 1, 1},
		{"neighbours", 2, 0},
		{"document", 1, 1},
		{"document", 2, 0},
		{"first", 2, 1},
	} {
		require.InDelta(t, tt.want, feature(t, f[tt.place], tt.name), 1e-9, "%s of %d", tt.name, tt.place)
	}
	require.Greater(t, feature(t, f[0], "row"), feature(t, f[0], "near"), "header and title count for a row")
	require.Greater(t, feature(t, f[0], "pairs"), feature(t, f[2], "pairs"))
	require.Greater(t, feature(t, f[0], "run"), feature(t, f[2], "run"))
}

func BenchmarkOrder(b *testing.B) {
	q := lexical.NewStats().Question("When did the Arab countries proclaim the oil embargo?")
	candidates := make([]rank.Candidate, 50)
	for i := range candidates {
		candidates[i] = rank.Candidate{
			Title: "1973 oil crisis", Lexical: float64(50 - i),
			Body: strings.Repeat("The members of the organization of Arab countries proclaimed an embargo in October, and prices rose quickly. ", 10),
		}
	}
	b.Run("whole", func(b *testing.B) {
		r := rank.New()
		for b.Loop() {
			r.Order(q, candidates)
		}
	})
	b.Run("model alone", func(b *testing.B) {
		data, err := os.ReadFile("models/words.json")
		require.NoError(b, err)
		m, err := forest.Parse(data, rank.Names())
		require.NoError(b, err)
		features := rank.FeaturesOf(q, candidates)
		for b.Loop() {
			rank.By(m, features)
		}
	})
}

// examples are the passages of the documents that come with the project, each with and
// without the places of its words, as a search of question would have them.
func examples(tb testing.TB, question string) (q *lexical.Question, stored, computed []rank.Candidate) {
	tb.Helper()
	stats := lexical.NewStats()
	for _, name := range []string{"employee-handbook.md", "price-list-2026.md", "service-faq.txt"} {
		source, err := os.ReadFile("../../../examples/documents/" + name)
		require.NoError(tb, err)
		indexer := lexical.NewIndexer(lexical.English)
		for i, c := range chunk.Split(markdown.Parse(string(source)), name, chunk.Options{Words: 90, Overlap: 60}) {
			stats.Add(indexer.Terms(lexical.Passage{Title: c.Title, HeadingPath: c.HeadingPath, Body: c.Text}))
			candidate := rank.Candidate{
				Document: name, Ordinal: c.Ordinal, Title: c.Title, HeadingPath: c.HeadingPath, Context: c.Context, Body: c.Text,
				Lexical: float64(i%7) + 0.5, Fused: float64(i%5) / 5,
			}
			computed = append(computed, candidate)
			candidate.Places = indexer.Places(c.Text)
			stored = append(stored, candidate)
		}
	}
	return stats.Question(question), stored, computed
}

func TestOrder_byStoredPlaces(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../../examples/questions.json")
	require.NoError(t, err)
	var list struct {
		Questions []struct{ Question string }
	}
	require.NoError(t, json.Unmarshal(data, &list))
	require.NotEmpty(t, list.Questions)
	r := rank.New()
	for _, one := range list.Questions {
		q, stored, computed := examples(t, one.Question)
		require.Greater(t, len(stored), 15)
		require.Equal(t, rank.FeaturesOf(q, computed), rank.FeaturesOf(q, stored), "to the last bit: %s", one.Question)
		places, chances := r.Order(q, computed)
		again, same := r.Order(q, stored)
		require.Equal(t, places, again)
		require.Equal(t, chances, same)
	}
}

// BenchmarkOf compares the features by places that are stored with those by places that are
// looked for, in one run.
func BenchmarkOf(b *testing.B) {
	q, stored, computed := examples(b, "How many days of paid vacation does an employee have in a year, and who approves them?")
	var with, without []float64
	for b.Loop() {
		began := time.Now()
		rank.FeaturesOf(q, computed)
		between := time.Now()
		rank.FeaturesOf(q, stored)
		without, with = append(without, between.Sub(began).Seconds()), append(with, time.Since(between).Seconds())
	}
	slices.Sort(with)
	slices.Sort(without)
	b.ReportMetric(with[len(with)/2]/without[len(without)/2], "stored/computed")
	b.ReportMetric(without[len(without)/2]*1e6, "computed-µs")
}

func TestRanker_Order_prefersTheNamedVersion(t *testing.T) {
	t.Parallel()
	list := []rank.Candidate{
		{Document: "a", Title: "GPL 2", Body: "You may convey copies of the work.", Lexical: 3, Fused: 1},
		{Document: "b", Title: "gpl-3.0", Body: "You may propagate copies of the work, and more of it.", Lexical: 2, Fused: 0.8},
		{Document: "c", Title: "other", Body: "Copies.", Lexical: 1, Fused: 0.1},
	}
	first := func(question string) string {
		places, chances := rank.New().Order(lexical.NewStats().Question(question), list)
		require.IsDecreasing(t, append(chances, -1))
		return list[places[0]].Title
	}
	require.Equal(t, "gpl-3.0", first("May I convey copies of the work by GPLv3?"))
	require.Equal(t, "gpl-3.0", first("May I convey copies of the work by version 3 of the GPL?"))
	require.Equal(t, "GPL 2", first("May I convey copies of the work by GPL 2?"))
	require.Equal(t, first("May I convey copies of the work?"), first("May I convey copies of the work by GPL 9?"), "no title has it")
}
