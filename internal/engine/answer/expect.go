package answer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"docqa/internal/engine/statement"
)

// expected is the kind of thing a question asks for.
type expected uint8

const (
	anything expected = iota
	aTime
	aNumber
	aMoney
	aShare    // a percentage
	aDuration // a length of time
	aName     // a person, an organisation
	aPlace
	aReason
	aMeaning // what something is
	aYesOrNo
	aVersion
	aDefault     // the value of a setting that nobody set
	aCommand     // something to type
	expectations // how many there are
)

// wording is a list of words and phrases that stand for one thing.
type wording struct {
	is    expected
	words []string
}

// expects finds by its question word what a question asks for. It knows the question words
// of some languages; in the others a question expects anything.
func expects(question string) expected {
	s := " " + strings.ToLower(strings.Join(strings.FieldsFunc(question, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '%'
	}), " ")) + " "
	for _, k := range spaced() {
		for _, w := range k.words {
			if strings.Contains(s, w) {
				return k.is
			}
		}
	}
	for _, k := range unspaced() {
		for _, w := range k.words {
			if strings.Contains(s, w) {
				return k.is
			}
		}
	}
	if containsAny(s, []string{" which command ", " what command ", " which commands ", " command to ", " command that ", " example of ", " welcher befehl ", " mit welchem befehl ", " qué comando ", " quelle commande "}) {
		return aCommand
	}
	if containsAny(s, []string{" default ", " defaults ", " defaulted ", " not given ", " not specified ", " not set ", " omitted ", " omit ", " leave out ", " left out ", " unset ", " by itself ", " voreinstellung ", " standardwert ", " standardmäßig ", " predeterminado ", " por defecto ", " par défaut "}) {
		return aDefault
	}
	first, rest, _ := strings.Cut(strings.TrimSpace(s), " ")
	switch {
	case slices.Contains(auxiliaries(), first) && rest != "":
		return aYesOrNo
	case strings.HasPrefix(s, " what is ") || strings.HasPrefix(s, " what are ") || strings.HasPrefix(s, " was ist ") || strings.Contains(s, " mean "):
		return aMeaning
	}
	return anything
}

// spaced returns the question words of scripts with spaces, the most specific first.
func spaced() []wording {
	return []wording{
		{aMoney, []string{
			" how much does ", " how much do i pay ", " what is the price ", " what is the cost ", " what does it cost ", " price of ", " cost of ", " how much money ", " how much is the fee ",
			" cost ", " costs ", " was kostet ", " was kosten ", " wie teuer ", " cuánto cuesta ", " cuánto cuestan ", " combien coûte ", " combien coûtent ", " quanto costa ", " сколько стоит ",
		}},
		{aShare, []string{" what percentage ", " what percent ", " what share ", " what proportion ", " wie viel prozent ", " qué porcentaje ", " quel pourcentage ", " quale percentuale ", " какой процент "}},
		{aDuration, []string{" how long ", " how many days ", " how many weeks ", " how many months ", " how many years ", " how many hours ", " how many minutes ", " wie lange ", " cuánto tiempo ", " combien de temps ", " quanto tempo ", " как долго "}},
		{aVersion, []string{" which version ", " what version ", " in which release ", " in what release ", " welcher version ", " qué versión ", " quelle version "}},
		{aTime, []string{
			" when ", " what year ", " which year ", " what date ", " what month ", " what day ", " what time ", " what century ", " what decade ", " how long ago ",
			" wann ", " welchem jahr ", " seit wann ", " cuándo ", " cuando ", " qué año ", " quand ", " quelle année ", " quale anno ", " когда ", " каком году ", " متى ", " कब ",
		}},
		{aNumber, []string{
			" how many ", " how much ", " how old ", " how far ", " how tall ", " how big ", " how large ", " how high ", " how often ", " how fast ", " how deep ", " how heavy ", " what number ", " what amount ",
			" what was the total ", " what is the total ", " wie viel ", " wie viele ", " wie hoch ", " wie oft ", " wie weit ", " wie schwer ", " cuánto ", " cuánta ", " cuántos ", " cuántas ", " combien ", " quanto ", " quanti ", " quante ",
			" сколько ", " كم ", " कितने ", " कितनी ", " कितना ",
		}},
		{aName, []string{
			" who ", " whom ", " whose ", " what company ", " which company ", " wer ", " wem ", " wen ", " quién ", " quiénes ", " qui ", " chi ", " кто ",
		}},
		{aPlace, []string{
			" where ", " what city ", " what country ", " which country ", " which city ", " what state ", " which state ", " what region ", " wo ", " woher ", " wohin ", " dónde ", " où ", " dove ", " где ",
		}},
		{aReason, []string{" why ", " what reason ", " what caused ", " what cause ", " for what reason ", " warum ", " weshalb ", " wieso ", " por qué ", " pourquoi ", " perché ", " почему ", " لماذا ", " क्यों "}},
	}
}

