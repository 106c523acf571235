package lexical_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
)

// shared returns how many terms two texts in one language have in common.
func shared(l lexical.Lang, a, b string) int {
	x := lexical.NewIndexer(l)
	left := indices(x.Terms(lexical.Passage{Body: a}))
	n := 0
	for _, t := range x.Terms(lexical.Passage{Body: b}) {
		if t.Weight > 0.001 && slices.Contains(left, t.Index) {
			n++
		}
	}
	return n
}

func indices(terms []lexical.Term) []int32 {
	out := make([]int32, len(terms))
	for i, t := range terms {
		out[i] = t.Index
	}
	return out
}

func TestIndexer_Terms_matchInOtherForms(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		lang lexical.Lang
		a, b string
		want int
	}{
		{"inflection", lexical.English, "The dogs were running", "a dog runs", 2},
		{"stop words meet nothing", lexical.English, "What is the of and", "what IS the", 0},
		{"accents", lexical.English, "Beyoncé", "beyonce", 1},
		{"possessives", lexical.English, "Amazon's sales", "Amazon sale", 2},
		{"thousands", lexical.English, "1,200,181 units", "1200181", 1},
		{"decimals differ", lexical.English, "1.5", "15", 0},
		{"acronyms with points", lexical.English, "the U.S. economy", "US economy", 2},
		{"a country is no pronoun", lexical.English, "the US", "tell us", 0},
		{"fiscal years", lexical.English, "in FY2023", "2023", 1},
		{"quarters of years", lexical.English, "Amcor 2023Q4", "Q42023", 2},
		{"other marks with digits stay whole", lexical.English, "MP3 AB12345 4th", "MP 12345 4", 0},
		{"decades", lexical.English, "in the 1990s", "1990", 1},
		{"hyphens", lexical.English, "out-of-network", "network", 1},
		{"soft hyphens", lexical.English, "net\u00adwork", "network", 1},
		{"vitamins", lexical.English, "vitamin C", "vitamin c", 2},
		{"German", lexical.German, "die Häuser", "des Hauses", 1},
		{"Spanish", lexical.Spanish, "las canciones", "una canción", 1},
		{"Russian", lexical.Russian, "новые книги", "новая книга", 2},
		{"Arabic", lexical.Arabic, "المدارس", "مدارس", 1},
		{"Hindi", lexical.Hindi, "लड़कियों", "लड़की", 1},
		{"Chinese", lexical.Unspaced, "今天下雨", "下雨", 1},
		{"Arabic digits", lexical.Arabic, "١٢٣", "123", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, shared(tt.lang, tt.a, tt.b))
		})
	}
}

func TestIndexer_Terms_weighs(t *testing.T) {
	t.Parallel()
	x := lexical.NewIndexer(lexical.English)
	short := x.Terms(lexical.Passage{Title: "Guide", HeadingPath: []string{"Setup"}, Context: "columns", Body: "network, network cable"})
	require.True(t, slices.IsSortedFunc(short, func(a, b lexical.Term) int { return int(a.Index) - int(b.Index) }))
	require.Len(t, short, 6) // guide, setup, column, network, cable, and the language
	for _, term := range short {
		require.Less(t, term.Index, int32(lexical.Dimensions))
		require.GreaterOrEqual(t, term.Index, int32(0))
		require.Less(t, term.Weight, float32(2.2))
	}
	long := x.Terms(lexical.Passage{Body: "network " + strings.Repeat("filler words everywhere ", 100)})
	heavy := x.Terms(lexical.Passage{Body: "network"})
	require.Less(t, weightOf(long, heavy), weightOf(heavy, heavy))
}

// weightOf returns the weight in terms of the heaviest term of one.
func weightOf(terms, one []lexical.Term) float32 {
	best := slices.MaxFunc(one, func(a, b lexical.Term) int {
		if a.Weight < b.Weight {
			return -1
		}
		return 1
	})
	for _, t := range terms {
		if t.Index == best.Index {
			return t.Weight
		}
	}
	return 0
}

func TestDetect(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"What is the capital of France?":            "en",
		"Wie hoch ist der Berg und wo liegt er?":    "de",
		"¿Cuál es la capital de los países bajos?":  "es",
		"Quelle est la capitale de la France ?":     "fr",
		"Какая столица у этой страны?":              "ru",
		"ما هي عاصمة فرنسا؟":                        "ar",
		"भारत की राजधानी क्या है":                   "hi",
		"Qual è la capitale della Francia e perché": "it",
		"12345":    "",
		"法国的首都是哪里": "",
	} {
		require.Equal(t, want, lexical.Detect(text).Code(), text)
	}
	require.Equal(t, lexical.Unspaced, lexical.Detect("法国的首都是哪里"))
}

// indexed makes statistics of English passages.
func indexed(bodies ...string) *lexical.Stats {
	s := lexical.NewStats()
	x := lexical.NewIndexer(lexical.English)
	for _, b := range bodies {
		s.Add(x.Terms(lexical.Passage{Body: b}))
	}
	return s
}

