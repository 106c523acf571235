package refusal

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// wording holds how a language says that the passages hold no answer: the word for what was
// given, a negation and a verb of saying in one clause; or a phrase by itself.
type wording struct {
	given, negation, verb string // alternatives of a regular expression, the beginnings of words
	phrase                string // a whole regular expression
}

// wordings are those of the languages that questions are asked in.
func wordings() []wording {
	return slices.Concat(english(), spaced(), others())
}

func english() []wording {
	return []wording{
		{ // English; its clauses have an order, so the phrases say it all
			phrase: `\b(?:the|these|this|those|your|any of the|none of the|provided|given|available|supplied|retrieved|cited)\s+(?:(?:provided|given|available|supplied|above|retrieved|cited|current|following|relevant|reference|source)\s+)*` + givenEnglish +
				`(?:\s+(?:above|provided|given|available|i have|you provided|you gave me))?\s+(?:(?:do|does|did)(?:\s+not|n['’]t)|neither|never)\s+(?:\w+ly\s+|actually\s+|seem to\s+|appear to\s+)?` + saysEnglish +
				`|\bpassages?\s*(?:\d+(?:\s*(?:,|and|or)\s*\d+)*)?\s*(?:do|does|did)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?` + saysEnglish +
				`|\bnone of (?:the|these)\s+(?:\w+\s+)?` + givenEnglish + `\s+(?:\w+ly\s+)?` + saysEnglish +
				`|\b(?:is|are|was|were)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?(?:mentioned|specified|stated|provided|addressed|discussed|described|included|given|found|contained|available|answered|indicated|explained|listed|defined|covered|present)\s+(?:\w+\s+)?(?:in|by|from|within|anywhere in)\s+(?:the|these|this|any|your)\s+(?:\w+\s+)?` + givenEnglish +
				`|^(?:it|this|that|the answer)\s+(?:is|was)(?:\s+not|n['’]t)\s+(?:\w+ly\s+)?(?:mentioned|specified|stated|documented|addressed|discussed)\b` +
				`|\bthe answer(?:\s+to\s+[^,;]+)?\s+(?:is|was|can)(?:not|\s+not|n['’]t)\s+(?:be\s+)?(?:in|found|available|contained|provided|given|determined)\b` +
				`|\bi(?:['’]m| am| was)?\s*(?:sorry,?\s*(?:but\s+)?i\s+)?(?:cannot|can['’]t|could\s*(?:not|n['’]t)|(?:not able|unable) to|do(?:\s+not|n['’]t) know|did(?:\s+not|n['’]t))\s*(?:\w+ly\s+)?(?:find|locate|answer|determine|see|tell|say|provide|know|help)?\b` +
				`|\bi (?:do(?:\s+not|n['’]t)|did(?:\s+not|n['’]t)) (?:have|find|see)\s+(?:(?:any|enough|sufficient|specific|the|an|a|relevant)\s+)*(?:information|data|details?|answer|context|knowledge|mention)` +
				`|\bthere(?:['’]s| is| are| was)(?:n['’]t)?\s+(?:no|not any|not enough|insufficient|any)\s+(?:\w+\s+){0,3}?(?:information|mention|details?|reference|answer|indication|specification)\b` +
				`|^no\s+(?:\w+\s+){0,2}?(?:information|mention|answer|details?|reference)\b.*\b(?:found|available|provided|given|mentioned|in the|about|on|regarding|of|for)\b` +
				`|\b(?:insufficient|not enough)\s+(?:information|context|details?)\b` +
				`|\b(?:cannot|can['’]t|can not|could not)\s+be\s+(?:determined|answered|found|established|inferred)\s+(?:\w+\s+)?(?:from|in|based on|with|using|by)\s+(?:the|these|this)`,
		},
	}
}