// unspaced returns the question words of scripts without spaces.
func unspaced() []wording {
	return []wording{
		{aTime, []string{"什么时候", "何时", "哪一年", "哪年", "いつ", "เมื่อไหร่", "เมื่อใด"}},
		{aNumber, []string{"多少", "几", "いくつ", "いくら", "เท่าไหร่", "เท่าไร"}},
		{aReason, []string{"为什么", "为何", "なぜ", "どうして", "ทำไม"}},
	}
}

// auxiliaries returns the words that begin a question answered by yes or no.
func auxiliaries() []string {
	return []string{
		"is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "might", "must", "should", "will", "would", "has", "have", "had", "am",
		"ist", "sind", "war", "waren", "kann", "können", "darf", "dürfen", "muss", "müssen", "gibt", "hat", "haben", "wird", "werden", "soll",
	}
}

// offer returns how well a statement holds what the question expects, 0 to 1. The
// question's own words do not count.
func (x *question) offer(s *quotation) float64 {
	switch x.expected {
	case anything, expectations:
		return 0.5
	case aMeaning:
		return x.defines(s)
	case aReason:
		return btof(containsAny(s.folded, reasons()))
	case aDefault:
		return btof(saysDefault(s) || x.setsValue(s.Term))
	case aCommand:
		return btof(s.Kind == statement.Code || strings.Contains(s.folded, "example: "))
	case aVersion:
		return btof(slices.ContainsFunc(strings.Fields(s.text), versionLike))
	case aYesOrNo:
		return btof(containsAny(s.folded, verdicts()))
	case aTime, aNumber, aMoney, aShare, aDuration, aName, aPlace:
	}
	best, before := 0.0, ""
	hit, first := 0, true
	for at, w := range fields(s.text) {
		for hit < len(s.hits) && s.hits[hit].End <= at {
			hit++
		}
		if asked := hit < len(s.hits) && s.hits[hit].Start < at+len(w); !asked {
			best = max(best, x.fits(w, before, first))
		}
		first, before = false, w
	}
	return best
}

// fits returns how well the word w, which follows before, is what the question expects.
// first is true for the first word of the statement.
func (x *question) fits(w, before string, first bool) float64 {
	number := strings.ContainsFunc(w, unicode.IsDigit)
	switch x.expected {
	case aTime:
		return btof(timeLike(w))
	case aNumber:
		return btof(number || numeral(w))
	case aMoney:
		switch counted := strings.ContainsFunc(before, unicode.IsDigit); {
		case number && strings.ContainsAny(w, "$€£¥₹"), counted && currency(w), number && currency(before), number && strings.ContainsAny(before, "$€£¥₹"):
			return 1
		case w == "free" || w == "kostenlos" || w == "gratis":
			return 0.9
		}
		return 0.5 * btof(number)
	case aShare:
		if strings.Contains(w, "%") || strings.HasPrefix(strings.ToLower(w), "percent") || strings.HasPrefix(strings.ToLower(w), "prozent") {
			return 1
		}
		return 0.4 * btof(number || numeral(w))
	case aDuration:
		if unit(w) && (numeral(before) || strings.ContainsFunc(before, unicode.IsDigit)) {
			return 1
		}
		return 0.4 * btof(number || numeral(w) || timeLike(w))
	case aName, aPlace:
		r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }))
		switch {
		case r > 0x2E80: // scripts without capital letters
			return 1
		case !unicode.IsUpper(r) || first:
			return 0
		case x.expected == aPlace && !whereabouts(before):
			return 0.4
		}
		return 1
	case anything, aReason, aMeaning, aYesOrNo, aVersion, aDefault, aCommand, expectations:
	}
	return 0
}

// versionLike reports whether a word is the number of a version, such as "7.66.0".
func versionLike(w string) bool {
	w = strings.TrimPrefix(strings.Trim(w, "(),;:."), "v")
	return strings.Contains(w, ".") && strings.Trim(w, "0123456789.") == "" && !strings.Contains(w, "..")
}

