package remark

// courtesy has the phrases of one language, separated by "|".
type courtesy struct{ code, greetings, thanks, farewells string }

// courtesies lists the phrases. A phrase of two languages belongs to the first one here.
func courtesies() []courtesy {
	return []courtesy{
		{"en", "hi|hello|hey|hiya|howdy|greetings|good morning|good afternoon|good evening|good day", "thanks|thank you|thx|ty|many thanks|cheers|much appreciated|thanks a lot|thank you very much|thank you so much", "bye|bye bye|goodbye|good bye|see you|see you later|good night|have a nice day|have a good day|cya"},
		{"de", "hallo|guten morgen|guten tag|guten abend|grüß gott|servus|moin", "danke|vielen dank|danke schön|dankeschön|besten dank|herzlichen dank|danke sehr", "tschüss|tschüß|tschau|auf wiedersehen|bis bald|bis später|gute nacht|schönen tag noch"},
		{"fr", "bonjour|salut|bonsoir|coucou", "merci|merci beaucoup|merci bien|mille mercis", "au revoir|à bientôt|à plus|bonne nuit|bonne journée"},
		{"es", "hola|buenos días|buenos dias|buenas tardes|buenas noches|buenas", "gracias|muchas gracias|mil gracias", "adiós|adios|hasta luego|hasta pronto|chao"},
		{"it", "ciao|buongiorno|buonasera|salve", "grazie|grazie mille|molte grazie|tante grazie", "arrivederci|a presto|buonanotte"},
		{"pt", "olá|ola|oi|bom dia|boa tarde|boa noite", "obrigado|obrigada|muito obrigado|muito obrigada|valeu", "tchau|adeus|até logo|até mais|até breve"},
		{"nl", "goedemorgen|goedemiddag|goedenavond|goedendag|hoi", "dank je|dank u|dankjewel|dank u wel|bedankt|hartelijk dank", "tot ziens|doei|dag|tot straks"},
		{"sv", "hej|hejsan|god morgon|god dag|god kväll", "tack|tack så mycket|stort tack", "hej då|adjö|vi ses|god natt"},
		{"no", "hei|god dag|god kveld", "takk|tusen takk|mange takk|takk skal du ha", "ha det|ha det bra|adjø"},
		{"da", "goddag|godmorgen|godaften", "mange tak|tusind tak|tak", "farvel|hej hej|vi ses"},
		{"fi", "moi|terve|hyvää päivää|hyvää huomenta|päivää", "kiitos|kiitti|paljon kiitoksia|kiitos paljon", "näkemiin|moikka|hei hei|hyvää yötä"},
		{"hu", "szia|sziasztok|jó napot|jó reggelt|jó estét|üdvözlöm|helló", "köszönöm|köszi|köszönöm szépen|nagyon köszönöm", "viszlát|viszontlátásra|jó éjszakát"},
		{"ro", "salut|bună|bună ziua|bună dimineața|bună seara|buna ziua", "mulțumesc|multumesc|mersi|mulțumesc frumos", "la revedere|pa|noapte bună"},
		{"tr", "merhaba|selam|günaydın|iyi günler|iyi akşamlar", "teşekkürler|teşekkür ederim|sağ ol|sağol|çok teşekkürler", "hoşça kal|hoşça kalın|güle güle|görüşürüz|iyi geceler"},
		{"ru", "привет|здравствуйте|здравствуй|добрый день|доброе утро|добрый вечер", "спасибо|большое спасибо|благодарю|спасибо большое", "пока|до свидания|до встречи|спокойной ночи"},
		{"ar", "مرحبا|أهلا|اهلا|السلام عليكم|صباح الخير|مساء الخير", "شكرا|شكرا جزيلا|شكرا لك", "مع السلامة|إلى اللقاء|وداعا"},
		{"hi", "नमस्ते|नमस्कार|हैलो|हेलो", "धन्यवाद|शुक्रिया|बहुत धन्यवाद", "अलविदा|फिर मिलेंगे"},
		{"zh", "你好|您好|嗨|早上好|下午好|晚上好", "谢谢|多谢|谢谢你|谢谢您|感谢|非常感谢", "再见|拜拜|晚安"},
		{"ja", "こんにちは|おはよう|おはようございます|こんばんは|もしもし", "ありがとう|ありがとうございます|どうも|どうもありがとう|どうもありがとうございます", "さようなら|またね|おやすみ|おやすみなさい"},
		{"ko", "안녕|안녕하세요|안녕하십니까", "고마워|고맙습니다|감사합니다|정말 감사합니다", "안녕히 계세요|안녕히 가세요|잘 가"},
		{"th", "สวัสดี|สวัสดีครับ|สวัสดีค่ะ", "ขอบคุณ|ขอบคุณครับ|ขอบคุณค่ะ|ขอบคุณมาก", "ลาก่อน|บาย"},
	}
}