// spaced are the other languages whose clauses are told by words.
func spaced() []wording {
	return []wording{
		{
			given: `passagen?|dokument|textstelle|abschnitt|unterlagen|quelle|kontext|texte?|auszüge?n?|informationen|handbuch|dokumentation`, negation: `nicht|kein|nichts`, verb: `erwähn|enthalt|enthält|angegeben|genannt|nenn|beantwort|hervor|gefunden|finde|entnehm|erläuter|beschrieb|beschreib|steht|stehen|gesagt|sagen|angaben|informationen|auskunft`,
			phrase: `\bkeine (?:angaben?|informationen?|auskunft|hinweise?|antwort)\b|\b(?:wird|ist|wurde) (?:\p{L}+ )?nicht (?:erwähnt|angegeben|genannt|beantwortet)|\bich (?:kann|konnte|weiß|habe)\b[^,;]*\b(?:nicht|keine)\b`,
		},
		{
			given: `passages?|documents?|documentation|extraits?|textes?|sources?|contexte|informations? fournies?|manuel`, negation: `ne|n['’]|pas|aucun`, verb: `mentionn|contien|précis|indiqu|dise|dit\b|fourni|répond|trouv|donne|évoqu|spécifi`,
			phrase: `\baucune (?:information|mention|réponse|indication|précision)\b|\bil n['’]y a (?:pas|aucune?)\b[^,;]*\b(?:information|mention|réponse)|\bje (?:ne|n['’])[^,;]*\b(?:trouv|sais|peux|dispose|ai pas)`,
		},
		{
			given: `pasajes?|documentos?|documentación|fragmentos?|textos?|fuentes?|contexto|información proporcionada|manual`, negation: `no|ning[uú]n|tampoco`, verb: `mencion|contien|especific|indica|dice|proporciona|respond|encuentr|señala|figura|aparece|menciona`,
			phrase: `\bno (?:hay|existe|se (?:proporciona|ofrece)) (?:ninguna |suficiente )?(?:información|mención|respuesta)|\bno se (?:menciona|especifica|indica)|\bno (?:puedo|pude|he podido|encuentro|tengo|sé)\b`,
		},
		{
			given: `passagg|document|brani|brano|testo|testi|fonti|fonte|contesto|manuale|estratt`, negation: `non|nessun`, verb: `menziona|contien|contengono|specifica|indica|dice|dicono|fornisc|rispond|riporta|trova|citat|cita`,
			phrase: `\bnon (?:ci sono|c['’]è|è presente) (?:alcuna |nessuna )?(?:informazion|menzion|rispost)|\bnon (?:è|viene) (?:menzionat|specificat|indicat)|\bnon (?:posso|riesco|trovo|so|ho trovato)\b`,
		},
		{
			given: `passagens?|trechos?|documentos?|documentação|textos?|fontes?|contexto|excertos?|manual`, negation: `não|nenhum`, verb: `mencion|cont[eé]m|especific|indica|diz|dizem|fornec|respond|encontr|inform`, //nolint:misspell // Portuguese
			phrase: `\bnão (?:há|existe|existem) (?:nenhuma |qualquer )?(?:informaç|menção|resposta)|\bnão (?:é|foi|são) (?:mencionad|especificad|indicad)|\bnão (?:posso|consigo|encontrei|sei|tenho)\b`,
		},
		{
			given: `passages?|documenten|document|fragmenten|tekst|bronnen|bron|context|handleiding`, negation: `niet|geen|niets`, verb: `vermeld|noem|genoemd|bevat|staat|zegg|zegt|beantwoord|gevonden|specificer|geef|geven`,
			phrase: `\bgeen (?:informatie|vermelding|antwoord|gegevens)\b|\bwordt (?:\p{L}+ )?niet (?:vermeld|genoemd|beantwoord)|\bik (?:kan|kon|weet|heb)\b[^,;]*\b(?:niet|geen)\b`, //nolint:misspell // Dutch
		},
		{
			given: `passag|stycken|dokument|utdrag|text|tekst|källor|kilder|avsnitt|kontekst|uddrag`, negation: `inte|ingen|inget|inga|ikke|intet`, verb: `nämn|nevn|omtal|innehåll|inneh|indehold|anger|angiv|oppgi|säger|siger|sier|svar|finn|find|beskriv`,
			phrase: `\b(?:ingen|intet|inga) (?:information|informasjon|oplysninger|opplysninger|uppgifter|uppgift|svar)\b|\b(?:nämns|nevnes|nævnes|omtales) (?:inte|ikke)`,
		},
		{
			given: `катег|фрагмент|отрыв|документ|текст|источник|контекст|материал`, negation: `не|нет|ни`, verb: `упомина|содерж|указан|указыва|говор|сказан|отвеча|найден|привод|упомян`,
			phrase: `\bнет (?:информации|сведений|данных|ответа|упоминан)|не (?:упоминается|указан|сказано)|\bя не (?:могу|нашёл|нашел|знаю)`,
		},
		{
			given: `pasaj|belge|doküman|metin|kaynak|bölüm|bağlam`, negation: `yok|değil|\p{L}*(?:m[iıuü]yor|maz|mez|mamış|memiş|mamakta|memekte)\p{L}*`, verb: `belirt|bahsed|bahset|içer|bulun|yer al|geç|söyle|yanıt|bilgi`,
			phrase: `bilgi (?:yok|bulunma|verilme)|belirtilme(?:miş|mekte)`,
		},
		{
			given: `pasaj|document|fragment|text|surs|context`, negation: `nu|niciun|nicio`, verb: `menționea|conțin|specific|indic|spun|răspund|oferă|găs`,
			phrase: `\bnu (?:există|sunt) (?:nicio )?(?:informați|mențiun|răspuns)|\bnu (?:este|e) (?:menționat|specificat)`,
		},
		{given: `kohd|asiakirj|dokument|teksti|lähte|katkelm`, negation: `ei|eivät|eikä`, verb: `maini|sisäl|kerro|vastaa|löydy|ilmene|käy ilmi`, phrase: `\bei (?:ole )?(?:mainita|mainittu|tietoa)`},
		{given: `szöveg|dokument|részlet|forrás|kontextus`, negation: `nem|nincs`, verb: `említ|tartalmaz|szerepel|mond|válasz|található|derül`, phrase: `\bnincs (?:információ|adat|válasz)|nem (?:említi|szerepel)`},
	}
}