// defines returns 1 if a statement begins with a word of the question and says what it is.
func (x *question) defines(s *quotation) float64 {
	if len(s.hits) == 0 || s.hits[0].Position > 3 {
		return 0
	}
	rest := s.folded[min(s.hits[0].End, len(s.folded)):]
	if len(rest) > 60 {
		rest = rest[:60]
	}
	if containsAny(rest, []string{" is ", " are ", " was ", " were ", " means ", " refers ", " ist ", " sind ", " es ", " son ", " est ", " – "}) {
		return 1
	}
	return 0.3
}

func reasons() []string {
	return []string{
		"because", " since ", " due to", " so that", "therefore", "reason", " in order to", "as a result", "caused", " to avoid", " to prevent", " to protect", " thus", " hence",
		"weil", " da ", "deshalb", "daher", "wegen", "damit", "porque", "debido", "ya que", "puisque", "parce que", "poiché", "потому", "因为", "由于",
	}
}

func verdicts() []string {
	return []string{"yes", "no,", "no.", " can ", "cannot", " may ", " must ", " not ", "n't", " only ", " allowed", " ja", "nein", " kann", " darf", " nicht", " sí", " oui"}
}

// negative tells whether text denies or excludes something.
func negative(folded string) bool {
	return containsAny(" "+folded+" ", []string{
		" not ", "n't ", " no ", " never ", " without ", " except", " exclu", " unless ", " neither ", " nor ", "cannot", " nicht ", " kein", " ohne ", " außer ", " ausgeschlossen", " excepto ", " sin ", " sauf ", " sans ", " pas ", " non ", " senza ", " не ",
	})
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

func btof(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// fields yields the words between white space with their positions.
func fields(s string) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		start := -1
		for i, r := range s {
			if !unicode.IsSpace(r) {
				if start < 0 {
					start = i
				}
				continue
			}
			if start >= 0 && !yield(start, s[start:i]) {
				return
			}
			start = -1
		}
		if start >= 0 {
			yield(start, s[start:])
		}
	}
}

// bare returns a word in lower case without the punctuation around it.
func bare(w string) string { return strings.ToLower(strings.Trim(w, ".,;:()[]\"'“”")) }

// currency tells whether w names money.
func currency(w string) bool {
	switch bare(w) {
	case "euro", "euros", "eur", "dollar", "dollars", "usd", "pounds", "gbp", "cents", "cent", "rupees", "yen", "francs", "chf", "million", "billion", "€", "$", "£":
		return true
	}
	return false
}

// whereabouts tells whether w is a word that stands before the name of a place.
func whereabouts(w string) bool {
	switch bare(w) {
	case "in", "at", "near", "to", "from", "of", "on", "the", "off", "around", "through", "into", "within", "nach", "bei", "aus", "im", "en", "de", "à", "a", "al", "del":
		return true
	}
	return false
}

// unit tells whether w is a unit of time.
func unit(w string) bool {
	switch strings.TrimSuffix(bare(w), "s") {
	case "second", "minute", "hour", "day", "week", "month", "year", "decade", "centurie", "century", "generation",
		"sekunde", "sekunden", "minuten", "stunde", "stunden", "tag", "tage", "tagen", "woche", "wochen", "monat", "monate", "monaten", "jahr", "jahre", "jahren",
		"día", "semana", "mese", "año", "hora", "minuto", "jour", "semaine", "moi", "an", "heure", "giorni", "mesi", "anni":
		return true
	}
	return false
}

// numeral tells whether w spells a number in English.
func numeral(w string) bool {
	switch bare(w) {
	case "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "twenty", "thirty", "forty", "fifty", "sixty",
		"hundred", "hundreds", "thousand", "thousands", "million", "millions", "billion", "half", "third", "quarter", "dozen", "several", "once", "twice":
		return true
	}
	return false
}

// timeLike tells whether w is a year, a part of a date or the name of a month.
func timeLike(w string) bool {
	digits := 0
	for _, r := range w {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits >= 3 || digits > 0 && strings.ContainsAny(w, "/:") {
		return true
	}
	switch bare(w) {
	case "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "century", "centuries", "today", "annually", "monthly", "weekly", "daily",
		"januar", "februar", "märz", "mai", "juni", "juli", "oktober", "dezember", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre", "siglo", "jahrhundert":
		return true
	}
	return digits > 0 && strings.ContainsFunc(w, func(r rune) bool { return r == '年' || r == '月' || r == '世' })
}
