package lexical

import (
	"strings"

	"docqa/internal/engine/sentence"
)

// Aside is the weight of a word that occurs only in sentences behind the question. Such
// sentences say how to answer ("Base it on the balance sheet.", "If there is none, say why.").
const Aside = 0.4

// Focus divides a user's text into the part up to its last question and the sentences behind
// it, which ask nothing. aside is empty if there are none.
func Focus(text string) (asked, aside string) {
	if !strings.ContainsAny(text, "?？؟") {
		return text, ""
	}
	var before, behind []string
	some := false
	for _, at := range sentence.Split(text) {
		s := text[at.Start:at.End]
		asks := strings.ContainsAny(s, "?？؟")
		some = some || asks
		if some && !asks {
			behind = append(behind, s)
			continue
		}
		before = append(before, s)
	}
	if len(behind) == 0 {
		return text, ""
	}
	return strings.Join(before, " "), strings.Join(behind, " ")
}
