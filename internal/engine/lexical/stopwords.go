package lexical

// stop tells whether w, in lower case, is too common in language l to search for: an article,
// a pronoun, an auxiliary or a word that most questions contain.
func stop(l Lang, w string) bool {
	switch l {
	case English:
		return stopEnglish(w)
	case Arabic:
		return stopArabic(w)
	case Danish:
		return stopDanish(w)
	case Dutch:
		return stopDutch(w)
	case Finnish:
		return stopFinnish(w)
	case French:
		return stopFrench(w)
	case German:
		return stopGerman(w)
	case Hindi:
		return stopHindi(w)
	case Hungarian:
		return stopHungarian(w)
	case Italian:
		return stopItalian(w)
	case Norwegian:
		return stopNorwegian(w)
	case Portuguese:
		return stopPortuguese(w)
	case Romanian:
		return stopRomanian(w)
	case Russian:
		return stopRussian(w)
	case Spanish:
		return stopSpanish(w)
	case Swedish:
		return stopSwedish(w)
	case Turkish:
		return stopTurkish(w)
	case Unknown, Unspaced, langs:
		return false
	}
	return false
}

func stopEnglish(w string) bool {
	switch w {
	case "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "aren", "as", "at",
		"be", "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "cannot", "could",
		"couldn", "did", "didn", "do", "does", "doesn", "doing", "don", "done", "down", "during", "each", "either",
		"else", "ever", "every", "few", "for", "from", "further", "get", "gets", "give", "given", "gives", "had",
		"hadn", "has", "hasn", "have", "haven", "having", "he", "her", "here", "hers", "herself", "him", "himself",
		"his", "how", "however", "i", "if", "in", "into", "is", "isn", "it", "its", "itself", "just", "let", "like",
		"made", "make", "makes", "many", "may", "me", "might", "more", "most", "much", "must", "my", "myself", "need",
		"no", "nor", "not", "of", "off", "often", "on", "once", "only", "or", "other", "ought", "our", "ours",
		"ourselves", "out", "over", "own", "please", "same", "shall", "she", "should", "shouldn", "since", "so",
		"some", "such", "tell", "than", "that", "the", "their", "theirs", "them", "themselves", "then", "there",
		"these", "they", "this", "those", "through", "thus", "to", "too", "under", "until", "up", "upon", "us",
		"very", "was", "wasn", "we", "were", "weren", "what", "whatever", "when", "where", "whether", "which",
		"while", "who", "whom", "whose", "why", "will", "with", "within", "without", "won", "would", "wouldn", "yes",
		"yet", "you", "your", "yours", "yourself", "yourselves":
		return true
	}
	return false
}

func stopArabic(w string) bool {
	switch w {
	case "أما", "أن", "أنا", "أنت", "أو", "أى", "أي", "أين", "إذا", "إلى", "إن", "اذا", "التي", "الذي", "الذين", "الى",
		"ان", "او", "بعد", "بن", "به", "بها", "بين", "تلك", "ثم", "حتى", "حيث", "خلال", "ذلك", "ضد", "على", "عن",
		"عند", "غير", "فى", "في", "فيه", "فيها", "قبل", "قد", "كان", "كانت", "كل", "كم", "كما", "كيف", "لا", "لدى",
		"لكن", "لم", "لماذا", "لن", "له", "لها", "لهم", "ليس", "ما", "ماذا", "متى", "مع", "مما", "من", "منذ", "منه",
		"منها", "نحن", "هذا", "هذه", "هل", "هم", "هو", "هي", "و", "وعلى", "وفي", "وقد", "وكان", "وكانت", "ولا", "ومن",
		"وهو", "وهي", "يا", "يكون":
		return true
	}
	return false
}

func stopDanish(w string) bool {
	switch w {
	case "af", "alle", "alt", "anden", "at", "bare", "blev", "blive", "bliver", "da", "de", "dem", "den", "denne",
		"der", "deres", "det", "dette", "dig", "din", "disse", "dog", "du", "efter", "eller", "en", "end", "er", "et",
		"for", "fra", "ham", "han", "hans", "har", "havde", "have", "hendes", "her", "hos", "hun", "hvad", "hvem",
		"hvilke", "hvilken", "hvilket", "hvis", "hvor", "hvordan", "hvorfor", "hvornår", "i", "ikke", "ind", "jeg",
		"jer", "jo", "kan", "kunne", "man", "mange", "med", "meget", "men", "mig", "min", "mine", "mit", "mod", "ned",
		"noget", "nogle", "nu", "når", "og", "også", "om", "op", "os", "over", "på", "selv", "sig", "sin", "sine",
		"sit", "skal", "skulle", "som", "sådan", "thi", "til", "ud", "under", "var", "vi", "vil", "ville", "vor",
		"være", "været":
		return true
	}
	return false
}

