package lexical_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
)

// project returns statistics of passages in some languages.
func project(languages ...lexical.Lang) *lexical.Stats {
	s := lexical.NewStats()
	for _, l := range languages {
		s.Add(lexical.NewIndexer(l).Terms(lexical.Passage{Body: "x"}))
	}
	return s
}

// placed are texts with their languages.
func placed() map[string]lexical.Lang {
	return map[string]lexical.Lang{
		"": lexical.Unknown,
		"The batteries' warranty covers 24 months; it's 1,200.50 EUR (U.S. only) in FY2023 and 2023Q4.": lexical.English,
		"Die Ärzte prüfen die Garantien der Händler: 3 Jahre, sonst gilt das Gewährleistungsrecht.":     lexical.German,
		"Les garanties légales couvrent l'été où l'œuvre naïve fut achetée.":                            lexical.French,
		"ضمان البطاريات يغطي سنتين من تاريخ الشراء والبطارية الثانية أيضا.":                             lexical.Arabic,
		"保修期为两年。バッテリーの保証 warranty 24か月。보증 기간은 이 년입니다.":                                                  lexical.Unspaced,
		"Гарантия на батареи действует ещё два года, ё.":                                                lexical.Russian,
		"Pillerin garantisi İstanbul'da IŞIK için 2 yıldır.":                                            lexical.Turkish,
		"e\u0301te\u0301 soft\u00adhyphen \xff\xfe broken | a\t1 | b\t2 |":                              lexical.English,
	}
}

func TestFinder_Read(t *testing.T) {
	t.Parallel()
	questions := []string{
		"How long is the warranty of a battery in the U.S. in 2023?", "Wie lange gilt die Garantie der Ärzte?", "Quelles garanties en été?",
		"ما هو ضمان البطارية؟", "保修期 保証 보증", "Гарантия батареи еще", "İstanbul ışık garanti", "the of and", "1,200.50 EUR",
	}
	for _, stats := range []*lexical.Stats{
		lexical.NewStats(), project(lexical.English), project(lexical.German), project(lexical.Arabic), project(lexical.Russian), project(lexical.Unspaced),
		project(lexical.English, lexical.German), project(lexical.French, lexical.Arabic, lexical.Turkish), project(lexical.Turkish),
	} {
		for _, text := range questions {
			finder := stats.Question(text, "und die Kosten?").Finder()
			for body, l := range placed() {
				want := finder.Find(body)
				want.Words, want.Figures = lexical.Figures(body)
				require.Equal(t, want, finder.Read(body, lexical.NewIndexer(l).Places(body)), "%q in %q", text, body)
				require.Equal(t, want, finder.Read(body, nil), "without places")
				require.Equal(t, want, finder.Read(body, []byte{0, 1, 2, 3}), "with those of another version")
			}
		}
	}
}

func FuzzFinder_Read(f *testing.F) {
	for body, l := range placed() {
		f.Add("How long is the warranty? Garantie 2023", body, uint8(l), []byte{33, 1, 0, 0, 1, 0, 9})
	}
	f.Fuzz(func(t *testing.T, question, body string, l uint8, broken []byte) {
		language := lexical.Lang(l % uint8(lexical.Unspaced+1))
		for _, stats := range []*lexical.Stats{project(language), project(language, lexical.English), lexical.NewStats()} {
			finder := stats.Question(question).Finder()
			want := finder.Find(body)
			want.Words, want.Figures = lexical.Figures(body)
			packed := lexical.NewIndexer(language).Places(body)
			require.Equal(t, want, finder.Read(body, packed))
			for _, bytes := range [][]byte{broken, packed[:len(packed)/2], append(packed[:len(packed)/3:len(packed)/3], broken...)} {
				for _, h := range finder.Read(body, bytes).Hits {
					require.LessOrEqual(t, 0, h.Start)
					require.LessOrEqual(t, h.Start, h.End)
					require.LessOrEqual(t, h.End, len(body))
				}
			}
		}
	})
}