func TestStats_Question(t *testing.T) {
	t.Parallel()
	s := indexed("red apples", "red pears", "red cherries", "green apples")
	q := s.Question("Which apples are red or from Kent in 2017?", "Do you sell pears?")
	var words []string
	for _, w := range q.Words {
		words = append(words, w.Surface)
	}
	require.Equal(t, []string{"apples", "red", "Kent", "2017", "sell", "pears"}, words)
	require.Less(t, q.Words[1].Weight, q.Words[0].Weight, "frequent words tell less")
	require.True(t, q.Words[2].Name)
	require.True(t, q.Words[3].Number)
	require.InDelta(t, q.Words[5].IDF*lexical.Earlier, q.Words[5].Weight, 1e-9)
	require.False(t, q.Words[5].Current)
	require.Len(t, q.Vector(), 6)
	require.Empty(t, s.Question("What is it?").Vector())
	require.Len(t, s.Question("WHO SELLS APPLES").Vector(), 2, "capitals alone make no acronym")
}

func TestUnpack_keepsFrequencies(t *testing.T) {
	t.Parallel()
	s := indexed("red apples", "red pears", "red apples and plums")
	terms, counts := s.Pack()
	require.Len(t, terms, 3) // red, apple, the language
	require.True(t, slices.IsSorted(terms))
	back := lexical.Unpack(s.Passages, terms, counts)
	require.Equal(t, s.Question("red apples plums").Vector(), back.Question("red apples plums").Vector())
}

func TestQuestion_Find(t *testing.T) {
	t.Parallel()
	q := indexed("some networks").Question("Which networks cover Zürich in 2017?")
	text := "Our Network, since 2017, is the largest in Zurich. Networking helps."
	m := q.Find(text)
	var got []string
	for _, h := range m.Hits {
		got = append(got, text[h.Start:h.End])
	}
	require.Equal(t, []string{"Network", "2017", "Zurich", "Networking"}, got)
	require.Equal(t, 11, m.Tokens)
	require.Equal(t, 1, m.Hits[0].Position)
}

func TestStats_Question_inTheLanguagesOfTheProject(t *testing.T) {
	t.Parallel()
	s := lexical.NewStats()
	s.Add(lexical.NewIndexer(lexical.German).Terms(lexical.Passage{Body: "Die Häuser der Stadt"}))
	q := s.Question("Hauses") // too short to tell its language
	require.Len(t, q.Find("alte Häuser").Hits, 1)
}

func FuzzIndexer_Terms(f *testing.F) {
	for _, s := range []string{"U.S.", "a.b.c 1,2.3x", "今天", "l'été\u00ad", "\xff\x00", "١٢٣,٤", "ｆｕｌｌ", "กขค"} {
		f.Add(s, byte(1))
	}
	f.Fuzz(func(t *testing.T, text string, lang byte) {
		l := lexical.Lang(lang % 19)
		terms := lexical.NewIndexer(l).Terms(lexical.Passage{Body: text})
		for i, term := range terms {
			require.GreaterOrEqual(t, term.Index, int32(0))
			require.Less(t, term.Index, int32(lexical.Dimensions))
			require.Positive(t, term.Weight)
			if i > 0 {
				require.Greater(t, term.Index, terms[i-1].Index)
			}
		}
		s := lexical.NewStats()
		s.Add(terms)
		for _, h := range s.Question(text).Find(text).Hits {
			require.Less(t, h.Start, h.End)
			require.LessOrEqual(t, h.End, len(text))
		}
	})
}

// prose is about 1 MB of English.
func prose() string {
	return strings.Repeat("The members of the Organization of Arab Petroleum Exporting Countries proclaimed an embargo in October 1973, and prices rose quickly. ", 7500)
}

func BenchmarkIndexer_Terms(b *testing.B) {
	text := prose()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		lexical.NewIndexer(lexical.English).Terms(lexical.Passage{Body: text})
	}
}

func BenchmarkQuestion_Find(b *testing.B) {
	q := indexed("oil embargo", "prices").Question("When did the Arab countries proclaim the oil embargo?")
	text := prose()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		q.Find(text)
	}
}

func TestFocus(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, asked, aside string }{
		{"a single question", "What is the margin?", "What is the margin?", ""},
		{"no question", "The margin of 2022. Use the report.", "The margin of 2022. Use the report.", ""},
		{"what leads up to it belongs to it", "I lost my key. Who helps?", "I lost my key. Who helps?", ""},
		{"what follows does not", "Did it grow? If not, say why. Use tables.", "Did it grow?", "If not, say why. Use tables."},
		{"several questions", "Did it grow? Be brief. Or shrink?", "Did it grow? Or shrink?", "Be brief."},
		{"other scripts", "利润是多少？请简短回答。", "利润是多少？", "请简短回答。"},
		{"nothing", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asked, aside := lexical.Focus(tt.text)
			require.Equal(t, tt.asked, asked)
			require.Equal(t, tt.aside, aside)
		})
	}
}

func TestStats_Question_asides(t *testing.T) {
	t.Parallel()
	q := lexical.NewStats().Question("Did revenue grow? If not, state the reason, revenue aside.", "packaging")
	weights := map[string]float64{}
	for _, w := range q.Words {
		weights[w.Surface] = w.Weight / w.IDF
	}
	require.InDelta(t, 1, weights["revenue"], 1e-9)
	require.InDelta(t, lexical.Aside, weights["reason"], 1e-9)
	require.InDelta(t, lexical.Earlier, weights["packaging"], 1e-9)
}