func stopDutch(w string) bool {
	switch w {
	case "aan", "al", "alles", "als", "altijd", "andere", "ben", "bij", "daar", "dan", "dat", "de", "der", "deze",
		"die", "dit", "doch", "doen", "door", "dus", "een", "eens", "en", "er", "ge", "geen", "geweest", "haar",
		"had", "heb", "hebben", "heeft", "hem", "het", "hier", "hij", "hoe", "hun", "iemand", "iets", "ik", "in",
		"is", "ja", "je", "kan", "kon", "kunnen", "maar", "me", "meer", "men", "met", "mij", "mijn", "moet", "na",
		"naar", "niet", "niets", "nog", "nu", "of", "om", "omdat", "onder", "ons", "ook", "op", "over", "reeds", "te",
		"tegen", "toch", "toen", "tot", "u", "uit", "uw", "van", "veel", "voor", "waar", "waarom", "wanneer", "want",
		"waren", "was", "wat", "welk", "welke", "werd", "wezen", "wie", "wil", "worden", "wordt", "zal", "ze", "zelf",
		"zich", "zij", "zijn", "zo", "zonder", "zou":
		return true
	}
	return false
}

func stopFinnish(w string) bool {
	switch w {
	case "ei", "eivät", "että", "he", "hän", "hänen", "ja", "joita", "joka", "jonka", "jos", "jotka", "kuin", "kuinka",
		"kuka", "kun", "me", "miksi", "mikä", "milloin", "minä", "missä", "mitä", "montako", "mutta", "myös", "ne",
		"niin", "nyt", "ole", "olen", "olet", "oli", "olivat", "olla", "on", "onko", "ovat", "ovatko", "se", "sekä",
		"sen", "siinä", "siitä", "sinä", "tai", "te", "tämä", "tässä", "vaan", "vai", "vain", "voi", "voidaan":
		return true
	}
	return false
}

func stopFrench(w string) bool {
	switch w {
	case "a", "ai", "ainsi", "alors", "au", "aucun", "aussi", "autre", "aux", "avait", "avec", "avoir", "c", "ce",
		"cela", "celle", "celui", "ces", "cet", "cette", "ceux", "chaque", "comme", "comment", "d", "dans", "de",
		"des", "donc", "dont", "du", "elle", "elles", "en", "encore", "entre", "est", "et", "eu", "eux", "fait",
		"font", "furent", "il", "ils", "j", "je", "l", "la", "laquelle", "le", "lequel", "les", "leur", "leurs",
		"lorsque", "lui", "m", "ma", "mais", "me", "mes", "moi", "mon", "même", "n", "ne", "ni", "nos", "notre",
		"nous", "on", "ont", "ou", "où", "par", "pas", "pendant", "peu", "peut", "plus", "plusieurs", "pour",
		"pourquoi", "puis", "qu", "quand", "que", "quel", "quelle", "quelles", "quels", "qui", "quoi", "s", "sa",
		"sans", "se", "selon", "sera", "ses", "si", "soit", "son", "sont", "sous", "sur", "t", "ta", "tandis", "te",
		"tes", "toi", "ton", "tous", "tout", "toute", "toutes", "très", "tu", "un", "une", "vers", "vos", "votre",
		"vous", "y", "étaient", "était", "été", "être":
		return true
	}
	return false
}