// others are the languages whose words a pattern cannot tell apart.
func others() []wording {
	return []wording{
		{phrase: `(?:文档|文件|段落|资料|上下文|文本|内容|手册|材料|信息|文章)[^,，。]{0,12}(?:没有|未|并未|并没有|不)[^,，。]{0,6}(?:提到|提及|说明|包含|涉及|提供|回答|指出|给出|找到)|未(?:提及|提到|说明)|没有(?:提到|提及|相关信息|找到)|无法(?:回答|确定|找到)`},
		{phrase: `(?:文書|資料|文章|パッセージ|段落|抜粋|テキスト|ドキュメント|情報|マニュアル)[^。]{0,40}(?:ありません|いません|ません|ない|なかった)|記載(?:は|が|されて)(?:ありません|いません|ない)|言及されていません|(?:わかりません|分かりません|見つかりません)`},
		{phrase: `(?:문서|자료|본문|구절|텍스트|출처|정보)[^.]{0,40}(?:없습니다|않습니다|않았습니다|없다|않는다)|언급되지 않|나와 있지 않|찾을 수 없`},
		{phrase: `(?:المستند|المستندات|الوثيق|الوثائق|النص|النصوص|المقاطع|المقطع|السياق|المصادر)[^،.]{0,40}(?:لا|لم|ليس)[^،.]{0,30}(?:ذكر|تحتو|يحتو|تشير|يشير|تجيب|يوضح|توضح|معلومات)|(?:لا|لم) (?:يذكر|تذكر|يُذكر|ترد|يرد|توجد معلومات)[^،.]*(?:المستند|الوثيق|الوثائق|النص|المقاطع|السياق|المصادر)?`},
		{phrase: `(?:दस्तावेज|दस्तावेज़|पाठ|अंश|अंशों|संदर्भ|स्रोत)[^।]{0,60}(?:नहीं|कोई)[^।]{0,30}(?:उल्लेख|बताया|जानकारी|है|मिल)|उल्लेख नहीं|जानकारी नहीं`},
	}
}

const (
	givenEnglish = `(?:passages?|documents?|documentation|context|texts?|excerpts?|sources?|information|materials?|manual|knowledge base)`
	saysEnglish  = `(?:mention|contain|provide|say|state|specify|answer|include|cover|address|discuss|describe|give|indicate|explain|offer|have|tell|list|define|show|reveal|detail|note|refer)`
)

// refusals finds sentences that say that the passages hold no answer.
type refusals struct {
	phrases []*regexp.Regexp
	clauses []clause
	cues    []string
	subject *regexp.Regexp // what introduces the next clause
	duty    *regexp.Regexp // what must or may not be in a document is no refusal
	apology *regexp.Regexp // what may stand before it
	goesOn  *regexp.Regexp // what says something beside it
}

type clause struct{ given, negation, verb *regexp.Regexp }

