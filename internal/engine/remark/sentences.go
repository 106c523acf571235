package remark

import "unicode"

// sentences are what the service says in one language.
type sentences struct {
	hello, welcome, bye string
	other               string // the documents are in another language
	name                string // the language's own name
}

// in returns the sentences of a language by its ISO 639-1 code; ok is false if it is not known.
func in(code string) (s sentences, ok bool) {
	s, ok = map[string]sentences{
		"en": {"Hello! What would you like to know?", "You are welcome!", "Goodbye!", "The documents are in another language", "English"},
		"ar": {"مرحبا! ماذا تود أن تعرف؟", "على الرحب والسعة!", "إلى اللقاء!", "المستندات مكتوبة بلغة أخرى", "العربية"},
		"da": {"Hej! Hvad vil du gerne vide?", "Selv tak!", "Farvel!", "Dokumenterne er på et andet sprog", "dansk"},
		"de": {"Hallo! Was möchten Sie wissen?", "Gern geschehen!", "Auf Wiedersehen!", "Die Dokumente sind in einer anderen Sprache", "Deutsch"},
		"es": {"¡Hola! ¿Qué le gustaría saber?", "¡De nada!", "¡Adiós!", "Los documentos están en otro idioma", "español"},
		"fi": {"Hei! Mitä haluaisit tietää?", "Ole hyvä!", "Näkemiin!", "Asiakirjat ovat toisella kielellä", "suomi"},
		"fr": {"Bonjour ! Que souhaitez-vous savoir ?", "Je vous en prie !", "Au revoir !", "Les documents sont dans une autre langue", "français"},
		"hi": {"नमस्ते! आप क्या जानना चाहेंगे?", "आपका स्वागत है!", "अलविदा!", "दस्तावेज़ दूसरी भाषा में हैं", "हिन्दी"},
		"hu": {"Üdvözlöm! Mit szeretne tudni?", "Szívesen!", "Viszontlátásra!", "A dokumentumok más nyelven íródtak", "magyar"},
		"it": {"Buongiorno! Che cosa desidera sapere?", "Prego!", "Arrivederci!", "I documenti sono in un'altra lingua", "italiano"},
		"ja": {"こんにちは。何をお知りになりたいですか。", "どういたしまして。", "さようなら。", "文書は別の言語で書かれています", "日本語"},
		"ko": {"안녕하세요! 무엇을 알고 싶으신가요?", "천만에요!", "안녕히 가세요!", "문서는 다른 언어로 되어 있습니다", "한국어"},
		"nl": {"Hallo! Wat wilt u weten?", "Graag gedaan!", "Tot ziens!", "De documenten zijn in een andere taal", "Nederlands"},
		"no": {"Hei! Hva vil du vite?", "Bare hyggelig!", "Ha det bra!", "Dokumentene er på et annet språk", "norsk"},
		"pt": {"Olá! O que gostaria de saber?", "De nada!", "Até logo!", "Os documentos estão em outro idioma", "português"},
		"ro": {"Bună ziua! Ce doriți să aflați?", "Cu plăcere!", "La revedere!", "Documentele sunt în altă limbă", "română"},
		"ru": {"Здравствуйте! Что бы вы хотели узнать?", "Пожалуйста!", "До свидания!", "Документы написаны на другом языке", "русский"},
		"sv": {"Hej! Vad vill du veta?", "Varsågod!", "Hej då!", "Dokumenten är på ett annat språk", "svenska"},
		"th": {"สวัสดี อยากทราบเรื่องอะไร", "ยินดี", "ลาก่อน", "เอกสารเป็นภาษาอื่น", "ไทย"},
		"tr": {"Merhaba! Ne öğrenmek istersiniz?", "Rica ederim!", "Hoşça kalın!", "Belgeler başka bir dilde", "Türkçe"},
		"zh": {"您好！您想了解什么？", "不客气！", "再见！", "文档使用的是另一种语言", "中文"},
	}[code]
	return s, ok
}

// OtherLanguage says in the language code that the documents are in the languages of
// documents. All are ISO 639-1 codes; codes that are not known are left out. It is empty if
// the language of code is not known.
func OtherLanguage(code string, documents []string) string {
	s, ok := in(code)
	if !ok {
		return ""
	}
	names := ""
	for _, d := range documents {
		if there, ok := in(d); ok {
			if names != "" {
				names += ", "
			}
			names += there.name
		}
	}
	stop := "."
	switch code {
	case "zh", "ja":
		stop = "。"
	case "hi":
		stop = "।"
	case "th":
		stop = ""
	}
	if names != "" {
		names = " (" + names + ")"
	}
	return s.other + names + stop
}

// ScriptCode returns the ISO 639-1 code of a text in a script without spaces, empty if it has none
// of them.
func ScriptCode(text string) string {
	code := ""
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return "ja"
		case unicode.Is(unicode.Hangul, r):
			return "ko"
		case unicode.Is(unicode.Thai, r):
			return "th"
		case unicode.Is(unicode.Han, r):
			code = "zh"
		}
	}
	return code
}