func stopGerman(w string) bool {
	switch w {
	case "aber", "alle", "allem", "allen", "aller", "alles", "als", "also", "am", "an", "andere", "anderen", "anderer",
		"auch", "auf", "aus", "bei", "beim", "bin", "bis", "bist", "da", "dabei", "damit", "dann", "das", "dass",
		"daß", "dein", "deine", "dem", "den", "denn", "der", "deren", "des", "dessen", "dich", "die", "dies", "diese",
		"diesem", "diesen", "dieser", "dieses", "dir", "doch", "dort", "du", "durch", "ein", "eine", "einem", "einen",
		"einer", "eines", "er", "es", "etwas", "euch", "euer", "für", "gab", "gibt", "habe", "haben", "hat", "hatte",
		"hatten", "hier", "hin", "hinter", "ich", "ihm", "ihn", "ihnen", "ihr", "ihre", "ihrem", "ihren", "ihrer",
		"im", "in", "indem", "ins", "ist", "jede", "jedem", "jeden", "jeder", "jedes", "jene", "jetzt", "kann",
		"kein", "keine", "keinen", "können", "könnte", "man", "manche", "mehr", "mein", "meine", "mich", "mir", "mit",
		"muss", "musste", "nach", "nicht", "nichts", "noch", "nun", "nur", "ob", "oder", "ohne", "sehr", "sein",
		"seine", "seinem", "seinen", "seiner", "seit", "sich", "sie", "sind", "so", "solche", "soll", "sollte",
		"sondern", "sonst", "um", "und", "uns", "unser", "unter", "viel", "viele", "vom", "von", "vor", "war",
		"waren", "warum", "was", "weil", "welche", "welchem", "welchen", "welcher", "welches", "wem", "wen", "wenn",
		"wer", "werde", "werden", "wessen", "wie", "wieder", "will", "wir", "wird", "wo", "wofür", "woher", "wohin",
		"worden", "wurde", "wurden", "während", "würde", "zu", "zum", "zur", "zwar", "zwischen", "über":
		return true
	}
	return false
}

func stopHindi(w string) bool {
	switch w {
	case "अपना", "अपनी", "अपने", "इन", "इस", "इसके", "उन", "उनके", "उस", "उसके", "एक", "और", "कब", "कर", "करता",
		"करते", "करना", "करने", "कहाँ", "कहां", "का", "कि", "कितना", "कितनी", "कितने", "किया", "किस", "किसके",
		"किसने", "की", "कुछ", "के", "कैसे", "को", "कौन", "कौनसा", "कौनसी", "क्या", "क्यों", "गया", "जब", "जा", "जाता",
		"जाती", "जाते", "जो", "तक", "तब", "तो", "था", "थी", "थे", "द्वारा", "न", "नहीं", "ने", "पर", "बहुत", "बाद",
		"भी", "में", "यह", "या", "ये", "रहा", "रही", "रहे", "लिए", "वह", "वे", "सकता", "सकती", "सकते", "साथ", "से",
		"ही", "हुआ", "हुई", "हुए", "है", "हैं", "हो", "होता", "होती", "होते":
		return true
	}
	return false
}

func stopHungarian(w string) bool {
	switch w {
	case "a", "abban", "ahhoz", "ahogy", "aki", "akik", "akkor", "alatt", "amely", "amelyek", "ami", "amikor", "annak",
		"arra", "az", "azok", "azon", "azt", "aztán", "azután", "be", "csak", "de", "e", "ebben", "egy", "egyes",
		"egyik", "egyéb", "el", "első", "előtt", "ennek", "erre", "ez", "ezek", "ezen", "ezt", "fel", "ha", "hanem",
		"hogy", "hogyan", "hol", "hány", "is", "itt", "kell", "ki", "kik", "le", "lehet", "lesz", "lett", "meg",
		"mely", "melyik", "mert", "mi", "mikor", "milyen", "minden", "mint", "mit", "miért", "most", "már", "még",
		"ne", "nem", "nincs", "olyan", "ott", "s", "sem", "szerint", "több", "utána", "vagy", "van", "vannak", "volt",
		"voltak", "én", "és", "úgy", "új", "ő", "ők":
		return true
	}
	return false
}

func stopItalian(w string) bool {
	switch w {
	case "a", "abbia", "abbiamo", "ad", "agli", "ai", "al", "alla", "alle", "allo", "anche", "ancora", "avere",
		"aveva", "c", "che", "chi", "ci", "cioè", "come", "con", "contro", "cosa", "cui", "d", "da", "dagli", "dai",
		"dal", "dalla", "dalle", "dallo", "degli", "dei", "del", "dell", "della", "delle", "dello", "di", "dopo",
		"dove", "due", "e", "ed", "era", "erano", "essere", "fino", "fra", "fu", "furono", "gli", "ha", "hanno", "ho",
		"i", "il", "in", "io", "l", "la", "le", "lei", "li", "lo", "loro", "lui", "ma", "mentre", "mi", "mio",
		"molto", "ne", "negli", "nei", "nel", "nell", "nella", "nelle", "nello", "noi", "non", "nostro", "o", "ogni",
		"per", "perché", "però", "più", "poi", "prima", "qual", "quale", "quali", "quando", "quanta", "quante",
		"quanti", "quanto", "quella", "quelle", "quelli", "quello", "questa", "queste", "questi", "questo", "s", "se",
		"sei", "senza", "si", "sia", "sono", "sopra", "sotto", "sta", "stata", "stati", "stato", "su", "sua", "sue",
		"sugli", "sui", "sul", "sulla", "sulle", "sullo", "suo", "suoi", "tra", "tu", "tutti", "tutto", "un", "una",
		"uno", "vi", "voi", "è":
		return true
	}
	return false
}