var declining = sync.OnceValue(func() *refusals { //nolint:gochecknoglobals // compiled once, for all models
	r := &refusals{
		cues:    cues(),
		subject: regexp.MustCompile(`,|;|\b(?:dass|daß|que|qu['’]|che|dat|att|что|чтобы|ki)\b`),
		duty:    regexp.MustCompile(`\b(?:dürfen|darf|müssen|muss|sollen|soll|sollten|doivent|doit|deben|debe|devono|deve|devem|mogen|moeten|får|skal|ska|должн\p{L}*|trebuie)\b`),
		apology: regexp.MustCompile(`^(?:i['’]?\s?a?m (?:very )?sorry|sorry|i apologi[sz]e|unfortunately|es tut mir leid|leider|désolée?|je suis désolée?|malheureusement|lo siento|mi dispiace|purtroppo|desculpe|infelizmente|het spijt me|helaas)[,.:;]?\s*(?:(?:but|aber|mais|pero|ma|mas|maar)\s+)?`),
		goesOn:  regexp.MustCompile(`\b(?:but|however|although|though|except|only that|aber|jedoch|sondern|allerdings|mais|cependant|pero|sino|sin embargo|ma|però|mas|porém|maar|echter|но|однако|ancak|fakat|însă|mutta)\b\s*(?:[^.]*\d|[^.]{25,})|但是?|しかし|하지만|لكن`),
	}
	for _, w := range wordings() {
		if w.phrase != "" {
			r.phrases = append(r.phrases, regexp.MustCompile(w.phrase))
		}
		if w.given != "" {
			r.clauses = append(r.clauses, clause{words(w.given), words(w.negation), words(w.verb)})
		}
	}
	return r
})

// words returns a pattern of words that begin with one of the alternatives. \b knows ASCII only.
func words(alternatives string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^\p{L}])(?:` + alternatives + `)`)
}

// folded prepares a sentence for the patterns.
func folded(sentence string) string {
	sentence = strings.NewReplacer("*", "", "_", "", "`", "", "\"", "", "“", "", "”", "", "„", "", "«", "", "»", "").Replace(strings.ToLower(sentence))
	return strings.Join(strings.Fields(sentence), " ")
}

// Declines tells whether a sentence says that the passages hold no answer, and nothing else.
func Declines(sentence string) bool {
	r := declining()
	s := r.apology.ReplaceAllString(folded(sentence), "")
	if len(s) > 600 || r.goesOn.MatchString(s) {
		return false
	}
	for _, p := range r.phrases {
		if p.MatchString(s) {
			return true
		}
	}
	if at := r.subject.FindStringIndex(s); at != nil && at[0] > 8 {
		s = s[:at[0]]
	}
	if r.duty.MatchString(s) {
		return false
	}
	for _, c := range r.clauses {
		if c.given.MatchString(s) && c.negation.MatchString(s) && c.verb.MatchString(s) {
			return true
		}
	}
	return false
}

// cues are what the beginning of a sentence that declines may hold, in any language: a space
// stands for the beginning or the end of a word.
func cues() []string {
	return []string{
		" i ", " i'", " i’", " there", " no ", " none", " not enough", "sorry", "unfortunately", "insufficient", "based on", "according to", "the answer", "apolog",
		" passag", " document", " dokument", " context", " text", " tekst", " excerpt", " source", " information", " material", " manual", "knowledge base",
		" textstelle", " abschnitt", " unterlagen", " quelle", " kontext", " auszüge", " auszug", " informationen", " handbuch", "leider", "entschuldig", " ich ", " kein",
		" laut ", " extrait", " contexte", " manuel", "désolé", "malheureusement", " aucun", " je ", " selon", " d'après", " d’après", " il n", " pasaje", " fragment",
		" fuente", "lo siento", "lamentable", " según", " brani", " brano", " testo", " testi", " fonti", " fonte", " estratt", "dispiace", "purtroppo", " non ", " secondo",
		" trecho", " excerto", "desculp", "infelizmente", " não ", " segundo", " bron", " handleiding", "helaas", " ik ", " geen ", " spijt", " stycken", " utdrag", " käll",
		" kilde", " avsnitt", " uddrag", "tyvärr", " ingen", " beklager", " inga ", "pasaj", "belge", "doküman", " metin", "kaynak", "üzgünüm", "maalesef", " surs", "din păcate",
		" nu ", " kohd", " asiakirj", " lähte", " katkelm", "valitettavasti", " ei ", " szöveg", " részlet", " forrás", "sajnos", " nem ", " nincs",
	}
}

// MayDecline tells whether the beginning of a sentence may become one that declines.
func MayDecline(sentence string) bool {
	s := " " + folded(sentence) + " "
	for _, start := range []string{" it ", " this ", " that "} {
		if rest, ok := strings.CutPrefix(s, start); ok && (rest == "" || strings.HasPrefix(rest, "is ") || strings.HasPrefix(rest, "was ")) {
			return true
		}
	}
	latin := strings.ContainsFunc(s, func(r rune) bool { return 'a' <= r && r <= 'z' })
	return !latin || slices.ContainsFunc(declining().cues, func(cue string) bool { return strings.Contains(s, cue) })
}
