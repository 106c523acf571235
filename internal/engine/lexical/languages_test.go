package lexical_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"docqa/internal/engine/lexical"
)

// languages holds a document in each language, a question about it with the number of words
// that must match, and another question of which no word may match.
var languages = []struct {
	lang            lexical.Lang
	code            string
	text            string
	question        string
	meet            int
	foreignQuestion string
}{
	{
		lexical.German, "de", "Die Gewährleistungsfristen für Akkus betragen zwei Jahre; Straßenschäden sind ausgeschlossen.",
		"Wie lang ist die Gewährleistungsfrist eines Akkus bei einem Strassenschaden?", 3, "Wer liefert nach Island?",
	},
	{
		lexical.Spanish, "es", "Las devoluciones se aceptan durante treinta días; los gastos de envío los paga el cliente.",
		"¿Cuántos días dura una devolución y quién paga el gasto del envío?", 5, "¿Cuál es la garantía?",
	},
	{
		lexical.French, "fr", "L’élève reçoit ses réponses dans les deux semaines qui suivent l'inscription.",
		"Quand les élèves reçoivent-ils la réponse après l’inscription ?", 3, "Combien coûte le repas ?",
	},
	{
		lexical.Italian, "it", "Le città più visitate sono aperte dell'estate e i biglietti sono rimborsabili.",
		"Quale città è visitata? Il biglietto è rimborsabile?", 4, "Dove si mangia bene?",
	},
	{
		lexical.Dutch, "nl", "De coördinatiepunten zijn geopend op zaterdagen en de leveringen zijn gratis.",
		"Is het coordinatiepunt op zaterdag geopend? Is een levering gratis?", 5, "Wie betaalt de belasting?",
	},
	{
		lexical.Portuguese, "pt", "As manutenções não estão incluídas nos preços das reparações.",
		"A manutenção da reparação está incluída no preço?", 4, "Qual é o horário?",
	},
	{
		lexical.Russian, "ru", "Гарантия распространяется на аккумуляторы, а самолёты и ещё не оплаченные счета исключены.",
		"Распространяются ли гарантии на аккумулятор самолета и неоплаченный счет?", 5, "Кто открывает магазин?",
	},
	{
		lexical.Arabic, "ar", "يغطي الضمانُ البطاريات لمدة عامين ولا يشمل المدارس.",
		"هل يغطي ضمان البطارية المدرسة؟", 3, "أين يقع المكتب؟",
	},
	{
		lexical.Hindi, "hi", "वारंटी दो सालों तक बैटरियों को कवर करती है और लड़कियों के लिए है।",
		"बैटरी की वारंटी कितने साल की है, लड़की के लिए?", 4, "दुकान कहाँ खुलती है?",
	},
	{lexical.Unspaced, "", "保修期为两年，电池除外。", "电池的保修期多长？", 3, "谁负责运费？"},
	{lexical.Unspaced, "", "バッテリーの保証期間は２年です。", "バッテリーの保証はいつまでですか", 6, "送料は誰が払う"},
	{lexical.Unspaced, "", "배터리 보증기간은 2년입니다. 반품은 무료입니다.", "배터리의 보증기간이 얼마나 되나요?", 5, "누가 배송비를 내나"},
	{lexical.Unspaced, "", "การรับประกันครอบคลุมแบตเตอรี่สองปี", "แบตเตอรี่มีการรับประกันกี่ปี", 12, "ร้านเปิด"},
	{
		lexical.Turkish, "tr", "GARANTİ SÜRESİ IŞIK SİSTEMLERİ için iki yıldır; İstanbul'da kargolar ücretsizdir.",
		"Işık sisteminin garanti süresi kaç yıl, İstanbul'a kargo ücretsiz mi?", 5, "Mağaza nerede açılıyor?",
	},
}

func TestLanguages_formsMatch(t *testing.T) {
	t.Parallel()
	for _, tt := range languages {
		t.Run(tt.question, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.lang, lexical.Detect(tt.text))
			require.Equal(t, tt.code, tt.lang.Code())
			require.GreaterOrEqual(t, shared(tt.lang, tt.text, tt.question), tt.meet)
			require.Zero(t, shared(tt.lang, tt.text, tt.foreignQuestion))
		})
	}
}

// TestLanguages_found asks a collection of all languages: each question finds its own text.
func TestLanguages_found(t *testing.T) {
	t.Parallel()
	s := lexical.NewStats()
	vectors := make([]map[int32]float64, len(languages))
	for i, l := range languages {
		terms := lexical.NewIndexer(l.lang).Terms(lexical.Passage{Body: l.text})
		s.Add(terms)
		vectors[i] = map[int32]float64{}
		for _, t := range terms {
			vectors[i][t.Index] = float64(t.Weight)
		}
	}
	for want, l := range languages {
		q := s.Question(l.question)
		best, highest := -1, 0.0
		for i, v := range vectors {
			sum := 0.0
			for _, t := range q.Vector() {
				sum += float64(t.Weight) * v[t.Index]
			}
			if sum > highest {
				best, highest = i, sum
			}
		}
		require.Equal(t, want, best, l.question)
		require.NotEmpty(t, q.Find(l.text).Hits, "and its words are found again in the text: %s", l.question)
	}
}

// TestTerms_writtenInSeveralWays: different ways to write a word give the same term.
func TestTerms_writtenInSeveralWays(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		lang lexical.Lang
		a, b string
	}{
		{"accents of their own", lexical.French, "re\u0301ponse e\u0301le\u0300ve", "réponse élève"},
		{"ligatures", lexical.English, "ﬁnancial oﬃce", "financial office"},
		{"full-width letters and digits", lexical.English, "ＩＳＯ ９００１", "ISO 9001"},
		{"letters with and without their nukta apart", lexical.Hindi, "लड\u093cका", "ल\u095cका"},
		{"Arabic presentation forms", lexical.Arabic, "ﺍﻟﺒﻄﺎﺭﻳﺔ", "البطارية"},
		{"capital letters of Turkish", lexical.Turkish, "IŞIK İSTANBUL", "ışık istanbul"},
		{"Turkish on another keyboard", lexical.Turkish, "ışık çağrı", "isik cagri"},
		{"Russian with and without its dots", lexical.Russian, "Поёт ЁЛКА", "поет елка"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			x := lexical.NewIndexer(tt.lang)
			require.Equal(t, indices(x.Terms(lexical.Passage{Body: tt.a})), indices(x.Terms(lexical.Passage{Body: tt.b})))
		})
	}
}