func stopNorwegian(w string) bool {
	switch w {
	case "alle", "at", "av", "bare", "ble", "blei", "bli", "blir", "da", "de", "deg", "dei", "dem", "den", "denne",
		"der", "dere", "deres", "det", "dette", "di", "din", "disse", "du", "eller", "en", "er", "et", "etter", "for",
		"fordi", "fra", "før", "ha", "hadde", "han", "hans", "har", "hennes", "her", "hun", "hva", "hvem", "hver",
		"hvilke", "hvilken", "hvis", "hvor", "hvordan", "hvorfor", "i", "ikke", "inn", "ja", "jeg", "kan", "kom",
		"kun", "kunne", "man", "mange", "med", "meg", "men", "mer", "mi", "min", "mot", "mye", "ned", "noe", "noen",
		"nå", "når", "og", "også", "om", "opp", "oss", "over", "på", "samme", "seg", "selv", "si", "sin", "sine",
		"sitt", "skal", "skulle", "slik", "som", "så", "til", "um", "under", "ut", "uten", "var", "ved", "vi", "vil",
		"ville", "vår", "være", "vært", "å":
		return true
	}
	return false
}

func stopPortuguese(w string) bool {
	switch w {
	case "a", "ao", "aos", "aquela", "aquele", "aquilo", "as", "até", "com", "como", "da", "das", "de", "dela", "dele",
		"deles", "depois", "do", "dos", "e", "ela", "elas", "ele", "eles", "em", "entre", "era", "eram", "essa",
		"esse", "esta", "este", "está", "eu", "foi", "foram", "há", "isso", "isto", "já", "lhe", "mais", "mas", "me",
		"mesmo", "meu", "minha", "muito", "na", "nas", "nem", "no", "nos", "nossa", "nosso", "num", "numa", "não",
		"nós", "o", "onde", "os", "ou", "para", "pela", "pelas", "pelo", "pelos", "por", "porque", "quais", "qual",
		"quando", "quanto", "quantos", "que", "quem", "se", "seja", "sem", "ser", "seu", "seus", "sua", "suas", "são",
		"só", "também", "te", "tem", "ter", "tinha", "tu", "têm", "um", "uma", "você", "vocês", "à", "às", "é":
		return true
	}
	return false
}

func stopRomanian(w string) bool {
	switch w {
	case "a", "acea", "aceasta", "această", "acest", "acesta", "aceste", "am", "ar", "are", "au", "avea", "ca", "care",
		"ce", "cea", "cei", "cel", "cele", "cine", "cu", "cum", "când", "cât", "câte", "da", "dacă", "dar", "de",
		"deci", "despre", "din", "după", "ea", "ei", "el", "ele", "era", "erau", "este", "eu", "fi", "fie", "fost",
		"i", "iar", "la", "le", "lor", "lui", "mai", "mea", "meu", "mult", "mă", "nici", "nu", "o", "pe", "pentru",
		"prin", "sa", "sau", "se", "sunt", "să", "său", "toate", "tot", "un", "una", "unde", "unei", "unor", "unui",
		"va", "vor", "îi", "îl", "îmi", "în", "încă", "între", "și":
		return true
	}
	return false
}

func stopRussian(w string) bool {
	switch w {
	case "а", "без", "более", "больше", "будет", "будто", "бы", "был", "была", "были", "было", "быть", "в", "вам",
		"вас", "весь", "во", "вот", "все", "всего", "всех", "вы", "где", "да", "даже", "для", "до", "его", "ее", "ей",
		"если", "есть", "еще", "ещё", "её", "же", "за", "зачем", "здесь", "и", "из", "или", "им", "их", "к", "как",
		"какая", "какие", "каким", "какой", "каком", "какую", "когда", "кого", "которая", "которые", "который", "кто",
		"куда", "ли", "между", "меня", "мне", "может", "мой", "мы", "на", "над", "надо", "нам", "нас", "не", "него",
		"нее", "ней", "нет", "ни", "них", "но", "ну", "о", "об", "один", "он", "она", "они", "оно", "от", "очень",
		"по", "под", "после", "потому", "почему", "при", "про", "раз", "с", "сам", "свое", "свою", "себе", "себя",
		"сейчас", "сколько", "со", "так", "также", "такой", "там", "тебя", "тем", "то", "тогда", "того", "тоже",
		"той", "только", "том", "тот", "ту", "ты", "у", "уже", "хотя", "чего", "чем", "через", "что", "чтобы", "чья",
		"чьё", "эта", "эти", "это", "этого", "этой", "этом", "этот", "я":
		return true
	}
	return false
}

func stopSpanish(w string) bool {
	switch w {
	case "a", "al", "algo", "algunas", "algunos", "ante", "antes", "aquel", "aquella", "así", "aunque", "aún", "cada",
		"como", "con", "contra", "cual", "cuales", "cuando", "cuanta", "cuantas", "cuanto", "cuantos", "cuya", "cuyo",
		"cuál", "cuáles", "cuándo", "cuánta", "cuántas", "cuánto", "cuántos", "cómo", "de", "del", "desde", "donde",
		"durante", "dónde", "e", "el", "ella", "ellas", "ellos", "en", "entre", "era", "eran", "es", "esa", "ese",
		"eso", "esos", "esta", "estas", "este", "esto", "estos", "está", "están", "fue", "fueron", "ha", "había",
		"habían", "han", "hasta", "hay", "la", "las", "le", "les", "lo", "los", "me", "mi", "mientras", "mis",
		"mucho", "muchos", "muy", "más", "nada", "ni", "no", "nos", "nosotros", "nuestra", "nuestro", "o", "os",
		"otra", "otro", "otros", "para", "pero", "poco", "por", "porque", "pues", "que", "quien", "quienes", "quién",
		"quiénes", "qué", "se", "sea", "según", "ser", "si", "sido", "sin", "sobre", "son", "su", "sus", "sí",
		"también", "tanto", "te", "tenía", "ti", "tiene", "tienen", "todo", "todos", "tras", "tu", "tus", "un", "una",
		"uno", "unos", "y", "ya", "yo", "él":
		return true
	}
	return false
}

func stopSwedish(w string) bool {
	switch w {
	case "alla", "allt", "att", "av", "blev", "bli", "blir", "blivit", "dag", "de", "dem", "den", "denna", "deras",
		"dess", "dessa", "det", "detta", "dig", "din", "ditt", "du", "där", "då", "efter", "ej", "eller", "en", "er",
		"era", "ert", "ett", "från", "för", "ha", "hade", "han", "hans", "har", "henne", "hennes", "hon", "honom",
		"hur", "här", "i", "icke", "in", "ingen", "inom", "inte", "jag", "ju", "kan", "kunde", "man", "med", "mellan",
		"men", "mig", "min", "mitt", "mot", "mycket", "ni", "nu", "när", "något", "några", "och", "om", "oss", "på",
		"samma", "sedan", "sig", "sin", "sina", "sitta", "själv", "ska", "skulle", "som", "så", "sådan", "till",
		"under", "upp", "ut", "utan", "vad", "var", "vara", "varför", "varit", "varje", "vars", "vart", "vem", "vi",
		"vid", "vilka", "vilken", "vilket", "vår", "våra", "än", "är", "åt", "över":
		return true
	}
	return false
}

func stopTurkish(w string) bool {
	switch w {
	case "acaba", "ama", "ancak", "bana", "bazı", "belki", "ben", "beni", "benim", "bir", "biri", "birkaç", "biz",
		"bize", "bizi", "bu", "buna", "bunda", "bundan", "bunu", "bunun", "da", "daha", "de", "defa", "değil", "diye",
		"en", "eğer", "gibi", "hangi", "hem", "hep", "hepsi", "her", "hiç", "ile", "ise", "için", "kadar", "kaç",
		"ki", "kim", "kimi", "mi", "mu", "mü", "mı", "nasıl", "ne", "neden", "nedir", "nerde", "nerede", "nereye",
		"niye", "niçin", "o", "olan", "olarak", "oldu", "olduğu", "ona", "ondan", "onlar", "onu", "onun", "sanki",
		"sen", "siz", "tarafından", "tüm", "var", "ve", "veya", "ya", "yani", "çok", "çünkü", "üzere", "şey", "şu":
		return true
	}
	return false
}
